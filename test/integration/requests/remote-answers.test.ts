/** Requests to remote schemas: their number, headers and names, and the handling of errors in responses with data. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, type RemoteRequest, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  interface Thing { id: ID! }
  type Box implements Thing { id: ID! size: Int inner: Thing }
  type Query { box(id: ID, by: String): Box thing: Thing }
  type Mutation { open(id: ID): Int close(id: ID): Int }
`;
const box = { __typename: "Box", id: "b", size: 3, inner: { __typename: "Box", id: "i" } };
const root = { box, thing: box, open: 1, close: 2 };

let answer: ((request: RemoteRequest) => string) | undefined;
let remote: RemoteGraphql;
let own: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root });
  own = await startRemoteGraphql("type Query { a(x: Int): Int b: Int }", 0, {
    answer: (request) => answer?.(request) ?? "",
  });
  engine = await startTestServer({
    environment: {
      KEY: "from the environment",
      ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA: "true",
      ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS: "true",
    },
  });
  const customization = {
    root_fields_namespace: "store",
    type_names: { prefix: "Store", mapping: { Box: "Crate" } },
    field_names: [{ parent_type: "Box", mapping: { size: "volume" } }],
  };
  const headers = [
    { name: "x-key", value_from_env: "KEY" },
    { name: "x-engine-user-id", value: "configured" },
  ];
  const url = `http://127.0.0.1:${remote.port}/`;
  const definition = { url, customization, headers, forward_client_headers: true };
  await engine.metadata("add_remote_schema", { name: "store", definition });
  const batching = { url: `http://127.0.0.1:${own.port}/`, batch_root_fields: true };
  await engine.metadata("add_remote_schema", { name: "own", definition: batching });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
  await own?.close();
});

const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

describe("Requests to remote servers", () => {
  it("A namespace is sent as one request in the server's names, and type names are customized", async () => {
    const query = `{
      store { __typename first: box { volume inner { __typename id ... on Crate { volume } } } thing { kind: __typename } }
    }`;
    const before = remote.requests.length;
    expect(await ask(query)).toEqual({
      data: {
        store: {
          __typename: "storeQuery",
          first: { volume: 3, inner: { __typename: "Crate", id: "i", volume: null } },
          thing: { kind: "Crate" },
        },
      },
    });
    expect(remote.requests.slice(before).map((request) => request.query)).toEqual([
      "query { first: box { volume: size inner { __typename id ... on Box { volume: size } } } thing { kind: __typename } }",
    ]);
  });

  it("Configured headers take precedence over session variables, and these over client headers", async () => {
    await ask(
      "{ store { box { id } } }",
      {},
      {
        "x-engine-user-id": "7",
        "x-engine-team": "red",
        "x-key": "from the client",
        "x-mine": "mine",
        "user-agent": "test",
      },
    );
    expect(remote.headers.at(-1)).toMatchObject({
      "x-key": "from the environment",
      "x-engine-user-id": "configured",
      "x-engine-team": "red",
      "x-engine-role": "admin",
      "x-mine": "mine",
      "x-forwarded-user-agent": "test",
      "content-type": "application/json",
    });
  });

  it("Several root fields share one request if the metadata allows it", async () => {
    answer = () => '{"data":{"a":1,"again":2,"b":3}}';
    const before = own.requests.length;
    expect(await ask("{ a again: a __typename b }")).toEqual({
      data: { a: 1, again: 2, __typename: "query_root", b: 3 },
    });
    expect(own.requests.slice(before).map((request) => request.query)).toEqual(["query { a again: a b }"]);
  });

  it("Null arguments of remote fields are omitted", async () => {
    answer = () => '{"data":{"a":1}}';
    await ask("{ a(x: null) }");
    expect(own.requests.at(-1)).toEqual({ query: "query { a }", variables: {} });
    await ask("query ($x: Int) { a(x: $x) }", { x: null });
    expect(own.requests.at(-1)?.variables).toEqual({});
  });

  it("The fields of a mutation namespace are sent in one request", async () => {
    const before = remote.requests.length;
    expect(await ask("mutation { store { open close } }")).toEqual({ data: { store: { open: 1, close: 2 } } });
    expect(remote.requests).toHaveLength(before + 1);
  });
});

describe("Responses of remote servers", () => {
  it("Data takes precedence over errors if the server is configured so", async () => {
    answer = () => '{"data":{"a":1},"errors":[{"message":"m"}]}';
    expect(await ask("{ a }")).toEqual({ data: { a: 1 } });
  });

  it("Errors without data are passed on unchanged", async () => {
    const errors = [{ message: "m", path: ["a"], extensions: { code: "X", more: [1] } }];
    answer = () => JSON.stringify({ data: null, errors });
    expect(await ask("{ a b }")).toEqual({ data: null, errors });
  });

  it("Remote values are passed on digit by digit", async () => {
    answer = () => ' { "data" : { "a" : 12345678901234567890.10 } , "extensions" : {} } ';
    const { text } = await engine.post("/v1/graphql", { query: "{ a }" });
    expect(text).toBe('{"data":{"a":12345678901234567890.10}}');
  });

  it("A remote response without the requested field is reported as an error", async () => {
    answer = () => "{}";
    expect(await ask("{ a }")).toMatchObject({ errors: [{ message: "expecting key a" }] });
  });

  it("A remote response of 10 MB passes while other requests are served", async () => {
    const long = `[${Array.from({ length: 400_000 }, (_, i) => `{"n":${i},"t":"x"}`).join(",")}]`;
    answer = () => `{"data":{"a":${long}}}`;
    const asking = engine.post("/v1/graphql", { query: "{ a }" });
    expect(await ask("{ __typename }")).toEqual({ data: { __typename: "query_root" } });
    expect((await asking).text).toBe(`{"data":{"a":${long}}}`);
  });
});
