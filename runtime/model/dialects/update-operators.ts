/** Update operators that all databases have. */
import type { UpdateOperator } from "../definitions/dialect.ts";
import { sql } from "../definitions/sql.ts";

export const increment: UpdateOperator = {
  name: "_inc",
  type: "inc_input",
  description: (table) => `input type for incrementing numeric columns in table "${table}"`,
  argumentDescription: "increments the numeric columns with given value of the filtered values",
  on: ({ numeric }) => numeric,
  sql: (column, value) => sql`${column} + ${value}`,
};

export const assign: UpdateOperator = {
  name: "_set",
  type: "set_input",
  description: (table) => `input type for updating data in table "${table}"`,
  argumentDescription: "sets the columns of the filtered rows to the given values",
  on: () => true,
  sql: (_, value) => value,
};
