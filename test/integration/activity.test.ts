/** The activity of a server, for its administrators only: slow operations, use by role, instances, live queries, the log. */
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

describe("The get_role_usage operation", () => {
  interface Usage {
    readonly role: string | null;
    readonly count: number;
    readonly failed: number;
    readonly total_time: number;
    readonly response_bytes: number;
  }

  async function usageOf(role: string): Promise<Usage | undefined> {
    const { roles } = (await server.metadata("get_role_usage", {})) as { readonly roles: readonly Usage[] };
    return roles.find((each) => each.role === role);
  }

  it("get_role_usage counts requests of all transports by role, with failures, time and bytes", async () => {
    const reader = { "x-engine-role": "usage_reader" };
    const permission = { columns: ["id", "title"], filter: {} };
    await server.metadata("pg_create_select_permission", { table: "book", role: "usage_reader", permission });
    expect(await usageOf("usage_reader")).toBeUndefined();
    const found = await server.post("/v1/graphql", { query: "{ book { title } }" }, reader);
    await server.graphql("{ nothing }", reader);
    const after = await usageOf("usage_reader");
    expect(after).toMatchObject({ count: 2, failed: 1 });
    expect(after?.response_bytes).toBeGreaterThan(JSON.stringify(found.json).length);
    expect(after?.total_time).toBeGreaterThan(0);
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: reader } });
    await client.next();
    for (const query of ["{ book { id } }", "{ nothing }", "subscription { book { id } }"]) {
      client.send({ type: "subscribe", id: query, payload: { query } });
      await client.next();
    }
    client.ws.close();
    await expect.poll(() => usageOf("usage_reader")).toMatchObject({ count: 5, failed: 2 });
    await server.metadata("pg_drop_select_permission", { table: "book", role: "usage_reader" });
  });
});

describe("The get_instances operation", () => {
  interface Listed {
    readonly id: string;
    readonly resource_version: number;
    readonly is_this: boolean;
    readonly is_responding: boolean;
  }

  const listed = () => server.metadata("get_instances", {}) as Promise<readonly Listed[]>;

  it("get_instances lists the processes on the metadata database, and those that have ended as silent", {
    timeout: 60_000,
  }, async () => {
    const [own, ...others] = await listed();
    expect(others).toEqual([]);
    expect(own).toMatchObject({ process_id: process.pid, worker: 1, workers: 1, is_this: true, is_responding: true });
    const second = await startTestServer({ sealed: false, on: server });
    await server.metadata("pg_set_table_customization", { table: "book", configuration: { comment: "changed" } });
    await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(2);
    await expect
      .poll(async () => new Set((await listed()).map((each) => each.resource_version)).size, { timeout: 20_000 })
      .toBe(1);
    const both = await listed();
    expect(both.map(({ is_this, is_responding }) => [is_this, is_responding]).sort()).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(await second.metadata("get_instances", {})).toHaveLength(2);
    await second.close();
    const after = await listed();
    expect(after.find((each) => !each.is_this)).toMatchObject({ is_responding: false });
  });

  it("get_instances ignores notifications of another form", async () => {
    const before = (await listed()).length;
    const forged = { ...(await listed())[0], id: "", host: "x".repeat(300) };
    const texts = ["", "[", "null", "[]", "{}", JSON.stringify(forged), JSON.stringify({ ...forged, id: 1 })];
    const listing = listed();
    const end = Date.now() + 600;
    while (Date.now() < end) {
      for (const text of texts) await query(server.metadataUrl, `select pg_notify('engine_instances', '${text}')`);
    }
    expect(await listing).toHaveLength(before);
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

describe("The get_log_lines operation", () => {
  interface Line {
    readonly id: string;
    readonly level: string;
    readonly type: string;
    readonly detail: Readonly<Record<string, unknown>>;
  }
  interface Page {
    readonly lines: readonly Line[];
    readonly cursor: string;
    readonly has_more: boolean;
    readonly missed: number;
  }
  const read = async (args: object = {}) => (await server.metadata("get_log_lines", args)) as Page;
  const send = (name: string, headers = {}) =>
    server.post("/v1/graphql", { query: `query ${name} { __typename }` }, headers);

  it("get_log_lines returns the lines that the log wrote, oldest first", async () => {
    await send("First");
    const { lines } = await read({ limit: 1000 });
    const written = server.log.map((line) => JSON.parse(line) as object);
    for (const { id, ...line } of lines) expect(written).toContainEqual(line);
    expect(lines.at(-1)).toMatchObject({ level: "info", type: "http-log" });
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });

  it("get_log_lines continues after a cursor in pages, without its own requests", async () => {
    const { cursor } = await read();
    for (const name of ["One", "Two", "Three"]) await send(name, { "x-request-id": `page-${name}` });
    const first = await read({ after: cursor, limit: 2 });
    const idsOf = ({ lines }: Page) => lines.map(({ detail }) => detail.request_id);
    expect([idsOf(first), first.has_more, first.missed]).toEqual([["page-One", "page-Two"], true, 0]);
    const second = await read({ after: first.cursor, limit: 2 });
    expect([idsOf(second), second.has_more]).toEqual([["page-Three"], false]);
    expect((await read({ after: second.cursor })).lines).toEqual([]);
    // The cursor belongs to a process that has ended.
    expect((await read({ after: "00000000-3", limit: 1 })).lines).toHaveLength(1);
  });

  it("get_log_lines filters by level, type, role and text", async () => {
    const { cursor: after } = await read();
    await send("Read", { "x-engine-role": "reader", "x-request-id": "by-reader" });
    await server.post("/v1/graphql", { query: "{ nothing }" }, { "x-request-id": "by-admin" });
    const idsOf = async (args: object) => (await read({ after, ...args })).lines.map(({ detail }) => detail.request_id);
    expect(await idsOf({ level: "error" })).toEqual(["by-admin"]);
    expect(await idsOf({ level: "critical" })).toEqual([]);
    expect(await idsOf({ role: "reader" })).toEqual(["by-reader"]);
    expect(await idsOf({ types: ["http-log"], text: "BY-" })).toEqual(["by-reader", "by-admin"]);
    expect(await idsOf({ types: ["startup"] })).toEqual([]);
  });

  it("get_log_lines refuses unknown log types with the nearest name", async () => {
    const { status, json } = await server.post("/v1/metadata", {
      type: "get_log_lines",
      args: { types: ["startup", "http-logs"] },
    });
    expect([status, json]).toEqual([
      400,
      { code: "not-exists", path: "$.args.types[1]", error: 'no log type "http-logs" exists' },
    ]);
  });
});

describe("Access to server activity", () => {
  it.each([
    "get_slow_operations",
    "get_role_usage",
    "get_tool_calls",
    "get_instances",
    "get_live_queries",
    "get_log_lines",
  ])("Server activity is hidden from other roles: %s", async (type) => {
    const { status, json } = await server.post("/v1/metadata", { type, args: {} }, { "x-engine-role": "reader" });
    expect([status, json.code]).toEqual([400, "access-denied"]);
  });
});
