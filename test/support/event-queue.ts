/** A queue of events in PostgreSQL for tests of leases. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import type { CallResult } from "../../runtime/jobs/delivery/queue.ts";
import { type EventOrder, EventQueue, type QueuedEvent } from "../../runtime/jobs/events/queue.ts";
import { query, type TestDatabase } from "./database.ts";
import { createEventDatabase, eventsFrom } from "./event-source.ts";

export let database: TestDatabase;
export let source: DatabaseSource;
export let queue: EventQueue;
/** Id of an instance that is registered in the queue. */
export let me: string;
/** Orders of ordered triggers. */
export let orders: Map<string, EventOrder>;

/** Creates a database for the tests of the calling file, and an empty queue for each test. */
export function useEventQueue(): void {
  beforeAll(async () => {
    database = await createEventDatabase("event_queue");
    source = openPostgres(resolvePostgresSettings("default", { database_url: database.url }, { variables: {} }));
  });
  afterAll(async () => {
    await source.close();
    await database.drop();
  });
  beforeEach(async () => {
    orders = new Map();
    queue = newQueue();
    me = randomUUID();
    await queue.instances.enter(me);
  });
  afterEach(async () => {
    const tables = ["event_log", "packed_events", "event_invocation_logs", "engine_instances"];
    await sql(`truncate ${tables.map((table) => `engine_catalog.${table}`).join(", ")}`);
  });
}

/** Returns another queue on the same database. */
export const newQueue = (): EventQueue =>
  new EventQueue({
    kind: "postgres",
    database: source,
    orderOf: (trigger) => orders.get(trigger),
    onUnpackFailure: (error) => {
      throw error;
    },
  });

export const sql = (text: string) => query(database.url, text);

export const add = (count: number, trigger = "t") =>
  sql(eventsFrom(`select n from generate_series(1, ${count}) n`, trigger));

/** Claims events. @param counts number of events by trigger */
export async function take(counts: Record<string, number>, instance = me, most = 1000) {
  const shares = Object.entries(counts).map(([lane, count]) => ({ lane, count }));
  return await queue.take(instance, shares, most);
}

/** Returns the row numbers of events. */
export const numbers = (calls: readonly QueuedEvent[]) =>
  calls.map(({ payload }) => Number(JSON.parse(payload).data.new.n)).sort((a, b) => a - b);

export const log = { status: 200, request: '{"payload":12345678901234567890}', response: "{}" };

export const result = ({ id, lane, instance }: QueuedEvent, changed: Partial<CallResult> = {}): CallResult => ({
  id,
  lane,
  instance,
  state: "delivered",
  log,
  ...changed,
});
