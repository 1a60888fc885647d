/**
 * The law of event order: for any concurrent writes and any responses of webhooks, the events of a key are delivered in
 * order.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import { EventDelivery } from "../../runtime/jobs/events/event-delivery.ts";
import type { EventTriggerDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { defaultOutboundRules } from "../../runtime/values/outbound-rules.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { createEventDatabase } from "../support/event-source.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createEventDatabase("event_order");
  // Each row is a counter: its value is the position of a write in the commit order of the row's transactions. The rows
  // share two ordering keys, so that several transactions of one key can be open at once.
  await query(
    database.url,
    `create table counter (id integer primary key, value integer not null);
    create function record_counter() returns trigger language plpgsql as $$ begin
      insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordering_key, ordering_number)
        values ('public', 'counter', 't', jsonb_build_object('op', 'UPDATE', 'data', jsonb_build_object('new', to_jsonb(new))),
          '[' || new.id % 2 || ']', nextval('engine_catalog.event_ordering'));
      return null;
    end $$;
    create trigger record_counter after update on counter for each row execute function record_counter();
    insert into counter select id, 0 from generate_series(1, 6) id`,
  );
});
afterAll(() => database.drop());

const options = {
  outboundAllow: defaultOutboundRules,
  eventsHttpPoolSize: 10,
  eventsFetchIntervalMilliseconds: 100,
  eventsFetchBatchSize: 10,
  eventsStoredResponseBytes: 100,
  redactEventTriggerLogs: false,
  enableTriggersErrorLogLevel: false,
  gracefulShutdownTimeoutSeconds: 10,
};

const level = fc.constantFrom("read committed", "repeatable read");
/** The writes of one transaction, how long it stays open, and whether it is rolled back. */
const transaction = fc.record({
  level,
  rows: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
  milliseconds: fc.integer({ min: 0, max: 15 }),
  isUndone: fc.boolean(),
  savepoint: fc.boolean(),
});
const run = fc.record({
  writers: fc.array(fc.array(transaction, { maxLength: 6 }), { minLength: 2, maxLength: 4 }),
  failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
});

type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

/** Runs the transactions one after another, and returns the number of committed changes. */
async function write(transactions: readonly Transaction[]): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let committed = 0;
  try {
    for (const { level: isolation, rows, milliseconds, isUndone, savepoint } of transactions) {
      try {
        await client.query(`begin isolation level ${isolation}`);
        if (savepoint) await client.query("savepoint inner_one");
        // Locks rows in order, so that transactions cannot deadlock.
        for (const row of [...rows].sort()) {
          await client.query("update counter set value = value + 1 where id = $1", [row]);
          await client.query("select pg_sleep($1)", [milliseconds / 1000]);
        }
        await client.query(isUndone ? "rollback" : "commit");
        committed += isUndone ? 0 : rows.length;
      } catch {
        await client.query("rollback"); // a concurrent transaction changed the row first
      }
    }
  } finally {
    await client.end();
  }
  return committed;
}

const trigger = (url: string): EventTriggerDefinition => ({
  source: "default",
  name: "t",
  table: { schema: "public", name: "counter" },
  manual: false,
  webhook: { url: { template: url }, headers: [], retry: { retries: 50, intervalSeconds: 0.05, timeoutSeconds: 5 } },
  ordering: { onError: "continue" },
  recorders: [],
});

it("Ordered events of a key are delivered one at a time in commit order, and retries keep the order", async () => {
  await fc.assert(
    fc.asyncProperty(run, async ({ writers, failures }) => {
      await query(
        database.url,
        "truncate engine_catalog.event_log; update counter set value = 0; truncate engine_catalog.event_log",
      );
      const delivered: { readonly event: string; readonly row: number; readonly value: number }[] = [];
      const inProgress = new Set<number>();
      const together: number[] = [];
      let calls = 0;
      const hook = await startWebhookReceiver((response, { body }) => {
        const { id: event, event: recorded } = JSON.parse(body);
        const { id: row, value } = recorded.data.new;
        const key = row % 2;
        if (inProgress.has(key)) together.push(key);
        inProgress.add(key);
        setTimeout(() => {
          inProgress.delete(key);
          if (failures[calls++ % (failures.length + 1)]) response.writeHead(500).end();
          else {
            delivered.push({ event, row, value });
            response.end();
          }
        }, 2);
      });
      const sources = [1, 2].map(() =>
        openPostgres(resolvePostgresSettings("default", { database_url: database.url }, { variables: {} })),
      );
      const instances = sources.map((source) => {
        const delivery = new EventDelivery({
          options,
          environment: {},
          version: "1",
          log: createLog({ logLevel: "error", enabledLogTypes: new Set() }, { write: () => undefined }),
          uncheckedHosts: () => [],
        });
        delivery.setSources([{ kind: "postgres", database: source, triggers: [trigger(hook.url)] }]);
        return delivery;
      });
      try {
        const committed = (await Promise.all(writers.map(write))).reduce((sum, count) => sum + count, 0);
        const done = "select from engine_catalog.event_log where delivered";
        await expect.poll(() => query(database.url, done), { timeout: 15_000 }).toHaveLength(committed);
        expect(together).toEqual([]);
        for (const key of [0, 1]) {
          const order = delivered.filter(({ row }) => row % 2 === key).map(({ event }) => event);
          const numbered = await query(
            database.url,
            `select id from engine_catalog.event_log where ordering_key = '[${key}]' order by ordering_number`,
          );
          expect(order).toEqual(numbered.map(({ id }) => id));
        }
        for (let row = 1; row <= 6; row++) {
          const values = delivered.filter((each) => each.row === row).map(({ value }) => value);
          expect(values).toEqual(values.map((_, i) => i + 1));
        }
      } finally {
        await Promise.all(instances.map((instance) => instance.stop(2000)));
        await Promise.all(sources.map((source) => source.close()));
        await hook.close();
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 180_000);
