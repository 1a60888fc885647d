/** Selects a row by its primary key. */

import { invariant } from "../../../values/errors.ts";
import { type Alias, columnEquals } from "../../definitions/column.ts";
import { allOf, type Sql } from "../../definitions/sql.ts";
import { keyColumns, type TableView } from "../../definitions/view.ts";
import type { Input } from "../request/input.ts";
import { type BuildContext, operand } from "./context.ts";

/**
 * Returns the condition that a row has this key; columns that the role may not read never match.
 * @param values by field name
 */
export function keyCondition(
  view: TableView,
  row: Alias,
  values: ReadonlyMap<string, Input>,
  context: BuildContext,
): Sql | undefined {
  return allOf(
    keyColumns(view).map((column) => {
      const value = values.get(column.field);
      invariant(value, `there is a value for key column ${column.field}`);
      return columnEquals(column, row, operand(value, column.type), context.session);
    }),
  );
}
