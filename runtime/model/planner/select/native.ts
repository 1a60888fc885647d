/** Builds FROM items that run native queries and stored procedures with the arguments of a field. */

import { invariant } from "../../../values/errors.ts";
import type { NativeArgument, NativeQuery, StoredProcedure } from "../../definitions/native-query.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { type BuildContext, operand } from "./context.ts";
import type { Origin } from "./scope.ts";

/** Returns the origin of a view's rows, if it is not a table. */
export function nativeOrigin(
  { table: { query } }: TableView,
  field: SelectedRows,
  context: BuildContext,
): Pick<Origin, "rows"> {
  if (!query || "isNested" in query) return {};
  return { rows: "procedure" in query ? rowsOfProcedure(query, field, context) : rowsOfQuery(query, field) };
}

/** Returns the query as a derived table. The line break ends a trailing comment. */
function rowsOfQuery({ arguments: args, rows }: NativeQuery, field: SelectedRows): Sql {
  const valueFor = givenValues(field);
  const values = args.map((argument) => sql`(${valueFor(argument)})`);
  return sql`(${rows(...values)}\n)`;
}

/** Adds a call before the statement, and returns the rows that the call stored. */
function rowsOfProcedure(query: StoredProcedure, field: SelectedRows, { dialect, before, alias }: BuildContext): Sql {
  invariant(dialect.callProcedure, "only databases with stored procedures have fields for them");
  const { procedure, columns, arguments: args } = query;
  const valueFor = givenValues(field);
  const call = dialect.callProcedure({
    name: alias(),
    procedure,
    columns,
    arguments: args.map((argument) => ({ ...argument, value: valueFor(argument) })),
  });
  before.push(...call.before);
  return call.rows;
}

/** Returns a function that returns the field's value of an argument. */
function givenValues(field: SelectedRows): (argument: NativeArgument) => Sql {
  const input = field.args.get("args");
  const given = new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);
  return ({ name, type }) => {
    const value = given.get(name);
    return value ? operand(value, type) : type.operand(verbatim("null"));
  };
}
