/** The response of writing data operations: `{affected_rows, returning}`. */

import type { Column } from "../../model/definitions/column.ts";
import type { SelectedRows } from "../../model/planner/request/selected-field.ts";
import { pathTo } from "../../values/errors.ts";
import { noArguments, plainField } from "./fields.ts";

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
