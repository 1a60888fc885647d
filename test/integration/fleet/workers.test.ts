/** `engine start --workers 2` as users run it: several processes act as one server. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type EngineProcess, startEngine } from "../../support/engine-process.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { WebsocketClient } from "../../support/websocket.ts";
import { pidOf, WorkerConnection, workerOf } from "../../support/worker-connections.ts";

const user = { "x-engine-role": "user" };
const all = { columns: "*", filter: {} };
const success = { message: "success" };

let source: TestDatabase;
let metadata: TestDatabase;
let hook: WebhookReceiver;
let server: EngineProcess;
/** Connections to the workers, by number. */
let one: WorkerConnection;
let two: WorkerConnection;
const opened: WorkerConnection[] = [];

function open(): WorkerConnection {
  const connection = new WorkerConnection(server.url);
  opened.push(connection);
  return connection;
}

/** Opens connections to both workers, the first one to worker 1. */
async function openBoth(): Promise<readonly [WorkerConnection, WorkerConnection]> {
  const found = new Map<number, WorkerConnection>();
  for (let tries = 0; found.size < 2; tries++) {
    if (tries > 20) throw new Error("all connections lead to one worker");
    const connection = open();
    found.set(await workerOf(server, connection), connection);
  }
  const [first, second] = [found.get(1), found.get(2)];
  if (!first || !second) throw new Error("there are two");
  return [first, second];
}

