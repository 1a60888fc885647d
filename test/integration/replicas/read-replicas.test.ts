/** Read replicas: which requests they serve, and the outcome of requests when a replica is killed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type Replication, replicationIsMissing, startReplication } from "../../support/replication.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

describe.skipIf(replicationIsMissing)("Sources with read replicas", () => {
  let servers: Replication;
  let engine: TestServer;

  beforeAll(async () => {
    servers = await startReplication(2);
    await query(
      servers.primary.url,
      `create table note (id serial primary key, text text not null);
       insert into note (text) values ('first');
       create view place as select pg_is_in_recovery() as is_copy, current_setting('port') as port;
       create sequence calls;
       create function write_note() returns setof note language sql volatile as
         $$ insert into note (text) values ('written') returning * $$`,
    );
    engine = await startTestServer({
      environment: {
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
        ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example.com",
        ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
      },
    });
    const info = (url: string) => ({ database_url: url, use_prepared_statements: true });
    await engine.metadata("pg_add_source", {
      name: "shop",
      configuration: {
        connection_info: info(servers.primary.url),
        read_replicas: servers.replicas.map(({ url }) => info(url)),
      },
    });
    for (const table of ["note", "place"]) await engine.metadata("pg_track_table", { source: "shop", table });
    await engine.metadata("pg_track_function", {
      source: "shop",
      function: "write_note",
      configuration: { exposed_as: "query" },
    });
    await servers.settle();
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    await servers?.close();
  }, 60_000);

  const ports = () => servers.replicas.map(({ url }) => new URL(url).port);
  const place = async (): Promise<{ is_copy: boolean; port: string }> =>
    ((await engine.graphql("{ place { is_copy port } }")) as { data: { place: [never] } }).data.place[0];

  it("Reads are distributed evenly among the replicas without a warning", async () => {
    const found = await Promise.all(Array.from({ length: 60 }, place));
    expect(found.every(({ is_copy }) => is_copy)).toBe(true);
    const counts = ports().map((port) => found.filter((each) => each.port === port).length);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    const { headers } = await engine.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(headers.get("warning")).toBeNull();
  });

  it("Writes and their returned rows use the primary", async () => {
    const written = await engine.graphql('mutation { insert_note_one(object: {text: "second"}) { id text } }');
    expect(written).toMatchObject({ data: { insert_note_one: { text: "second" } } });
    expect(await engine.graphql("{ write_note { text } }")).toEqual({ data: { write_note: [{ text: "written" }] } });
  });

  it("Reads of tables that a replica lacks are repeated on the primary", async () => {
    for (const { url } of servers.replicas) await query(url, "select pg_wal_replay_pause()");
    try {
      await query(servers.primary.url, "create table later (id int primary key); insert into later values (1)");
      await engine.metadata("pg_track_table", { source: "shop", table: "later" });
      expect(await engine.graphql("{ later { id } }")).toEqual({ data: { later: [{ id: 1 }] } });
    } finally {
      for (const { url } of servers.replicas) await query(url, "select pg_wal_replay_resume()");
    }
  });

  describe("Lagging replicas", () => {
    const add = 'mutation { insert_note_one(object: {text: "new"}) { id } }';
    const newest = "{ note(order_by: {id: desc}, limit: 1) { id } }";
    const pause = (verb: "pause" | "resume") =>
      Promise.all(servers.replicas.map(({ url }) => query(url, `select pg_wal_replay_${verb}()`)));
    const ask = async (text: string, token?: string, more: Record<string, string> = {}) =>
      engine.post(
        "/v1/graphql",
        { query: text },
        { ...more, ...(token !== undefined && { "x-engine-read-after": token }) },
      );

    it("A client that has written does not read from a lagging replica, by its token", async () => {
      await pause("pause");
      try {
        const written = await ask(add, undefined, { origin: "https://app.example.com" });
        const { id } = written.json.data.insert_note_one;
        const token = written.headers.get("x-engine-read-after") ?? "";
        expect(token).toMatch(/^shop=[0-9A-F]+\/[0-9A-F]+$/);
        expect(written.headers.get("access-control-expose-headers")).toContain("X-Engine-Read-After");
        expect((await ask(newest)).json.data.note[0].id).toBeLessThan(id);
        expect((await ask(newest, token)).json).toEqual({ data: { note: [{ id }] } });
        const cached = newest.replace("{", "query @cached {");
        expect((await ask(cached)).json.data.note[0].id).toBeLessThan(id);
        expect((await ask(cached, token)).json).toEqual({ data: { note: [{ id }] } });
        for (const other of ["nonsense", "shop=latest", "%E0%A4%A=0/0", "shop=FFFFFFFF/FFFFFFFF", `x=1/1,${token}`]) {
          expect((await ask(newest, other)).json).toEqual({ data: { note: [{ id }] } });
        }
        expect((await ask(newest, "other=FFFFFFFF/0")).json.data.note[0].id).toBeLessThan(id);
        const next = await ask(add, `other=0/1,${token}`);
        expect(next.headers.get("x-engine-read-after")).toMatch(/^other=0\/1,shop=[0-9A-F]+\/[0-9A-F]+$/);
      } finally {
        await pause("resume");
      }
      await servers.settle();
    });

    it("A replica is used again once it has the client's writes", async () => {
      const token = (await ask(add)).headers.get("x-engine-read-after") ?? "";
      await servers.settle();
      expect((await ask("{ place { is_copy } }", token)).json).toEqual({ data: { place: [{ is_copy: true }] } });
    });

    it("A client with a token never sees an older state", async () => {
      const [first] = servers.replicas;
      await query(first?.url ?? "", "select pg_wal_replay_pause()");
      try {
        for (let i = 0; i < 20; i++) {
          const written = await ask(add);
          const token = written.headers.get("x-engine-read-after") ?? "";
          const { id } = written.json.data.insert_note_one;
          expect((await ask(newest, token)).json).toEqual({ data: { note: [{ id }] } });
        }
      } finally {
        await query(first?.url ?? "", "select pg_wal_replay_resume()");
      }
    });
  });

  it("Live queries read from a replica", async () => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.ws.send(JSON.stringify({ type: "connection_init" }));
    const text = "subscription { place { is_copy } }";
    client.ws.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: text } }));
    let message: { type?: string; payload?: unknown } = {};
    while (message.type !== "next") message = (await client.next()) as typeof message;
    expect(message.payload).toEqual({ data: { place: [{ is_copy: true }] } });
    client.ws.close();
  });

  it("Connections are counted per role of the server", async () => {
    await place();
    const text = await (await fetch(`${engine.url}/v1/metrics`)).text();
    const roles = [...text.matchAll(/^engine_postgres_connections\{source_name="shop".*role="(\w+)"\}/gm)].map(
      ([, role]) => role,
    );
    expect(roles.sort()).toEqual(["primary", "replica", "replica"]);
  });

  it("No query fails while a replica is killed and returns, or without any replica", {
    timeout: 120_000,
  }, async () => {
    const [first, second] = servers.replicas;
    if (!first || !second) throw new Error("there are two");
    let isOver = false;
    const failures: unknown[] = [];
    let answered = 0;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { json } = await engine.post("/v1/graphql", { query: "{ note(limit: 1) { id } place { port } }" });
        if (json.data === undefined) failures.push(json);
        else answered++;
      }
    });
    // Concurrent clients read their own writes.
    let readBack = 0;
    const stale: unknown[] = [];
    const writers = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const mutation = 'mutation { insert_note_one(object: {text: "mine"}) { id } }';
        const written = await engine.post("/v1/graphql", { query: mutation });
        const token = written.headers.get("x-engine-read-after") ?? "";
        const id = written.json.data?.insert_note_one?.id;
        const query = `{ note(where: {id: {_eq: ${id}}}) { id } }`;
        const { json } = await engine.post("/v1/graphql", { query }, { "x-engine-read-after": token });
        if (token !== "" && json.data?.note?.[0]?.id === id) readBack++;
        else stale.push([written.json, token, json]);
      }
    });
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(50);
    await expect.poll(() => readBack, { timeout: 30_000 }).toBeGreaterThan(20);
    await first.kill();
    const without = answered + 200;
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(without);
    await first.start();
    await expect.poll(async () => (await place()).port, { timeout: 60_000 }).toBe(new URL(first.url).port);
    await Promise.all([first.kill(), second.kill()]);
    await expect.poll(async () => (await place()).is_copy, { timeout: 30_000 }).toBe(false);
    await engine.metadata("reload_metadata", { reload_sources: true });
    expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
    await Promise.all([first.start(), second.start()]);
    await expect.poll(async () => (await place()).is_copy, { timeout: 60_000 }).toBe(true);
    isOver = true;
    await Promise.all([...load, ...writers]);
    expect(failures).toEqual([]);
    expect(stale).toEqual([]);
    expect(engine.log.filter((line) => line.includes("A read replica is unreachable")).length).toBeGreaterThan(1);
  });
});
