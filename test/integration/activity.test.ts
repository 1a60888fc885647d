/** `get_slow_operations` and `get_live_queries`: the activity of a server, for its administrators only. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await query(
    server.databaseUrl,
    `create table book (id int primary key, title text);
     insert into book values (1, 'Emma');
     create function late(seconds double precision) returns setof book stable language sql
       as 'select book.* from book, pg_sleep(seconds)';
     create function fails(seconds double precision) returns setof book stable language plpgsql
       as 'begin perform pg_sleep(seconds); raise exception $$late$$; end'`,
  );
  await server.metadata("pg_track_table", { table: "book" });
  for (const name of ["late", "fails"]) await server.metadata("pg_track_function", { function: name });
});

afterAll(() => server?.close());

describe("The get_slow_operations operation", () => {
  it("get_slow_operations lists slow operations by text and role without values", async () => {
    const text = "query Late($seconds: float8!) { late(args: {seconds: $seconds}) { title } }";
    for (const seconds of [0.15, 0.3]) {
      expect(await server.graphql(text, {}, { seconds })).toEqual({ data: { late: [{ title: "Emma" }] } });
    }
    const listed = (await server.metadata("get_slow_operations", {})) as readonly Record<string, unknown>[];
    const late = listed.find(({ query: shown }) => shown === text);
    expect(late).toMatchObject({ role: "admin", operation_name: null, count: 2, failed: 0 });
    expect(late?.slowest).toBeGreaterThanOrEqual(0.3);
    expect(late?.mean).toBeLessThan(Number(late?.slowest));
    const expected = ["count", "failed", "last_at", "mean", "operation_name", "query", "role", "slowest"];
    expect(Object.keys(late ?? {}).sort()).toEqual(expected);
  });

  it("get_slow_operations includes WebSocket operations and failures", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.next();
    client.send({
      type: "subscribe",
      id: "1",
      payload: { query: "query Socket { late(args: {seconds: 0.2}) { id } }" },
    });
    await client.next();
    const failing = "query Fails { fails(args: {seconds: 0.2}) { id } }";
    await server.graphql(failing);
    client.ws.close();
    const listed = (await server.metadata("get_slow_operations", {})) as readonly Record<string, unknown>[];
    expect(listed.find(({ query: shown }) => String(shown).includes("Socket"))).toMatchObject({ count: 1, failed: 0 });
    expect(listed.find(({ query: shown }) => shown === failing)).toMatchObject({ count: 1, failed: 1 });
  });

  it("get_slow_operations omits batches", async () => {
    const late = { query: "query Batched { late(args: {seconds: 0.2}) { id } }" };
    await server.post("/v1/graphql", [late, late]);
    expect(JSON.stringify(await server.metadata("get_slow_operations", {}))).not.toContain("Batched");
  });
});

describe("The get_live_queries operation", () => {
  it("get_live_queries lists the shared statements of running subscriptions", async () => {
    expect(await server.metadata("get_live_queries", {})).toEqual([]);
    const clients = await Promise.all(
      [1, 2].map(() => WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" })),
    );
    for (const client of clients) {
      client.send({ type: "connection_init", payload: {} });
      await client.next();
      client.send({ type: "subscribe", id: "1", payload: { query: "subscription Watch { book { title } }" } });
      await client.next();
    }
    const read = async () => (await server.metadata("get_live_queries", {})) as readonly Record<string, unknown>[];
    await expect.poll(async () => (await read())[0]?.last_poll ?? null, { timeout: 15_000 }).not.toBe(null);
    const [live, ...others] = await read();
    expect(others).toEqual([]);
    expect(live).toMatchObject({
      kind: "live-query",
      operation_name: "Watch",
      role: "admin",
      source: "default",
      subscribers: 2,
      last_poll: { failed: 0 },
    });
    expect(live?.generated_sql).toContain('"book"');
    for (const client of clients) client.ws.close();
    await expect.poll(read, { timeout: 15_000 }).toEqual([]);
  });
});

describe("Files of saved operations", () => {
  it("The files of a saved operation contain the shared parts and the SQL of each role", async () => {
    const books = { name: "Find books", query: "query Books { book { title } }" };
    await server.metadata("create_query_collection", { name: "shop", definition: { queries: [books] } });
    await server.metadata("pg_create_select_permission", {
      table: "book",
      role: "reader",
      permission: { columns: ["title"], filter: {} },
    });
    const { paths } = (await server.metadata("export_generated_code", {
      saved_operation: { collection_name: "shop", query_name: "Find books" },
    })) as { readonly paths: readonly string[] };
    expect(paths).toEqual([
      "operations/shop.find-books+1.ts",
      "roles/admin/operations/shop.find-books+1.ts",
      "roles/reader/operations/shop.find-books+1.ts",
    ]);
    const { files } = (await server.metadata("export_generated_code", { paths: paths.slice(2) })) as {
      readonly files: readonly { readonly text: string }[];
    };
    expect(files[0]?.text).toMatch(/select/i);
  });
});

describe("Access to server activity", () => {
  it.each(["get_slow_operations", "get_live_queries"])(
    "Server activity is hidden from other roles: %s",
    async (type) => {
      const { status, json } = await server.post("/v1/metadata", { type, args: {} }, { "x-engine-role": "reader" });
      expect([status, json.code]).toEqual([400, "access-denied"]);
    },
  );
});
