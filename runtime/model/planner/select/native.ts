/** Calls of native queries and stored procedures: the arguments of a field → the rows that stand after FROM (`sql-generation.md` 9). */

import { invariant } from "../../../values/errors.ts";
import type { NativeArgument, NativeQuery, StoredProcedure } from "../../definitions/native-query.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { type BuildContext, operand } from "./context.ts";
import type { Origin } from "./scope.ts";

/** Where the rows of a view come from, if it is not that of a table. */
export function nativeOrigin(
  { table: { query } }: TableView,
  field: SelectedRows,
  context: BuildContext,
): Pick<Origin, "rows"> {
  if (!query || "isNested" in query) return {};
  return { rows: "procedure" in query ? rowsOfProcedure(query, field, context) : rowsOfQuery(query, field) };
}

/** The query as a derived table; a comment may end it. */
function rowsOfQuery({ arguments: args, rows }: NativeQuery, field: SelectedRows): Sql {
  const valueFor = givenValues(field);
  const values = args.map((argument) => sql`(${valueFor(argument)})`);
  return sql`(${rows(...values)}\n)`;
}

/** It is called before the statement, which reads what it answered. */
function rowsOfProcedure(query: StoredProcedure, field: SelectedRows, { dialect, before, alias }: BuildContext): Sql {
  invariant(dialect.callProcedure, "the schema has stored procedures where there are some");
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

/** What a field gives for an argument. */
function givenValues(field: SelectedRows): (argument: NativeArgument) => Sql {
  const input = field.args.get("args");
  const given = new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);
  return ({ name, type }) => {
    const value = given.get(name);
    return value ? operand(value, type) : type.operand(verbatim("null"));
  };
}
