/** Selects the rows of a stream in SQL Server: a batch with ties, and the position of its last row as text. */

import { EngineError } from "../../../values/errors.ts";
import type { StreamDialect, StreamParts, StreamSql } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql } from "../../definitions/sql.ts";
import { relay } from "./relay.ts";
import { hasEquality, textOfValue } from "./scalars.ts";

/**
 * Selects the batch once, so that its JSON and its last position come from the same rows. The position is a text that an
 * operand of the column's type parses without loss; NULL without rows.
 */
export function stream(parts: StreamParts, row: Sql, list: (value: Sql, position: Sql) => Sql): StreamSql {
  const { place, type, descending, limit, from, where } = parts;
  const order = sql`order by ${place} ${descending ? sql`desc` : sql`asc`}`;
  const top = limit ? sql`top (${limit}) with ties ` : sql``;
  const clauses = [
    sql`select ${top}${row} as r, ${textOfValue(type, place)} as p, row_number() over (${order}) as n from ${from}`,
    ...(where ? [sql`where ${where}`] : []),
    // Without TOP, ORDER BY is invalid in a derived table.
    ...(limit ? [order] : []),
  ];
  return {
    rows: list(sql`b.r`, sql`b.n`),
    position: [relay.textAt("last", sql`b.p`, sql`b.n`)],
    from: sql`(${joinSql(clauses, " ")}) b`,
  };
}

/** Returns false for types that have no `<` or whose text form is lossy. */
export const hasOrder = (type: ScalarType): boolean => hasEquality(type) && type.cast !== "sql_variant";

/**
 * Selects the upper bound of a stream. A row version is less than `min_active_rowversion()` only after its transaction and
 * all earlier ones have ended, at any isolation level. For other columns, reading open transactions requires server-wide
 * permissions.
 */
export const highWaterMark: StreamDialect["highWaterMark"] = (_places, _from, { field, type }) => {
  if (type.cast !== "timestamp") {
    return new EngineError(
      "not-supported",
      "$",
      `on SQL Server only streams with a rowversion cursor can wait for open transactions, and "${field}" is not a rowversion column: use one as cursor, or set ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK to false`,
    );
  }
  const last = sql`convert(varbinary(8), convert(bigint, min_active_rowversion()) - 1)`;
  return sql`select convert(nvarchar(max), ${last}, 1), N'[]'`;
};
