/** The view of a table: filter, sort order, hidden columns and widths. Saved views stay in the browser. */
import type { RowOrder, TableLocation } from "../../../http/data-api.ts";
import type { JsonObject } from "../../../http/metadata-types.ts";

export interface RowView {
  readonly where: JsonObject;
  readonly sort: readonly RowOrder[];
  readonly hidden: readonly string[];
  /** In pixels, by column. Others have a width by their type. */
  readonly widths: Readonly<Record<string, number>>;
}

export interface SavedView {
  readonly name: string;
  readonly view: RowView;
}

export const emptyView: RowView = { where: {}, sort: [], hidden: [], widths: {} };

const prefix = "engine-console-row-views ";

const keyOf = ({ source, table: { schema, name } }: TableLocation): string =>
  prefix + JSON.stringify([source, schema, name]);

/** Returns the saved views of a table, by name. Unreadable ones are left out. */
export function savedViews(location: TableLocation): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(location)) ?? "[]");
    return Array.isArray(found) ? found.filter(isSavedView) : [];
  } catch {
    return [];
  }
}

function isSavedView(value: unknown): value is SavedView {
  const { name, view } = (value ?? {}) as { readonly name?: unknown; readonly view?: Partial<RowView> };
  const isObject = (each: unknown): boolean => typeof each === "object" && each !== null && !Array.isArray(each);
  return (
    typeof name === "string" &&
    isObject(view) &&
    isObject(view?.where) &&
    isObject(view?.widths) &&
    Array.isArray(view?.sort) &&
    Array.isArray(view?.hidden)
  );
}

/** Replaces the saved views of a table. Without space in the browser's storage, they stay as they are. */
export function keepViews(location: TableLocation, views: readonly SavedView[]): void {
  try {
    if (views.length === 0) localStorage.removeItem(keyOf(location));
    else localStorage.setItem(keyOf(location), JSON.stringify(views));
  } catch {
    // The storage is full or disabled.
  }
}

/** Returns the sort order after a click on a column header: ascending, then descending, then unsorted. */
export function sortAfterClick(sort: readonly RowOrder[], column: string, isAdded: boolean): readonly RowOrder[] {
  const index = sort.findIndex((each) => each.column === column);
  const type = sort[index]?.type;
  const next: readonly RowOrder[] =
    type === undefined ? [{ column, type: "asc" }] : type === "asc" ? [{ column, type: "desc" }] : [];
  if (!isAdded) return next;
  return index < 0 ? [...sort, ...next] : sort.toSpliced(index, 1, ...next);
}
