/** The cost of the statements on events does not depend on the number of finished events. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresCatalog } from "../../runtime/jobs/events/postgres/catalog.ts";
import { postgresCleanup, postgresLogs } from "../../runtime/jobs/events/postgres/logs.ts";
import { postgresQueue } from "../../runtime/jobs/events/postgres/queue.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { createEventDatabase } from "../support/event-source.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createEventDatabase("event_log_size");
  await query(
    database.url,
    `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, created_at, delivered, error,
       ordering_key, ordering_number)
     select 'public', 'item', 't' || n % 3, '{"op": "INSERT"}', (now() at time zone 'utc') - n * interval '1 minute',
       n > 30 and n % 100 > 0, n > 30 and n % 100 = 0, case n % 3 when 0 then n % 50 end, case n % 3 when 0 then n end
     from generate_series(1, 40000) n`,
  );
  await query(database.url, "vacuum analyze engine_catalog.event_log");
});

afterAll(() => database.drop());

const instance = randomUUID();
const { list } = postgresQueue;
const triggers = list(["t0", "t1"]);
const counts = list(["10", "10"]);
const names = JSON.stringify(["t0", "t1"]);
const page = ["t1", "20", "0"];
const range = [null, null];
const results = JSON.stringify([{ id: randomUUID(), instance, state: "delivered", wait: 0, attempts: 1 }]);

const { events, resetEvents } = postgresLogs;

const statements: Readonly<Record<string, readonly [string, readonly (string | null)[]]>> = {
  take: [postgresQueue.take, [instance, triggers, counts, "20", list(["-infinity", "-infinity"])]],
  takeOrdered: [
    String(postgresQueue.takeOrdered),
    [instance, triggers, counts, list(["", ""]), list(["true", "false"]), "500"],
  ],
  finish: [postgresQueue.finish, [results]],
  wait: [postgresQueue.wait, [instance, triggers]],
  free: [postgresQueue.free, [list([instance])]],
  release: [postgresQueue.release, [instance, list([])]],
  freeStale: [postgresQueue.freeStale, []],
  clearOrder: [String(postgresQueue.clearOrder), [triggers]],
  backlog: [postgresQueue.backlog, [triggers, "100000"]],
  archiveOthers: [postgresCatalog.archiveOthers, [names]],
  resetEvent: [postgresLogs.resetEvent, [randomUUID(), "true"]],
  "resetEvents.error": [resetEvents.error, ["t1", ...range, null, null, "10", "true"]],
  failedCounts: [postgresLogs.failedCounts, [names, ...range, "100"]],
  ...Object.fromEntries(Object.entries(events).map(([name, text]) => [`events.${name}`, [text, [...page, ...range]]])),
  deleteEvents: [postgresCleanup.deleteEvents, ["t1", "24", "10", null]],
};

describe("Statements on a log with many finished events", () => {
  it.each(Object.entries(statements))(
    "The statement reads only the rows that it needs: %s",
    async (_, [text, values]) => {
      const rows = await query(database.url, `explain (costs off) ${text}`, values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toContain("event_log");
      expect(plan).not.toMatch(/Seq Scan on event_log/);
    },
  );
});
