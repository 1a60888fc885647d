/** The rows of a stream, in SQL Server: a batch with ties, and the place of its last row as text. */

import { EngineError } from "../../../values/errors.ts";
import type { StreamDialect, StreamParts, StreamSql } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql } from "../../definitions/sql.ts";
import { relay } from "./relay.ts";
import { hasEquality, textOfValue } from "./scalars.ts";

/**
 * The batch is read once, and its JSON and its last place come from the same rows. The place is a text that an operand
 * of the column's type reads without loss. Without rows it is NULL.
 */
export function stream(parts: StreamParts, row: Sql, list: (value: Sql, position: Sql) => Sql): StreamSql {
  const { place, type, descending, limit, from, where } = parts;
  const order = sql`order by ${place} ${descending ? sql`desc` : sql`asc`}`;
  const top = limit ? sql`top (${limit}) with ties ` : sql``;
  const clauses = [
    sql`select ${top}${row} as r, ${textOfValue(type, place)} as p, row_number() over (${order}) as n from ${from}`,
    ...(where ? [sql`where ${where}`] : []),
    // Without TOP, a derived table takes no order.
    ...(limit ? [order] : []),
  ];
  return {
    rows: list(sql`b.r`, sql`b.n`),
    place: relay.textAt("last", sql`b.p`, sql`b.n`),
    from: sql`(${joinSql(clauses, " ")}) b`,
  };
}

/** What has no `<`, and what its text does not give back. */
export const hasOrder = (type: ScalarType): boolean => hasEquality(type) && type.cast !== "sql_variant";

/**
 * A row version is less than `min_active_rowversion()` only when its transaction and all before it have ended, whatever
 * the isolation level. Of other columns no login without rights on the whole server knows what is still open.
 */
export const frontier: StreamDialect["frontier"] = (_place, _from, { field, type }) => {
  if (type.cast !== "timestamp") {
    throw new EngineError(
      "not-supported",
      "$",
      `on SQL Server only streams along a rowversion column can wait for open transactions, and "${field}" is none: stream along one, or set ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK to false`,
    );
  }
  const last = sql`convert(varbinary(8), convert(bigint, min_active_rowversion()) - 1)`;
  return sql`select convert(nvarchar(max), ${last}, 1), N'[]'`;
};