async function version(connection: WorkerConnection): Promise<number> {
  const { text } = await connection.send("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
  return (JSON.parse(text) as { readonly resource_version: number }).resource_version;
}

async function change(connection: WorkerConnection, type: string, args: unknown): Promise<void> {
  expect(await connection.metadata(type, args)).toMatchObject(success);
}

async function metric(connection: WorkerConnection, name: string): Promise<number> {
  const { text } = await connection.send("/v1/metrics", undefined);
  const lines = text.split("\n").filter((line) => line.startsWith(`engine_${name}`));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

beforeAll(async () => {
  await ensureBuilt();
  [source, metadata] = [await createDatabase("workers"), await createDatabase("workers_metadata")];
  await query(
    source.url,
    `create table note (id serial primary key, text text); insert into note (text) values ('kept');
     create table made (id integer primary key);
     create function slowly() returns setof note language sql volatile as
       $$ select note.* from note, pg_sleep(1.5) where text = 'kept' limit 1 $$`,
  );
  hook = await startWebhookReceiver();
  server = await startEngine({
    ENGINE_GRAPHQL_DATABASE_URL: source.url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
    ENGINE_GRAPHQL_WORKERS: "2",
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,config,metrics",
    ENGINE_GRAPHQL_SERVER_TIMEOUT: "2",
    HOOK: hook.url,
  });
  [one, two] = await openBoth();
  for (const table of ["note", "made"]) await change(one, "pg_track_table", { table });
  await change(two, "pg_track_function", { function: "slowly" });
  await change(one, "pg_create_insert_permission", {
    table: "note",
    role: "user",
    permission: { columns: "*", check: {} },
  });
  await change(two, "pg_create_select_permission", { table: "note", role: "user", permission: all });
}, 120_000);

afterEach(() => {
  for (const connection of opened.splice(0)) if (connection !== one && connection !== two) connection.close();
});

afterAll(async () => {
  one?.close();
  two?.close();
  server?.child.kill("SIGKILL");
  await server?.ended;
  await hook?.close();
  await Promise.all([source?.drop(), metadata?.drop()]);
}, 60_000);

describe("The instances of a server with workers", () => {
  it("get_instances lists each worker, with one id of the instance", async () => {
    const { text } = await one.send("/v1/metadata", { type: "get_instances", args: {} });
    const listed = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
    expect(listed.map(({ worker, workers, is_this }) => [worker, workers, is_this])).toEqual([
      [1, 2, true],
      [2, 2, false],
    ]);
    expect(new Set(listed.map((each) => each.instance_id)).size).toBe(1);
    expect(new Set(listed.map((each) => each.process_id)).size).toBe(2);
  });
});

describe("Two workers", () => {
  it("Two workers share the connections of one port evenly", async () => {
    const workers: number[] = [];
    for (let i = 0; i < 6; i++) workers.push(await workerOf(server, open()));
    expect(workers.filter((worker) => worker === 1)).toHaveLength(3);
  });

  it("A change at either worker is live on both before it is acknowledged, and counted once", async () => {
    const before = await version(one);
    for (const [changing, other] of [
      [one, two],
      [two, one],
    ] as const) {
      await change(changing, "pg_drop_select_permission", { table: "note", role: "user" });
      for (const each of [other, changing]) {
        expect(JSON.stringify(await each.graphql("{ note { text } }", user))).toContain("field 'note' not found");
      }
      await change(changing, "pg_create_select_permission", { table: "note", role: "user", permission: all });
      for (const each of [other, changing]) {
        expect(await each.graphql('{ note(where: {text: {_eq: "kept"}}) { text } }', user)).toEqual({
          data: { note: [{ text: "kept" }] },
        });
      }
    }
    expect([await version(one), await version(two)]).toEqual([before + 4, before + 4]);
  });

  it("Concurrent changes run one after the other without refusals", async () => {
    const before = await version(one);
    const roles = Array.from({ length: 8 }, (_, i) => `together_${i}`);
    const answers = await Promise.all(
      roles.map((role, i) =>
        new WorkerConnection(server.url)
          .metadata("pg_create_select_permission", { table: "note", role, permission: all })
          .then((answer) => [i, answer]),
      ),
    );
    expect(answers).toEqual(roles.map((_, i) => [i, success]));
    expect([await version(one), await version(two)]).toEqual([before + 8, before + 8]);
    for (const each of [one, two]) {
      for (const role of roles) {
        expect(await each.graphql("{ note { id } }", { "x-engine-role": role })).toHaveProperty("data.note");
      }
    }
  }, 60_000);

  it("Both workers follow database changes by migrations", async () => {
    await one.send("/v2/query", { type: "run_sql", args: { sql: "alter table note add column extra integer" } });
    for (const each of [two, one]) expect(await each.graphql("{ note { extra } }")).toHaveProperty("data.note");
    await two.send("/v2/query", { type: "run_sql", args: { sql: "alter table note drop column extra" } });
    for (const each of [one, two]) expect(await each.graphql("{ note { extra } }")).toHaveProperty("errors");
  });

  it("A refused change leaves both workers unchanged", async () => {
    const before = await version(one);
    expect(await one.metadata("pg_track_table", { table: "nowhere" })).toHaveProperty("error");
    expect(await two.metadata("pg_create_select_permission", { table: "note", role: "user", permission: all })).toEqual(
      expect.objectContaining({ code: "already-exists" }),
    );
    expect([await version(one), await version(two)]).toEqual([before, before]);
  });

  it("Either worker returns the summed metrics", async () => {
    const requests = "graphql_requests_total";
    const before = await metric(one, requests);
    for (let i = 0; i < 3; i++) await one.graphql("{ note { id } }");
    for (let i = 0; i < 4; i++) await two.graphql("{ note { id } }");
    expect([await metric(one, requests), await metric(two, requests)]).toEqual([before + 7, before + 7]);
    expect(await metric(two, "metadata_resource_version")).toBe(await version(one));
  });

  it("Both workers share one rate limit", async () => {
    const rate_limit = { global: { max_reqs_per_min: 6, unique_params: ["x-engine-user-id"] } };
    await change(two, "set_api_limits", { rate_limit });
    const kim = { ...user, "x-engine-user-id": "kim" };
    const answers: unknown[] = [];
    for (let i = 0; i < 10; i++) answers.push(await (i % 2 ? one : two).graphql("{ note { id } }", kim));
    await change(one, "remove_api_limits", {});
    const passed = answers.filter((answer) => JSON.stringify(answer).startsWith('{"data"'));
    expect(passed).toHaveLength(6);
    expect(JSON.stringify(answers.at(-1))).toContain("rate-limit-exceeded");
  });

  it("Both workers clear cached responses", async () => {
    const text = "query @cached(ttl: 60) { note { id } }";
    const seconds = async (connection: WorkerConnection) =>
      (await connection.send("/v1/graphql", { query: text })).headers["x-engine-query-cache-key"];
    const hits = 'cache_request_count{status="hit"}';
    for (const each of [one, one, two, two]) expect(await seconds(each)).toBeTypeOf("string");
    const before = await metric(one, hits);
    expect((await one.send("/pro/cache/clear", {})).status).toBe(200);
    for (const each of [one, two]) await seconds(each);
    expect(await metric(one, hits)).toBe(before);
    for (const each of [one, two]) await seconds(each);
    expect(await metric(one, hits)).toBe(before + 2);
  });

  it("Subscribers receive changes written through the other worker", async () => {
    const clients = await Promise.all(
      [1, 2].map(() => WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" })),
    );
    for (const client of clients) {
      client.send({ type: "connection_init", payload: { headers: user } });
      const text = 'subscription { note(where: {text: {_eq: "heard"}}) { text } }';
      client.send({ type: "subscribe", id: "1", payload: { query: text } });
    }
    const next = async (client: WebsocketClient): Promise<unknown> => {
      for (;;) {
        const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
        if (message.type === "next") return message.payload;
      }
    };
    for (const client of clients) expect(await next(client)).toEqual({ data: { note: [] } });
    await two.graphql('mutation { insert_note_one(object: {text: "heard"}) { id } }', user);
    for (const client of clients) {
      expect(await next(client)).toEqual({ data: { note: [{ text: "heard" }] } });
      client.ws.close();
    }
  });

  it("A worker closes connections whose request never completes", async () => {
    const silent = connect(server.port, "127.0.0.1");
    silent.write("GET /healthz HTTP/1.1\r\nhost: ");
    const [refusal] = await once(silent.setEncoding("utf8"), "data");
    expect(refusal).toMatch(/^HTTP\/1.1 408/);
    silent.destroy();
  });

  it("Each event is delivered once by one worker, and delivery continues after that worker is killed", async () => {
    const definition = { name: "made", table: "made", webhook: "{{HOOK}}", insert: { columns: "*" } };
    await change(two, "pg_create_event_trigger", definition);
    const delivered = async (): Promise<number> => {
      const text = "select count(*)::int as count from engine_catalog.event_log where delivered";
      return Number((await query(source.url, text))[0]?.count);
    };
    await query(source.url, "insert into made select n from generate_series(1, 200) n");
    await expect.poll(delivered, { timeout: 20_000 }).toBe(200);
    expect(hook.received).toHaveLength(200);
    const deliveries = server.log().filter((line) => line.includes('"type":"event-trigger"'));
    expect(new Set(deliveries.map((line) => JSON.parse(line).worker))).toEqual(new Set([1]));
    const pid = await pidOf(server, 1);
    process.kill(pid, "SIGKILL");
    await query(source.url, "insert into made select n from generate_series(201, 300) n");
    await expect.poll(delivered, { timeout: 30_000 }).toBe(300);
    await expect.poll(() => pidOf(server, 1), { timeout: 30_000 }).not.toBe(pid);
    one.close();
    [one, two] = await openBoth();
  }, 90_000);

  it("A killed worker loses only its requests in progress and is replaced with the current metadata", async () => {
    const requests = "graphql_requests_total";
    const before = await metric(one, requests);
    const sent: { readonly begun: number; readonly isGood: boolean }[] = [];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        // Each client opens a new connection after five requests.
        const connection = new WorkerConnection(server.url);
        for (let i = 0; i < 5 && !isOver; i++) {
          const begun = performance.now();
          const answer = await connection.graphql("{ note { text } }", user).catch(() => null);
          sent.push({ begun, isGood: JSON.stringify(answer).startsWith('{"data"') });
        }
        connection.close();
      }
    };
    const clients = Array.from({ length: 6 }, client);
    const enough = async (more: number): Promise<void> => {
      const until = sent.length + more;
      await expect.poll(() => sent.length, { timeout: 30_000 }).toBeGreaterThan(until);
    };
    await enough(100);
    const scraped = await metric(one, requests);
    const pid = await pidOf(server, 2);
    process.kill(pid, "SIGKILL");
    const killed = performance.now();
    await change(one, "pg_create_select_permission", { table: "note", role: "meanwhile", permission: all });
    await expect.poll(() => pidOf(server, 2), { timeout: 30_000 }).not.toBe(pid);
    await enough(100);
    isOver = true;
    await Promise.all(clients);
    const failed = sent.filter(({ isGood }) => !isGood);
    // Only requests that were sent before the client detected the dead worker may fail.
    for (const { begun } of failed) expect(begun).toBeLessThan(killed + 500);
    expect(failed.length).toBeLessThanOrEqual(6);
    two.close();
    [one, two] = await openBoth();
    for (const each of [two, one]) {
      expect(await each.graphql("{ note { id } }", { "x-engine-role": "meanwhile" })).toHaveProperty("data.note");
    }
    expect(scraped).toBeGreaterThan(before);
    expect(await metric(two, requests)).toBeGreaterThanOrEqual(scraped);
    const ended = server.log().find((line) => line.includes("worker 2 ended"));
    expect(JSON.parse(ended ?? "{}")).toMatchObject({
      level: "error",
      detail: { message: "worker 2 ended (signal SIGKILL); starting a replacement", worker: 2, signal: "SIGKILL" },
    });
  }, 90_000);

  it("Workers serve the same after an external database change, including a replacement", async () => {
    await query(source.url, "alter table note add column unseen integer");
    const pid = await pidOf(server, 2);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => pidOf(server, 2), { timeout: 30_000 }).not.toBe(pid);
    two.close();
    [one, two] = await openBoth();
    for (const each of [one, two]) expect(await each.graphql("{ note { unseen } }")).toHaveProperty("errors");
    await change(two, "reload_metadata", { reload_sources: true });
    for (const each of [one, two]) expect(await each.graphql("{ note { unseen } }")).toHaveProperty("data.note");
  }, 60_000);

  it("A terminated worker finishes its requests and is replaced", async () => {
    const pid = await pidOf(server, 2);
    const slow = two.graphql("mutation { slowly { text } }");
    await delay(300);
    process.kill(pid, "SIGTERM");
    expect(await slow).toEqual({ data: { slowly: [{ text: "kept" }] } });
    await expect.poll(() => pidOf(server, 2), { timeout: 30_000 }).not.toBe(pid);
    two.close();
    [one, two] = await openBoth();
  }, 60_000);

  it("A stopping server finishes the requests of both workers", async () => {
    const pids = await Promise.all([pidOf(server, 1), pidOf(server, 2)]);
    const slow = [one, two].map((each) => each.graphql("mutation { slowly { text } }"));
    await delay(300);
    server.child.kill("SIGTERM");
    const data = { data: { slowly: [{ text: "kept" }] } };
    expect(await Promise.all(slow)).toEqual([data, data]);
    expect((await server.ended).code).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }, 60_000);
});
