/**
 * Edits of cells that are collected and saved together in one transaction. They belong to one table at a time: leaving
 * its page with edits shows a warning, and discards them.
 */
import { signal } from "@preact/signals";
import { ApiError, asApiError } from "../../../http/api-error.ts";
import { type Row, type TableInfo, type TableLocation, updateEachRow } from "../../../http/data-api.ts";
import type { Json } from "../../../http/metadata-types.ts";
import { setLeaveGuard } from "../../../routing/router.ts";
import { typedText } from "../typed-value.ts";
import { keyColumns, keyText, whereUnchanged } from "./row-values.ts";

export interface RowEdits {
  /** The row as it was loaded before its first edit. */
  readonly row: Row;
  /** New values by column. */
  readonly values: Readonly<Record<string, Json>>;
  /** Reason why the last attempt did not save this row. */
  readonly refusal?: string;
}

/** Edits by row, as of `keyText`. */
export type PendingEdits = ReadonlyMap<string, RowEdits>;

const noEdits: PendingEdits = new Map();

/** Limit of the server for one transaction. */
const maxEditedRows = 1000;

const current = signal<{ readonly table: string; readonly edits: PendingEdits }>({ table: "", edits: noEdits });

const storageKey = "engine-console-collects-edits";

/** True to collect edits, false to save each at once. Kept in the browser. */
export const isCollecting = signal(localStorage.getItem(storageKey) === "true");

export function setCollecting(isOn: boolean): void {
  isCollecting.value = isOn;
  localStorage.setItem(storageKey, String(isOn));
}

const tableKey = ({ source, table: { schema, name } }: TableLocation): string => JSON.stringify([source, schema, name]);

export const pendingEdits = (location: TableLocation): PendingEdits =>
  current.value.table === tableKey(location) ? current.value.edits : noEdits;

export function setPendingEdits(location: TableLocation, edits: PendingEdits): void {
  current.value = { table: tableKey(location), edits };
  const warning = `${countText(edits)} of ${location.table.name} not saved. Leave the page and discard them?`;
  setLeaveGuard(edits.size === 0 ? null : { warning, onLeave: () => setPendingEdits(location, noEdits) });
}

/** Adds the new value of a cell. A value that equals the loaded one removes the edit. */
export function addEdit(location: TableLocation, info: TableInfo, row: Row, column: string, value: Json): void {
  const key = keyText(row, info);
  if (key === null) return;
  const edits = pendingEdits(location);
  if (!edits.has(key) && edits.size >= maxEditedRows) {
    throw new Error(`At most ${maxEditedRows.toLocaleString()} rows are saved together. Save the edits first.`);
  }
  const { row: loaded = row, values = {} } = edits.get(key) ?? {};
  setPendingEdits(location, withRow(edits, key, { row: loaded, values: { ...values, [column]: value } }));
}

export const withoutRow = (edits: PendingEdits, key: string): PendingEdits =>
  new Map([...edits].filter(([each]) => each !== key));

function withRow(edits: PendingEdits, key: string, { row, values }: RowEdits): PendingEdits {
  const changed = Object.entries(values).filter(([column, value]) => !isSame(row[column], value));
  if (changed.length === 0) return withoutRow(edits, key);
  return new Map(edits).set(key, { row, values: Object.fromEntries(changed) });
}

const isSame = (one: unknown, other: Json): boolean =>
  one === null || other === null ? one === other : typedText(one, "text") === typedText(other, "text");

export function countText(edits: PendingEdits): string {
  const cells = [...edits.values()].reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  const rows = edits.size === 1 ? "1 row" : `${edits.size.toLocaleString()} rows`;
  return `${cells === 1 ? "1 edit" : `${cells.toLocaleString()} edits`} in ${rows}`;
}

/** Returns the primary key of a row for messages: `id 3`. */
export const rowName = (row: Row, info: TableInfo): string =>
  keyColumns(info)
    .map((name) => `${name} ${typedText(row[name], "text")}`)
    .join(", ");

/**
 * Saves all edits in one transaction. If a row is refused, none is saved, all edits remain, and the row has its reason.
 * @throws ApiError that names the refused row
 */
export async function savePendingEdits(location: TableLocation, info: TableInfo): Promise<void> {
  const edits = [...pendingEdits(location)];
  const updates = edits.map(([, { row, values }]) => ({
    where: whereUnchanged(row, info, Object.keys(values)),
    $set: values,
  }));
  try {
    await updateEachRow(location, updates);
  } catch (thrown) {
    const { message, ...about } = asApiError(thrown);
    const index = Number(/\.updates\[(\d+)\]/.exec(about.path ?? "")?.[1] ?? -1);
    const refused = edits[index];
    if (!refused) throw thrown;
    // The server reports a condition that matches no row as `not-supported`.
    const reason =
      about.code === "not-supported" ? "it was changed or deleted after it was loaded" : message.replace(/\.$/, "");
    const unmarked = edits.map(([key, { row, values }]) => [key, { row, values }] as const);
    const [key, edit] = refused;
    setPendingEdits(location, new Map<string, RowEdits>(unmarked).set(key, { ...edit, refusal: reason }));
    throw new ApiError(`Nothing was saved. The row ${rowName(edit.row, info)} was refused: ${reason}.`, about);
  }
  setPendingEdits(location, noEdits);
}
