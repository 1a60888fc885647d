/** The rows of a stream, in PostgreSQL: a batch with ties, and the place of its last row as text. */
import type { StreamParts, StreamSql } from "../../definitions/dialect.ts";
import { joinSql, type Sql, sql } from "../../definitions/sql.ts";

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

/**
 * The words by which input of dates and times depends on the clock
 * (https://www.postgresql.org/docs/current/datatype-datetime.html, "Special Values"). Other texts that hold one of them
 * are evaluated to no harm.
 */
export const relative = {
  isRelative: (text: string): boolean => /now|today|tomorrow|yesterday/i.test(text),
  now: (operand: Sql): Sql => sql`(${operand})::text`,
};

/**
 * `pg_locks` is read after the snapshot of the statement was taken: a transaction whose rows the statement cannot see
 * has either ended by then, so that a later statement sees them, or is in the list. Every transaction holds a lock on
 * its own number from its beginning, before it writes anything; a prepared one has no connection any more. Vacuuming and
 * other background work has no user.
 */
export function frontier(place: Sql, from: Sql): Sql {
  const last = sql`select ${place}::text from ${from} where ${place} is not null order by ${place} desc limit 1`;
  const open = sql`
    select l.virtualtransaction as id from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_catalog.pg_backend_pid() and a.usesysid is not null
      and a.datname = pg_catalog.current_database()
    union all
    select transaction::text from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database()`;
  return sql`select (${last}), (select coalesce(json_agg(o.id), '[]')::text from (${open}) o)`;
}
