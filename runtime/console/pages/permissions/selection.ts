/** Selected cells of the matrix. */
import { signal } from "@preact/signals";
import type { Source } from "../../http/metadata-types.ts";
import type { Cell } from "./draft.ts";

/** Keys of the selected cells; `null` if clicks open cells instead of selecting them. */
export const selection = signal<ReadonlySet<string> | null>(null);

export const cellKey = ({ table: { table }, role }: Cell): string => JSON.stringify([table.schema, table.name, role]);

/** Returns the selected cells of a source in the order of its tables. Cells of deleted tables are ignored. */
export function selectedCells(source: Source): readonly Cell[] {
  const rolesOf = new Map<string, string[]>();
  for (const key of selection.value ?? []) {
    const [schema, name, role] = JSON.parse(key) as readonly [string, string, string];
    const table = JSON.stringify([schema, name]);
    rolesOf.set(table, [...(rolesOf.get(table) ?? []), role]);
  }
  return source.tables.flatMap((table) =>
    (rolesOf.get(JSON.stringify([table.table.schema, table.table.name])) ?? []).map((role) => ({ table, role })),
  );
}

/** Selects the cells, or clears them if all of them are selected. */
export function toggleCells(cells: readonly Cell[]): void {
  const keys = cells.map(cellKey);
  const before = selection.value ?? new Set<string>();
  const isFull = keys.every((key) => before.has(key));
  const after = new Set(before);
  for (const key of keys) {
    if (isFull) after.delete(key);
    else after.add(key);
  }
  selection.value = after;
}

/** Adds cells to the selection. */
export function selectCells(cells: readonly Cell[]): void {
  selection.value = new Set([...(selection.value ?? []), ...cells.map(cellKey)]);
}
