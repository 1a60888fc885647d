/** The rows of a stream, in PostgreSQL: a batch with ties, and the place of its last row as text. */
import type { StreamParts, StreamSql } from "../dialect.ts";
import { joinSql, type Sql, sql } from "../sql.ts";

/**
 * The place is the database's own text, which it reads back without loss: microseconds and digits survive. Without
 * rows there is none.
 */
export function stream(parts: StreamParts, row: Sql): StreamSql {
  const { place, descending, limit, from, where } = parts;
  const direction = descending ? sql`desc` : sql`asc`;
  const clauses = [
    sql`select ${row} as r, ${place}::text as p from ${from}`,
    ...(where ? [sql`where ${where}`] : []),
    sql`order by ${place} ${direction}`,
    ...(limit ? [sql`fetch first (${limit}) rows with ties`] : []),
  ];
  return {
    rows: sql`coalesce(json_agg(b.r), '[]')::text`,
    place: sql`(array_agg(b.p))[count(*)]`,
    from: sql`(${joinSql(clauses, " ")}) b`,
  };
}
