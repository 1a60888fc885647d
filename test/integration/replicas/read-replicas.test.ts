/** Read replicas: what they answer, what they do not, and what becomes of requests when one is killed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type Replication, replicationIsMissing, startReplication } from "../../support/replication.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

describe.skipIf(replicationIsMissing)("a source with read replicas", () => {
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

  it("asks each of them about as often, and says nothing of a setting without effect", async () => {
    const found = await Promise.all(Array.from({ length: 60 }, place));
    expect(found.every(({ is_copy }) => is_copy)).toBe(true);
    const counts = ports().map((port) => found.filter((each) => each.port === port).length);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    const { headers } = await engine.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(headers.get("warning")).toBeNull();
  });

  it("asks the primary to write, and reads what was written there", async () => {
    const written = await engine.graphql('mutation { insert_note_one(object: {text: "second"}) { id text } }');
    expect(written).toMatchObject({ data: { insert_note_one: { text: "second" } } });
    expect(await engine.graphql("{ write_note { text } }")).toEqual({ data: { write_note: [{ text: "written" }] } });
  });

  it("asks the primary for what has not arrived on a replica", async () => {
    for (const { url } of servers.replicas) await query(url, "select pg_wal_replay_pause()");
    try {
      await query(servers.primary.url, "create table later (id int primary key); insert into later values (1)");
      await engine.metadata("pg_track_table", { source: "shop", table: "later" });
      expect(await engine.graphql("{ later { id } }")).toEqual({ data: { later: [{ id: 1 }] } });
    } finally {
      for (const { url } of servers.replicas) await query(url, "select pg_wal_replay_resume()");
    }
  });

  it("delivers live queries from a replica", async () => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.ws.send(JSON.stringify({ type: "connection_init" }));
    const text = "subscription { place { is_copy } }";
    client.ws.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: text } }));
    let message: { type?: string; payload?: unknown } = {};
    while (message.type !== "next") message = (await client.next()) as typeof message;
    expect(message.payload).toEqual({ data: { place: [{ is_copy: true }] } });
    client.ws.close();
  });

  it("counts their connections as those of replicas", async () => {
    await place();
    const text = await (await fetch(`${engine.url}/v1/metrics`)).text();
    const roles = [...text.matchAll(/^engine_postgres_connections\{source_name="shop".*role="(\w+)"\}/gm)].map(
      ([, role]) => role,
    );
    expect(roles.sort()).toEqual(["primary", "replica", "replica"]);
  });

  it("loses no query when one is killed and comes back, and stays consistent without any", {
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
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(50);
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
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(engine.log.filter((line) => line.includes("A read replica does not answer")).length).toBeGreaterThan(1);
  });
});
