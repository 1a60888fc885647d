/** The response of writing data operations: `{affected_rows, returning}`. */

import type { Column } from "../../model/definitions/column.ts";
import type { Input } from "../../model/planner/request/input.ts";
import type { SelectedField, SelectedMeta, SelectedRows } from "../../model/planner/request/selected-field.ts";
import { pathTo } from "../../values/errors.ts";

/**
 * Builds the response of a write.
 * @param columns returned columns; absent if rows are not returned
 * @param names names of the columns in the response
 */
export function writeResponse(
  columns: readonly Column[] | undefined,
  names: readonly string[],
  path: string,
): SelectedRows {
  const count = plainField("affected_rows", { kind: "affected_rows" }, path);
  if (!columns) return { args: noArguments, selection: [count], path };
  const at = pathTo(path, "returning");
  const values = columns.map((column, i) => plainField(names[i] ?? column.field, { kind: "column", column }, at));
  const rows = plainField("returning", { kind: "returning" }, at, values);
  return { args: noArguments, selection: [count, rows], path };
}

/** Builds planner fields for data operations. */
const noArguments: ReadonlyMap<string, Input> = new Map();

/**
 * Builds a field without arguments.
 * @param path path of the field in the operation
 */
export function plainField(
  key: string,
  meta: SelectedMeta,
  path: string,
  selection: readonly SelectedField[] = [],
): SelectedField {
  return { key, meta, args: noArguments, selection, path };
}
