/** Three servers behind HAProxy, as users run them, under load: one is replaced, one is killed, one is frozen. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type EngineProcess, startEngine } from "../../support/engine-process.ts";
import { type Balancer, haproxyIsMissing, startHaproxy } from "../../support/haproxy.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const user = { "x-engine-role": "user" };

interface Sent {
  readonly id: number | undefined;
  readonly begun: number;
  readonly ended: number;
  readonly server: string | null;
  readonly answer: string;
  readonly isGood: boolean;
}

let source: TestDatabase;
let metadata: TestDatabase;
let hook: WebhookReceiver;
let balancer: Balancer;
const engines: EngineProcess[] = [];

const start = (port = 0): Promise<EngineProcess> =>
  startEngine({
    ENGINE_GRAPHQL_DATABASE_URL: source.url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_SERVER_PORT: String(port),
    ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: "20",
    HOOK: hook.url,
  });

const engine = (i: number): EngineProcess => {
  const found = engines[i];
  if (!found) throw new Error("there are three");
  return found;
};

const metadataOf = async (server: EngineProcess, type: string, args: unknown): Promise<void> => {
  const answer = await fetch(`${server.url}/v1/metadata`, { method: "POST", body: JSON.stringify({ type, args }) });
  expect(await answer.json()).toMatchObject({ message: "success" });
};

const stateOf = async (name: string): Promise<string | undefined> => {
  const lines = (await balancer.command("show stat")).split("\n").map((line) => line.split(","));
  const column = lines[0]?.indexOf("status") ?? -1;
  return lines.find(([proxy, server]) => proxy === "engines" && server === name)?.[column];
};

let nextId = 1;

/** Sends reads and writes until it is stopped. */
function load(): { readonly sent: Sent[]; over(): Promise<void> } {
  const sent: Sent[] = [];
  let isOver = false;
  const one = async (writes: boolean): Promise<void> => {
    while (!isOver) {
      const id = writes ? nextId++ : undefined;
      const text = writes ? `mutation { insert_note_one(object: {id: ${id}}) { id } }` : "{ kept { text } }";
      const begun = performance.now();
      const body = JSON.stringify({ query: text });
      const said = await fetch(`${balancer.url}/v1/graphql`, { method: "POST", headers: user, body }).then(
        async (response) => ({ server: response.headers.get("x-served-by"), answer: await response.text() }),
        (error) => ({ server: null, answer: String(error) }),
      );
      sent.push({ id, begun, ended: performance.now(), ...said, isGood: said.answer.startsWith('{"data":{') });
      await delay(5);
    }
  };
  const clients = [true, true, true, false, false, false].map(one);
  return {
    sent,
    async over() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** Checks that every successful mutation took effect once, and every failed mutation at most once. */
async function checkWrites(sent: readonly Sent[]): Promise<void> {
  const rows = (await query(source.url, "select id, count(*)::int as count from note group by id")) as {
    id: number;
    count: number;
  }[];
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  expect(rows.filter(({ count }) => count > 1)).toEqual([]);
  const lost = sent.filter(({ id, isGood }) => id !== undefined && isGood && counts.get(id) !== 1);
  expect(lost).toEqual([]);
}

const failed = (sent: readonly Sent[]): readonly Sent[] => sent.filter(({ isGood }) => !isGood);

describe.skipIf(haproxyIsMissing)("Three servers behind a load balancer", () => {
  beforeAll(async () => {
    await ensureBuilt();
    [source, metadata] = [await createDatabase("fleet"), await createDatabase("fleet_metadata")];
    await query(
      source.url,
      `create table note (id integer not null); create table kept (text text); insert into kept values ('kept');
       create table made (id integer primary key)`,
    );
    hook = await startWebhookReceiver((response) => void setTimeout(() => response.end(), 300));
    engines.push(await start());
    const all = { columns: "*", filter: {} };
    const table = (name: string, more: object = {}) => ({ table: { schema: "public", name }, ...more });
    await metadataOf(engine(0), "replace_metadata", {
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
          tables: [
            table("kept", { select_permissions: [{ role: "user", permission: all }] }),
            table("note", {
              select_permissions: [{ role: "user", permission: all }],
              insert_permissions: [{ role: "user", permission: { columns: "*", check: {} } }],
            }),
            table("made", {
              event_triggers: [
                {
                  name: "made",
                  definition: { insert: { columns: "*" } },
                  retry_conf: { num_retries: 3, interval_sec: 1, timeout_sec: 60 },
                  webhook: "{{HOOK}}",
                },
              ],
            }),
          ],
        },
      ],
    });
    engines.push(...(await Promise.all([start(), start()])));
    balancer = await startHaproxy(engines.map(({ port }) => port));
    const isUp = async (i: number) => expect(await stateOf(`engine-${i}`)).toBe("UP");
    await vi.waitFor(() => Promise.all([1, 2, 3].map(isUp)), 20_000);
  }, 180_000);

  afterAll(async () => {
    await balancer?.close();
    for (const { child, ended } of engines) {
      child.kill("SIGKILL");
      await ended;
    }
    await hook?.close();
    await Promise.all([source?.drop(), metadata?.drop()]);
  }, 60_000);

  it("Replacing a server behind the load balancer loses no request", async () => {
    const running = load();
    await expect.poll(() => running.sent.length, { timeout: 30_000 }).toBeGreaterThan(100);
    const old = engine(0);
    await balancer.command("set server engines/engine-1 state drain");
    // Requests that HAProxy accepted earlier may still be on their way to the server.
    await expect.poll(() => sessionsOf("engine-1"), { timeout: 20_000 }).toBe("0");
    old.child.kill("SIGTERM");
    expect((await old.ended).code).toBe(0);
    engines[0] = await start(old.port);
    await balancer.command("set server engines/engine-1 state ready");
    const ready = performance.now();
    const served = () => running.sent.some(({ begun, server }) => begun > ready && server === "engine-1");
    await expect.poll(served, { timeout: 30_000 }).toBe(true);
    await running.over();
    expect(failed(running.sent)).toEqual([]);
    await checkWrites(running.sent);
  }, 120_000);

  it("Killing a server loses only its requests in progress and repeats no mutation", async () => {
    const running = load();
    await expect.poll(() => running.sent.length, { timeout: 30_000 }).toBeGreaterThan(100);
    const { child, port } = engine(1);
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    const killed = performance.now();
    const after = () => running.sent.filter(({ begun, isGood }) => begun > killed && isGood).length;
    await expect.poll(after, { timeout: 30_000 }).toBeGreaterThan(100);
    await running.over();
    for (const { begun, id, answer } of failed(running.sent)) {
      expect(begun, `${id} ${answer}`).toBeLessThan(killed);
    }
    // At most one request per client fails.
    expect(failed(running.sent).length).toBeLessThanOrEqual(6);
    await checkWrites(running.sent);
    engines[1] = await start(port);
    await expect.poll(() => stateOf("engine-2"), { timeout: 20_000 }).toBe("UP");
  }, 120_000);

  it("No server responds under a permission that was revoked while one of them was suspended", async () => {
    const running = load();
    await expect.poll(() => running.sent.length, { timeout: 30_000 }).toBeGreaterThan(50);
    const frozen = engine(2);
    frozen.child.kill("SIGSTOP");
    const stopped = delay(30_000);
    // Some of these requests arrive before the balancer detects the failure, and some bypass the balancer.
    const waiting = Array.from({ length: 5 }, () =>
      fetch(`${frozen.url}/v1/graphql`, { method: "POST", headers: user, body: '{"query":"{ kept { text } }"}' }),
    );
    await expect.poll(() => stateOf("engine-3"), { timeout: 20_000 }).toMatch(/^DOWN/);
    await metadataOf(engine(0), "pg_drop_select_permission", { table: "kept", role: "user" });
    const refuses = async () => {
      const body = '{"query":"{ kept { text } }"}';
      const others = [engine(0), engine(1)].map(({ url }) =>
        fetch(`${url}/v1/graphql`, { method: "POST", headers: user, body }).then((answer) => answer.text()),
      );
      return (await Promise.all(others)).every((text) => text.includes("field 'kept' not found"));
    };
    await expect.poll(refuses, { timeout: 20_000 }).toBe(true);
    const revoked = performance.now();
    await stopped;
    frozen.child.kill("SIGCONT");
    for (const answer of await Promise.all(waiting)) expect(await answer.text()).toContain("field 'kept' not found");
    const servesAgain = () => running.sent.some(({ begun, server }) => begun > revoked && server === "engine-3");
    await expect.poll(servesAgain, { timeout: 30_000 }).toBe(true);
    await running.over();
    const reads = running.sent.filter(({ id }) => id === undefined);
    expect(reads.some(({ isGood }) => isGood)).toBe(true);
    // A server that was not suspended may still send responses that it has begun.
    const late = reads.filter(({ begun, ended, server }) => (server === "engine-3" ? ended : begun) > revoked);
    expect(late.filter(({ isGood }) => isGood)).toEqual([]);
    await checkWrites(running.sent);
  }, 120_000);

  it("Every event is delivered while a server is suspended, and delivered events are not repeated", async () => {
    const states = async () =>
      (
        await query(
          source.url,
          `select count(*) filter (where delivered)::int as delivered, count(*) filter (where error)::int as failed
           from engine_catalog.event_log`,
        )
      )[0];
    const [frozen, ...others] = [engine(2), engine(0), engine(1)];
    for (const { child } of others) child.kill("SIGSTOP");
    const count = 600;
    await query(source.url, `insert into made select n from generate_series(1, ${count}) n`);
    const held = "select 1 from engine_catalog.event_log where locked is not null limit 1";
    await expect.poll(() => query(source.url, held), { timeout: 20_000, interval: 20 }).toHaveLength(1);
    frozen.child.kill("SIGSTOP");
    for (const { child } of others) child.kill("SIGCONT");
    await expect.poll(states, { timeout: 60_000 }).toEqual({ delivered: count, failed: 0 });
    frozen.child.kill("SIGCONT");
    // Waits until the instance serves again and has finished its pending work.
    const serves = () => fetch(`${frozen.url}/readyz`).then(({ status }) => status);
    await expect.poll(serves, { timeout: 20_000 }).toBe(200);
    await query(source.url, "insert into made values (0)");
    await expect.poll(states, { timeout: 30_000 }).toEqual({ delivered: count + 1, failed: 0 });
    const ids = hook.received.map(({ body }): number => JSON.parse(body).event.data.new.id);
    expect(new Set(ids).size).toBe(count + 1);
    // Only requests that the frozen instance had in progress may have been sent twice.
    expect(ids.length - (count + 1)).toBeLessThanOrEqual(100);
  }, 150_000);
});

async function sessionsOf(name: string): Promise<string | undefined> {
  const lines = (await balancer.command("show stat")).split("\n").map((line) => line.split(","));
  const column = lines[0]?.indexOf("scur") ?? -1;
  return lines.find(([proxy, server]) => proxy === "engines" && server === name)?.[column];
}
