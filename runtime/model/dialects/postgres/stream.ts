/** Selects the rows of a stream in PostgreSQL: a batch with ties, and the position of its last row as text. */
import type { StreamParts, StreamSql } from "../../definitions/dialect.ts";
import { joinSql, type Sql, sql } from "../../definitions/sql.ts";

/**
 * Selects the batch. The position is the database's text format, which preserves microseconds and digits; NULL without
 * rows.
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

/**
 * Keywords of dates and times that depend on the clock
 * (https://www.postgresql.org/docs/current/datatype-datetime.html, "Special Values"). Evaluating other texts that contain
 * such a keyword is harmless.
 */
export const relative = {
  isRelative: (text: string): boolean => /now|today|tomorrow|yesterday/i.test(text),
  now: (operand: Sql): Sql => sql`(${operand})::text`,
};

/**
 * Selects the last position and the open transactions, which bound a stream. `pg_locks` is read after the statement's
 * snapshot was taken: a transaction whose rows the snapshot does not contain has either ended, so that a later statement
 * sees its rows, or is in the list. Each transaction locks its virtual id before it writes. Prepared transactions have no
 * connection; background processes such as vacuum have no user.
 */
export function highWaterMark(place: Sql, from: Sql): Sql {
  const last = sql`select ${place}::text from ${from} where ${place} is not null order by ${place} desc limit 1`;
  const open = sql`
    select l.virtualtransaction as id from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_catalog.pg_backend_pid() and a.usesysid is not null
      and a.datname = pg_catalog.current_database()
    union all
    select transaction::text from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database()`;
  return sql`select (${last}), (select coalesce(json_agg(o.id), '[]')::text from (${open}) o)`;
}
