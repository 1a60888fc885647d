/** A row by its primary key. */

import { invariant } from "../../../values/errors.ts";
import { type Alias, columnEquals } from "../../definitions/column.ts";
import { allOf, type Sql } from "../../definitions/sql.ts";
import { keyColumns, type TableView } from "../../definitions/view.ts";
import type { Input } from "../request/input.ts";
import { type BuildContext, operand } from "./context.ts";

/**
 * Whether a row has this key, as far as the role may read the key's columns.
 * @param values by the fields of the columns
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
