/** Update operators of PostgreSQL; each row is one operator. */
import type { UpdateOperator } from "../../definitions/dialect.ts";
import { sql } from "../../definitions/sql.ts";
import { assign, increment } from "../update-operators.ts";
import { pg, pgArray } from "./scalars.ts";

const isJsonb = ({ cast }: { readonly cast: string }): boolean => cast === "jsonb";

export const updateOperators: readonly UpdateOperator[] = [
  {
    name: "_append",
    type: "append_input",
    description: () => "append existing jsonb value of filtered columns with new jsonb value",
    on: isJsonb,
    sql: (column, value) => sql`${column} || ${value}`,
  },
  {
    name: "_delete_at_path",
    type: "delete_at_path_input",
    description: () =>
      "delete the field or element with specified path (for JSON arrays, negative integers count from the end)",
    on: isJsonb,
    operand: pgArray(pg("text")),
    sql: (column, value) => sql`${column} #- ${value}`,
  },
  {
    name: "_delete_elem",
    type: "delete_elem_input",
    description: () =>
      "delete the array element with specified index (negative integers count from the end). throws an error if top level container is not an array",
    on: isJsonb,
    operand: pg("int4"),
    sql: (column, value) => sql`${column} - ${value}`,
  },
  {
    name: "_delete_key",
    type: "delete_key_input",
    description: () => "delete key/value pair or string element. key/value pairs are matched based on their key value",
    on: isJsonb,
    operand: pg("text"),
    sql: (column, value) => sql`${column} - ${value}`,
  },
  increment,
  {
    name: "_prepend",
    type: "prepend_input",
    description: () => "prepend existing jsonb value of filtered columns with new jsonb value",
    on: isJsonb,
    sql: (column, value) => sql`${value} || ${column}`,
  },
  assign,
];
