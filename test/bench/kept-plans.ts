/**
 * Measures the plan of a frequent statement while its table grows: updates by primary key from 20 writers, on a table
 * of three pages without statistics. Compares a source of the engine, which prepares frequent statements again, with
 * the bare driver, which does not. Input: the URL of a database, in which a schema `kept_plans` is created and dropped.
 * Output: milliseconds per write for the first, second, third and fourth thousand writes of each writer, and the share
 * of all writes that read the whole table. `node --import tsx test/bench/kept-plans.ts URL`
 */
import pg from "pg";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";

const writers = 20;
const rows = 275;
const figures = 4;
/** Number of writes of each writer per figure. */
const writes = 1000;

const setup = `
  drop schema if exists kept_plans cascade;
  create schema kept_plans;
  create table kept_plans.artist (id integer primary key, name varchar(120)) with (autovacuum_enabled = false);
  insert into kept_plans.artist select i, 'the name of artist ' || i from generate_series(1, ${rows}) i`;

const name = "update";
const text = "update kept_plans.artist set name = $2 where id = $1::integer returning row_to_json(artist)::text";

/** A variant of writing: runs the statement with values. */
interface Writer {
  readonly write: (values: string[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

function throughSource(url: string): Writer {
  const info = { database_url: url, pool_settings: { max_connections: writers } };
  const source = openPostgres(resolvePostgresSettings("bench", info, { variables: {} }));
  return { write: (values) => source.executeAlone({}, { name, text }, values), close: () => source.close() };
}

function throughDriver(url: string): Writer {
  const pool = new pg.Pool({ connectionString: url, max: writers });
  return { write: (values) => pool.query({ name, text, values }), close: () => pool.end() };
}

async function measure(who: string, open: (url: string) => Writer, url: string): Promise<void> {
  const administrator = new pg.Client({ connectionString: url });
  await administrator.connect();
  await administrator.query(setup);
  await administrator.query("vacuum analyze kept_plans.artist");
  const { write, close } = open(url);
  const milliseconds: string[] = [];
  for (let figure = 0; figure < figures; figure++) {
    const began = performance.now();
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = 0; i < writes; i++) await write([String(1 + ((i * writers + writer) % rows)), `${who} ${i}`]);
      }),
    );
    milliseconds.push(((performance.now() - began) / (writers * writes)).toFixed(3));
  }
  // Statistics of a connection become visible to others when it has ended.
  await close();
  const { rows: counts } = await administrator.query(
    `select seq_scan::float / (seq_scan + idx_scan) as share, pg_relation_size(relid) / 8192 as pages
    from pg_stat_user_tables where relid = 'kept_plans.artist'::regclass`,
  );
  const { share, pages } = counts[0];
  console.log(
    `${who}: ${milliseconds.join(", ")} ms, whole table read by ${share.toFixed(2)} of all writes, ${pages} pages`,
  );
  await administrator.query("drop schema kept_plans cascade");
  await administrator.end();
}

for (let round = 0; round < 3; round++) {
  await measure("driver", throughDriver, process.argv[2] ?? "");
  await measure("source", throughSource, process.argv[2] ?? "");
}
