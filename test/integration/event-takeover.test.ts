/** Complete servers: one is killed with events in progress, and another one delivers them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let database: TestDatabase;
let metadata: TestDatabase;
let hook: WebhookReceiver;
/** Calls without a response so far. */
let held: (() => void)[];
let isHolding: boolean;
const engines: EngineProcess[] = [];

beforeEach(async () => {
  await ensureBuilt();
  [database, metadata] = [await createDatabase("takeover"), await createDatabase("takeover_metadata")];
  await query(database.url, "create table item (id integer primary key)");
  [held, isHolding] = [[], true];
  hook = await startWebhookReceiver((response) => {
    if (isHolding) held.push(() => response.end());
    else response.end();
  });
}, 120_000);

afterEach(async () => {
  for (const { child } of engines.splice(0)) child.kill("SIGKILL");
  await hook.close();
  await Promise.all([database.drop(), metadata.drop()]);
});

async function start(): Promise<EngineProcess> {
  const engine = await startEngine({
    ENGINE_GRAPHQL_DATABASE_URL: database.url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
    WEBHOOK: hook.url,
  });
  engines.push(engine);
  return engine;
}

async function post(engine: EngineProcess, type: string, args: object): Promise<unknown> {
  const answer = await fetch(`${engine.url}/v1/metadata`, { method: "POST", body: JSON.stringify({ type, args }) });
  const json: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(JSON.stringify(json));
  return json;
}

const states = async () => {
  const [row] = await query(
    database.url,
    `select count(*) filter (where delivered)::integer as delivered, count(*) filter (where locked is not null)::integer
      as locked from engine_catalog.event_log`,
  );
  return row;
};

async function startWithTrigger(): Promise<EngineProcess> {
  const engine = await start();
  const table = { schema: "public", name: "item" };
  await post(engine, "pg_track_table", { source: "default", table });
  const webhook = { webhook_from_env: "WEBHOOK", retry_conf: { num_retries: 0, interval_sec: 1, timeout_sec: 60 } };
  const args = { source: "default", name: "made", table, insert: { columns: "*" }, ...webhook };
  await post(engine, "pg_create_event_trigger", args);
  return engine;
}

it("Another instance delivers the events of a killed one within ten seconds and repeats no committed event", async () => {
  const engine = await startWithTrigger();
  isHolding = false;
  await query(database.url, "insert into item select n from generate_series(1, 20) n");
  await expect.poll(states, { timeout: 10_000 }).toEqual({ delivered: 20, locked: 0 });
  isHolding = true;
  await query(database.url, "insert into item select n from generate_series(21, 30) n");
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(10);
  await start();
  engine.child.kill("SIGKILL");
  const killed = performance.now();
  isHolding = false;
  await expect.poll(states, { timeout: 15_000 }).toEqual({ delivered: 30, locked: 0 });
  const ids = hook.received.map(({ body }): number => JSON.parse(body).event.data.new.id);
  expect(ids.slice(30).sort((a, b) => a - b)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  for (const { at } of hook.received.slice(30)) expect(at - killed).toBeLessThan(10_000);
}, 90_000);

it("A terminated instance delivers its events in progress and releases the others", async () => {
  const engine = await startWithTrigger();
  await query(database.url, "insert into item select n from generate_series(1, 200) n");
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(80);
  engine.child.kill("SIGTERM");
  // The server leases no further events.
  await expect.poll(states, { timeout: 10_000 }).toEqual({ delivered: 0, locked: 80 });
  for (const release of held) release();
  expect((await engine.ended).code).toBe(0);
  expect(await states()).toEqual({ delivered: 80, locked: 0 });
  expect(await query(database.url, "select from engine_catalog.engine_instances")).toEqual([]);
}, 90_000);
