/** Selects the rows of a stream in PostgreSQL: a batch with ties, and the position of its last row as text. */
import type { StreamParts, StreamSql } from "../../definitions/dialect.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/**
 * Selects the batch. The position is the database's text format, which preserves microseconds and digits; NULL without
 * rows. Rows of equal value are in the order of their keys. Only the rows of the batch are sorted by them, so that an
 * index on the cursor column suffices.
 */
export function stream(parts: StreamParts, row: Sql): StreamSql {
  const { place, keys, descending, limit, from, where } = parts;
  const direction = descending ? sql`desc` : sql`asc`;
  const hasKeys = keys.length > 0;
  const values = keys.map((key, i) => sql`, ${key} as ${verbatim(`k${i + 1}`)}`);
  const clauses = [
    sql`select ${row} as r, ${hasKeys ? sql`${place} as v` : sql`${place}::text as p`}${joinSql(values, "")} from ${from}`,
    ...(where ? [sql`where ${where}`] : []),
    sql`order by ${place} ${direction}`,
    ...(limit ? [sql`fetch first (${limit}) rows with ties`] : []),
  ];
  const batch = sql`(${joinSql(clauses, " ")})`;
  if (!hasKeys) {
    return {
      rows: sql`coalesce(json_agg(b.r), '[]')::text`,
      position: [sql`(array_agg(b.p))[count(*)]`],
      from: sql`${batch} b`,
    };
  }
  const columns = ["v", ...keys.map((_, i) => `k${i + 1}`)].map((name) => verbatim(`i.${name}`));
  const texts = columns.map((column, i) => sql`, ${column}::text as ${verbatim(`p${i + 1}`)}`);
  const number = sql`row_number() over (order by ${joinSql(columns, ", ")})`;
  return {
    rows: sql`coalesce(json_agg(b.r order by b.n), '[]')::text`,
    position: columns.map((_, i) => sql`(array_agg(${verbatim(`b.p${i + 1}`)} order by b.n))[count(*)]`),
    from: sql`(select i.r, ${number} as n${joinSql(texts, "")} from ${batch} i) b`,
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
export function highWaterMark(places: readonly Sql[], from: Sql): Sql {
  const texts = places.map((place, i) => sql`${place}::text as ${verbatim(`p${i + 1}`)}`);
  const order = places.map((place) => sql`${place} desc`);
  const last = sql`
    select ${joinSql(texts, ", ")} from ${from} where ${joinSql(places.slice(0, 1), "")} is not null
    order by ${joinSql(order, ", ")} limit 1`;
  const position = joinSql(
    places.map((_, i) => verbatim(`m.p${i + 1}`)),
    ", ",
  );
  const open = sql`
    select l.virtualtransaction as id from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_catalog.pg_backend_pid() and a.usesysid is not null
      and a.datname = pg_catalog.current_database()
    union all
    select transaction::text from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database()`;
  return sql`
    select ${position}, l.ids
    from (select coalesce(json_agg(o.id), '[]')::text as ids from (${open}) o) l left join (${last}) m on true`;
}
