/** A database whose event log has many finished events, as one table or partitioned by time. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { openPostgres } from "../../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../../runtime/databases/sources/postgres/settings.ts";
import type { CallResult } from "../../../runtime/jobs/delivery/queue.ts";
import { postgresCatalogMigrations } from "../../../runtime/jobs/events/postgres/catalog-migrations.ts";
import { EventQueue } from "../../../runtime/jobs/events/queue.ts";

export const days = 30;
/** Triggers of the finished events, with equal shares. */
export const lanes = ["t0", "t1", "t2", "t3"];

export interface EventLog {
  readonly client: pg.Client;
  readonly url: string;
  close(): Promise<void>;
}

const name = "bench_event_log";

/** Creates the database with `rows` delivered events of the last 30 days. Each tenth has an invocation. */
export async function createEventLog(server: string, rows: number, isPartitioned = false): Promise<EventLog> {
  await onServer(server, `drop database if exists ${name} with (force)`);
  await onServer(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create schema engine_catalog; ${postgresCatalogMigrations.join(";")}`);
  if (isPartitioned) await client.query(partitioning);
  const indexes = await dropIndexes(client);
  for (let done = 0; done < rows; done += chunk) await client.query(finished(done, Math.min(rows, done + chunk), rows));
  for (const text of indexes) await client.query(text);
  await client.query("vacuum analyze");
  return {
    client,
    url,
    close: async () => {
      await client.end();
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const chunk = 1_000_000;

/** The same columns and indexes, partitioned by day. Unique keys of partitioned tables contain the partition key. */
const partitioning = `
  alter table engine_catalog.event_log rename to event_log_before;
  create table engine_catalog.event_log (like engine_catalog.event_log_before including defaults,
    primary key (id, created_at)) partition by range (created_at);
  do $$
  declare
    definition text;
  begin
    for definition in
      select indexdef from pg_indexes where tablename = 'event_log_before' and indexdef not like '%UNIQUE%'
    loop
      execute replace(replace(definition, 'event_log_before', 'event_log'), 'INDEX event_log', 'INDEX part_event_log');
    end loop;
    for day in 0..${days} loop
      execute format('create table engine_catalog.event_log_%s partition of engine_catalog.event_log
        for values from (%L) to (%L)', day, current_date - day, current_date - day + 1);
    end loop;
  end
  $$;
  create table engine_catalog.event_log_rest partition of engine_catalog.event_log default;
  drop table engine_catalog.event_log_before;`;

/** Drops the indexes of the event log for a faster load. @returns the statements that create them again */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query(`
    select i.indexname, i.indexdef from pg_indexes i join pg_class c on c.relname = i.indexname
    where i.tablename = 'event_log' and i.indexname !~ '_pkey[0-9]*$' and not c.relispartition`);
  for (const { indexname } of rows) await client.query(`drop index engine_catalog.${indexname}`);
  return rows.map(({ indexdef }) => indexdef.replace(" ON ONLY ", " ON "));
}

const payload = (id: string): string => `jsonb_build_object('op', 'INSERT', 'data', jsonb_build_object('old', null,
  'new', jsonb_build_object('id', ${id}, 'title', 'title of row ' || ${id}, 'note', repeat('note ', 20))))`;

/** Returns the INSERT of events with numbers in a range of all. */
const finished = (from: number, to: number, all: number): string => `
  with added as (
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, created_at, delivered, tries)
    select 'public', 'item', 't' || n % ${lanes.length}, ${payload("n")},
      (current_date + time '00:00') - (1 - n::float8 / ${all}) * interval '${days} days', true, 1
    from generate_series(${from + 1}, ${to}) n
    returning id, trigger_name, created_at, payload
  )
  insert into engine_catalog.event_invocation_logs (event_id, trigger_name, status, request, response, created_at)
  select id, trigger_name, 200, '{}', '{}', created_at from added where (payload #>> '{data,new,id}')::bigint % 10 = 0`;

/** Adds pending events of trigger `pending`. */
export async function addPending(client: pg.Client, count: number, retryIn?: string): Promise<void> {
  await client.query(`
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, next_retry_at)
    select 'public', 'item', 'pending', ${payload("n")}, (now() at time zone 'utc') + ${
      retryIn === undefined ? "null" : `interval '${retryIn}'`
    } from generate_series(1, ${count}) n`);
}

/** Claims and ends events of trigger `pending` in batches of a hundred. @returns events per second */
export async function drain(url: string, count: number): Promise<number> {
  const source = openPostgres(resolvePostgresSettings("default", { database_url: url }, { variables: {} }));
  const queue = new EventQueue({
    kind: "postgres",
    database: source,
    orderOf: () => undefined,
    onUnpackFailure: (error) => {
      throw error;
    },
  });
  const me = randomUUID();
  await queue.instances.enter(me);
  try {
    const began = performance.now();
    for (let done = 0; done < count; ) {
      const { calls } = await queue.take(me, [{ lane: "pending", count: 100 }], 100);
      if (calls.length === 0) throw new Error(`only ${done} of ${count} events were found`);
      await queue.finish(
        calls.map(({ id, lane, instance }): CallResult => ({ id, lane, instance, state: "delivered", log })),
      );
      done += calls.length;
    }
    return (count / (performance.now() - began)) * 1000;
  } finally {
    await queue.instances.leave([me]);
    await source.close();
  }
}

const log = { status: 200, request: '{"payload":{}}', response: '{"data":{}}' };
