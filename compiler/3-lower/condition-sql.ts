/** SQL of a condition as the generated code runs it, for statements outside generated modules. */
import { crossSourceValues } from "../../runtime/model/definitions/cross-source-values.ts";
import { sessionSlot, wholeSessionSlot } from "../../runtime/model/definitions/parameters.ts";
import { constant } from "../../runtime/model/definitions/row-filter.ts";
import { inParentheses, joinSql, parameter, type Sql, sql, verbatim } from "../../runtime/model/definitions/sql.ts";
import { invariant } from "../../runtime/values/errors.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { allDialects } from "../dialects/index.ts";
import type { Condition, CrossSourceIr, SqlPart } from "./ir.ts";

/** @param row alias of the row */
export function conditionSql(condition: Condition, row: Sql): Sql {
  switch (condition.kind) {
    case "all":
    case "any": {
      const items = condition.items.map((item) => inParentheses(conditionSql(item, row)));
      return joinSql(items, condition.kind === "all" ? " and " : " or ");
    }
    case "not":
      return sql`not (${conditionSql(condition.item, row)})`;
    case "exists": {
      const { from, alias, where } = condition;
      return sql`exists (select 1 from ${partsSql(from, row)} ${verbatim(alias)} where ${conditionSql(where, row)})`;
    }
    case "readable":
      throw new Error(`invariant: the row filter behind ${condition.relationship} is not part of the condition`);
    case "test":
      return partsSql(condition.sql, row);
  }
}

/** Returns the SQL of lowered parts; of a column preset, which has no row, any alias gives the same SQL. */
export function partsSql(parts: readonly SqlPart[], row: Sql): Sql {
  return joinSql(
    parts.map((part) => partSql(part, row)),
    "",
  );
}

function partSql(part: SqlPart, row: Sql): Sql {
  if (typeof part === "string") return verbatim(part);
  switch (part.kind) {
    case "row":
      return row;
    case "session":
      return parameter(sessionSlot(part.variable));
    case "whole_session":
      return parameter(wholeSessionSlot);
    case "constant":
      return constant(part.text);
    case "crossSource":
      return crossSourceSql(part);
  }
}

function crossSourceSql({ own, dialect: name, table, from, column, type, json, where }: CrossSourceIr): Sql {
  const dialect = dialectNamed(name);
  return crossSourceValues(dialectNamed(own).runtime.dialect, {
    source: table.source,
    dialect: dialect.runtime.dialect,
    from,
    column,
    type: dialect.scalarOf(type),
    ...(json && { json }),
    ...(where && { where: (row) => conditionSql(where, row) }),
  });
}

/** @param name name in `engine/support` */
function dialectNamed(name: string): Dialect {
  const dialect = allDialects.find(({ runtime }) => runtime.name === name);
  invariant(dialect, `unknown dialect ${name}`);
  return dialect;
}
