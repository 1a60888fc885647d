/** The log of operations and of metadata requests: its contents, and its omissions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

const hidden = "hunter2";
let server: TestServer;
let onlyErrors: TestServer;
let usual: TestServer;

const everything = {
  ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "http-log,websocket-log,query-log,execution-log",
  ENGINE_GRAPHQL_ENABLE_METADATA_QUERY_LOGGING: "true",
  ENGINE_GRAPHQL_LOG_MASKED_VARIABLES: "word, other",
};

/** The database rejects note 13 with an unexpected error. */
const notes = `
  create table note (id int primary key, text text);
  create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
  create trigger refuse before insert on note for each row when (new.id = 13) execute function refuse()`;

beforeAll(async () => {
  const sealed = false;
  server = await startTestServer({ sealed, environment: everything });
  await server.post("/v2/query", { type: "run_sql", args: { sql: notes } });
  await server.metadata("pg_track_table", { table: "note" });
  onlyErrors = await startTestServer({
    sealed,
    on: server,
    environment: { ...everything, ENGINE_GRAPHQL_HTTP_LOG_QUERY_ONLY_ON_ERROR: "true" },
  });
  usual = await startTestServer({ sealed, on: server });
}, 60_000);

afterAll(async () => {
  await usual.stop();
  await onlyErrors.stop();
  await server.close();
});

// biome-ignore lint/suspicious/noExplicitAny: lines have a detail of every shape
type Detail = any;

/** Returns the details of the lines about one request. */
function lines(on: TestServer, requestId: string, type: string): readonly Detail[] {
  return on.log
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type && line.detail.request_id === requestId)
    .map(({ detail }) => detail);
}

async function logged(on: TestServer, requestId: string, type: string): Promise<Detail> {
  await expect.poll(() => lines(on, requestId, type).length).toBe(1);
  return lines(on, requestId, type)[0];
}

const find = "query Find($word: String) { note(where: {text: {_eq: $word}}) { id } }";
const add = "mutation Add($id: Int, $word: String) { insert_note_one(object: {id: $id, text: $word}) { id } }";

const ask = (on: TestServer, id: string, query: string, variables: unknown, operationName?: string) =>
  on.post("/v1/graphql", { query, variables, operationName }, { "x-request-id": id });

describe("The query and execution logs", () => {
  it("The query log shows an operation with its SQL and masks variables", async () => {
    await ask(server, "q1", find, { word: hidden }, "Find");
    const { query, generated_sql, kind } = await logged(server, "q1", "query-log");
    expect(query).toEqual({ query: find, operationName: "Find", variables: { word: "[MASKED]" } });
    expect(generated_sql.note.query).toContain('from "public"."note"');
    expect(generated_sql.note.prepared_arguments).toEqual(["[MASKED]"]);
    expect(kind).toBe("database");
    const { statistics } = await logged(server, "q1", "execution-log");
    expect(statistics).toMatchObject({ statements: 1, remote_requests: 0, action_calls: 0 });
    expect(statistics.execution_time).toBeGreaterThan(0);
    expect((await logged(server, "q1", "http-log")).operation.query.variables).toEqual({ word: "[MASKED]" });
  });

  it("The query log shows neither SQL nor database values of a mutation", async () => {
    await ask(server, "m1", add, { id: 1, word: hidden });
    await ask(server, "m2", add, { id: 13, word: hidden });
    expect((await logged(server, "m1", "query-log")).generated_sql).toBeNull();
    const failed = await logged(server, "m2", "http-log");
    expect(failed.operation.error.internal.arguments).toBe("[MASKED]");
  });

  it("The query log marks introspection", async () => {
    await ask(server, "i1", "{ __typename }", undefined);
    expect(await logged(server, "i1", "query-log")).toMatchObject({ generated_sql: null, kind: "introspection" });
  });

  it("The query log contains WebSocket operations", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    await client.next();
    client.send({ id: "1", type: "subscribe", payload: { query: find, variables: { word: hidden } } });
    await client.take(2);
    const details = () => server.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "websocket-log");
    await expect
      .poll(() => details().map(({ detail }) => detail.event.detail?.operation_type?.type))
      .toContain("completed");
    client.ws.close();
    const shown = details().flatMap(({ detail }) => detail.event.detail?.query ?? []);
    expect(shown[0]).toMatchObject({ query: find, variables: { word: "[MASKED]" } });
  });

  it("The query and execution logs are off by default", async () => {
    await ask(usual, "u1", find, { word: hidden });
    expect((await logged(usual, "u1", "http-log")).operation.query).toEqual({ type: null });
    expect(lines(usual, "u1", "query-log")).toEqual([]);
    expect(lines(usual, "u1", "execution-log")).toEqual([]);
  });
});

describe("Operations in the HTTP log", () => {
  it("The HTTP log shows only failed operations if it is configured so", async () => {
    await ask(onlyErrors, "o1", find, { word: hidden }, "Find");
    await ask(onlyErrors, "o2", "query Find { nothing }", { word: hidden, more: 1 }, "Find");
    expect((await logged(onlyErrors, "o1", "http-log")).operation.query).toEqual({ operationName: "Find" });
    expect((await logged(onlyErrors, "o2", "http-log")).operation.query).toMatchObject({
      query: "query Find { nothing }",
      variables: { word: "[MASKED]", more: 1 },
    });
  });

  it("The HTTP log shows metadata operations without secrets", async () => {
    const body = {
      type: "pg_add_source",
      args: {
        name: "other",
        configuration: { connection_info: { database_url: `postgres://a:${hidden}@127.0.0.1:1/b` } },
      },
    };
    await server.post("/v1/metadata", body, { "x-request-id": "s1" });
    const { query } = (await logged(server, "s1", "http-log")).operation;
    expect(query).toMatchObject({ type: "pg_add_source", args: { name: "other" } });
    await usual.post("/v1/metadata", { type: "export_metadata", args: {} }, { "x-request-id": "s2" });
    expect((await logged(usual, "s2", "http-log")).operation.query).toEqual({ type: "export_metadata" });
  });
});

it("No log line contains the hidden value", () => {
  for (const { log } of [server, onlyErrors, usual]) expect(log.join("")).not.toContain(hidden);
});
