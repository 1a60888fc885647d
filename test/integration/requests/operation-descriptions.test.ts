/** Descriptions of operations, variables and fragments (GraphQL, September 2025) on every path of an operation. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const remoteSdl = "type Query { report(city: String): Report } type Report { text: String }";
const saved =
  '"""Items by name.""" query Saved("the name" $name: String) { item(where: {name: {_eq: $name}}) { ...part } } "Parts." fragment part on item { id }';

const short = '"Short." query Short("the name" $name: String) { item(where: {name: {_eq: $name}}) { id } }';

let remote: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(remoteSdl, 0, {
    root: { report: ({ city }: { city: string }) => ({ text: `rain in ${city}` }) },
  });
  engine = await startTestServer({
    environment: { WEATHER: `http://127.0.0.1:${remote.port}/graphql`, ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" },
  });
  const sql =
    "create table item (id integer primary key, name text); insert into item values (1, 'a'), (2, 'b'), (3, 'c')";
  await engine.post("/v2/query", { type: "run_sql", args: { sql } });
  await engine.metadata("pg_track_table", { table: "item" });
  const permission = { columns: ["id", "name"], filter: {} };
  await engine.metadata("pg_create_select_permission", { table: "item", role: "user", permission });
  await engine.metadata("add_remote_schema", { name: "weather", definition: { url_from_env: "WEATHER" } });
  await engine.metadata("create_query_collection", {
    name: "saved",
    definition: {
      queries: [
        { name: "Saved", query: saved },
        { name: "Short", query: short },
      ],
    },
  });
  await engine.metadata("add_collection_to_allowlist", { collection: "saved" });
  const definition = { query: { collection_name: "saved", query_name: "Short" } };
  await engine.metadata("create_rest_endpoint", { name: "saved", url: "saved/:name", methods: ["GET"], definition });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

const asUser = { "X-Engine-Role": "user" };
const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

describe("Literals beside descriptions", () => {
  it.each([
    (id: number, name: string) =>
      `"of ${name} 7" query { item(where: {id: {_lte: ${id}}, name: {_eq: "${name}"}}) { id } }`,
    (id: number, name: string) =>
      `query Q("${name}" $n: Int = ${id} "second" $m: String) { item(where: {id: {_lte: $n}, name: {_eq: "${name}"}}, order_by: {name: asc}) { ...f } __typename @include(if: true) } "${id}" fragment f on item { id }`.replace(
        ' "second" $m: String',
        "",
      ),
    (id: number, name: string) =>
      `"""\n${id}\n""" query { item(where: {name: {_eq: "${name}"}}) { ...f } } """f""" fragment f on item { id }`,
  ])("Each request uses its own literals (%#)", async (text) => {
    for (const [id, name] of [
      [1, "a"],
      [2, "b"],
      [3, "c"],
      [1, "a"],
    ] as const) {
      expect((await ask(text(id, name))).data.item).toEqual([{ id }]);
    }
  });
});

describe("Saved operations", () => {
  it("A saved operation with descriptions runs by its text, by its hash and as a REST endpoint", async () => {
    const documentId = createHash("sha256").update(saved).digest("hex");
    const expected = { data: { item: [{ id: 2 }] } };
    expect(await ask(saved, { name: "b" }, asUser)).toEqual(expected);
    expect((await engine.post("/v1/graphql", { documentId, variables: { name: "b" } }, asUser)).json).toEqual(expected);
    const rest = await fetch(`${engine.url}/api/rest/saved/b`, { headers: asUser });
    expect(await rest.json()).toEqual(expected);
  });

  it("The allow-list admits the operation with other descriptions, or without any", async () => {
    const plain =
      "query Saved($name: String) { item(where: {name: {_eq: $name}}) { ...part } } fragment part on item { id }";
    for (const query of [plain, `"other" ${plain}`, plain.replace("fragment", '"""more""" fragment')]) {
      expect(await ask(query, { name: "b" }, asUser)).toEqual({ data: { item: [{ id: 2 }] } });
    }
    expect((await ask('"""Items by name.""" query Saved { item { name } }', undefined, asUser)).errors).toMatchObject([
      { message: "query is not allowed" },
    ]);
  });
});

describe("Other servers and transports", () => {
  it("A remote schema receives no descriptions", async () => {
    const query =
      '"""Weather.""" query W("a city" $city: String) { report(city: $city) { ...r } } "A report." fragment r on Report { text }';
    expect(await ask(query, { city: "Oslo" })).toEqual({ data: { report: { text: "rain in Oslo" } } });
    const sent = remote.requests.at(-1)?.query ?? "";
    expect(sent).toContain("report");
    expect(sent).not.toMatch(/Weather|a city|A report|"/);
  });

  it("A subscription may have descriptions", async () => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    const query = '"Live." subscription S("name" $n: String!) { item(where: {name: {_eq: $n}}) { id } }';
    client.send({ id: "1", type: "subscribe", payload: { query, variables: { n: "c" } } });
    const next = async (): Promise<{ readonly type: string; readonly payload: unknown }> => {
      const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
      return message.type === "next" || message.type === "error" ? message : next();
    };
    expect(await next()).toMatchObject({ type: "next", payload: { data: { item: [{ id: 3 }] } } });
    client.close();
  });

  it("GraphQL refuses a description before a query in short form and before a spread", async () => {
    for (const query of ['"Short." { item { id } }', '{ "Inside." item { id } }']) {
      expect((await ask(query)).errors).toMatchObject([{ message: "not a valid graphql query" }]);
    }
  });
});
