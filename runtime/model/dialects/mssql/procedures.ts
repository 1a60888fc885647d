/**
 * Calls of stored procedures. EXECUTE accepts no expressions, so each argument is a variable, and its rows can be read
 * only from a table. The temporary table is dropped when the batch ends.
 */
import type { ProcedureCall, ProcedureRows } from "../../definitions/dialect.ts";
import { joinSql, sql, verbatim } from "../../definitions/sql.ts";

export function callProcedure({ name, procedure, columns, arguments: args }: ProcedureCall): ProcedureRows {
  // The procedure may create temporary tables too, which need other names.
  const rows = sql`#engine_${name}`;
  const variables = args.map((argument, i) => ({ ...argument, sql: sql`@${name}${verbatim(`a${i + 1}`)}` }));
  const given = variables.map((argument) => sql` ${verbatim(`@${argument.name}`)} = ${argument.sql}`);
  const names = verbatim(columns.map((column) => column.sql).join(", "));
  return {
    before: [
      sql`set nocount on`,
      sql`create table ${rows} (${verbatim(columns.map(columnDefinition).join(", "))})`,
      ...variables.map(
        ({ sql: variable, variable: type, value }) => sql`declare ${variable} ${verbatim(type)} = ${value}`,
      ),
      sql`insert into ${rows} (${names}) exec ${verbatim(procedure)}${joinSql(given, ",")}`,
    ],
    rows,
  };
}

/** Declares a column. Without a collation, temporary tables use that of another database. */
function columnDefinition({ sql: name, type }: ProcedureCall["columns"][number]): string {
  return /^n?(?:var)?char\b/.test(type) ? `${name} ${type} collate database_default null` : `${name} ${type} null`;
}
