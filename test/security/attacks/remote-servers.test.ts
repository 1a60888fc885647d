/** Malicious or broken remote servers: their responses to introspection, and later. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { longestPause } from "../../support/longest-pause.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

type Answer = (response: ServerResponse, query: string) => void;

let engine: TestServer;
let port: number;
let answer: Answer;
/** Paths of all requests so far. */
let paths: string[] = [];
const server = createServer(async (request, response) => {
  paths.push(request.url ?? "");
  let text = "";
  for await (const chunk of request) text += chunk;
  answer(response, text);
});

const sdl = "type Query { a: String list: [Item] } type Item { id: ID name: String } type Subscription { s: String }";
const schemaOf = (text: string): object => ({ ...introspectionFromSchema(buildSchema(text)).__schema });
const good: Answer = (response, query) =>
  response.end(JSON.stringify({ data: query.includes("__schema") ? { __schema: schemaOf(sdl) } : { a: "x" } }));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  engine = await startTestServer();
  answer = good;
  await engine.metadata("add_remote_schema", {
    name: "good",
    definition: { url: `http://127.0.0.1:${port}/good`, timeout_seconds: 5, subscriptions: true },
  });
});

beforeEach(() => {
  paths = [];
});

afterAll(async () => {
  await engine?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const add = (url = `http://127.0.0.1:${port}/new`) =>
  engine.post("/v1/metadata", {
    type: "add_remote_schema",
    args: { name: "new", definition: { url, timeout_seconds: 5, customization: { root_fields_namespace: "new" } } },
  });
const ask = async (query: string) => (await engine.post("/v1/graphql", { query })).json;

async function isUnharmed(): Promise<void> {
  answer = good;
  expect(await ask("{ a }")).toEqual({ data: { a: "x" } });
  const { remote_schemas } = (await engine.metadata("export_metadata", {})) as { remote_schemas: { name: string }[] };
  expect(remote_schemas.map(({ name }) => name)).toEqual(["good"]);
}

const nested = (depth: number): string => `${'{"kind":"LIST","ofType":'.repeat(depth)}null${"}".repeat(depth)}`;
const withTypes = (types: string): string =>
  `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[${types}],"directives":[]}}}`;
const field = (name: string, type: string, args = "[]"): string =>
  `{"name":${JSON.stringify(name)},"args":${args},"type":${type}}`;
const object = (name: string, fields: string): string =>
  `{"kind":"OBJECT","name":${JSON.stringify(name)},"fields":[${fields}],"interfaces":[]}`;
const int = '{"kind":"SCALAR","name":"Int"}';

describe("Introspection of hostile remote servers", () => {
  it.each([
    ["no JSON", "<html>"],
    ["half of a response", '{"data":{"__schema":{"queryType":{"na'],
    ["null", "null"],
    ["a list", "[]"],
    ["no data", '{"data":null,"errors":[{"message":"no"}]}'],
    ["no types", '{"data":{"__schema":{"queryType":{"name":"Query"}}}}'],
    ["types that are not a list", '{"data":{"__schema":{"queryType":{"name":"Query"},"types":{"length":9}}}}'],
    ["a missing root type", withTypes("")],
    ["a missing type", withTypes(object("Query", field("a", '{"kind":"OBJECT","name":"Gone"}')))],
    ["endlessly nested types", withTypes(object("Query", field("a", nested(50_000))))],
    ["an invalid name", withTypes(object("Query", field('a } evil { b"', int)))],
    ["a type with an invalid name", withTypes(`${object("Query", field("a", int))},${object("B{", field("b", int))}`)],
    ["an argument with an invalid name", withTypes(object("Query", field("a", int, `[${field("b:", int)}]`)))],
  ])("A remote schema is refused for its introspection result: %s", async (_, text) => {
    answer = (response) => response.end(text);
    const { status, json } = await add();
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "remote-schema-error", error: expect.any(String) });
    await isUnharmed();
  });

  it("A remote schema is used without a malformed default value", async () => {
    const argument = `{"name":"b","type":${int},"defaultValue":"1) evil(c: Int = 2"}`;
    answer = (response) => response.end(withTypes(object("Query", field("a", int, `[${argument}]`))));
    expect((await add()).status).toBe(200);
    const type = await ask('{ __type(name: "newQuery") { fields { name args { name defaultValue } } } }');
    expect(type).toEqual({
      data: { __type: { fields: [{ name: "a", args: [{ name: "b", defaultValue: null }] }] } },
    });
    await engine.metadata("remove_remote_schema", { name: "new" });
    await isUnharmed();
  });

  it("A remote schema of 50 MB is refused", async () => {
    const big = JSON.stringify({ data: { __schema: { ...schemaOf(sdl), description: "x".repeat(50 * 2 ** 20) } } });
    answer = (response) => response.end(big);
    const { status, json } = await add();
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "remote-schema-error" });
    await isUnharmed();
  });

  it("A remote schema with an endless introspection is refused", async () => {
    answer = (response) => endless(response, '{"data":{"__schema":{"types":[');
    expect((await add()).status).toBe(400);
    await isUnharmed();
  });

  const fields = (count: number) => Array.from({ length: count }, (_, i) => field(`f${i}`, int)).join();
  const wrapped = (depth: number) => `${'{"kind":"LIST","ofType":'.repeat(depth)}${int}${"}".repeat(depth)}`;
  const scalars = (count: number) => Array.from({ length: count }, (_, i) => `{"kind":"SCALAR","name":"S${i}"}`).join();
  const enums = Array.from({ length: 14 }, (_, type) => {
    const values = Array.from({ length: 19_000 }, (_, i) => `{"name":"v${i}"}`).join();
    return `{"kind":"ENUM","name":"E${type}","enumValues":[${values}]}`;
  }).join();

  it.each([
    [
      "a type of 50,000 fields",
      object("Query", fields(50_000)),
      "type 'Query' of the remote schema has more than 20000",
    ],
    ["50,001 types", `${object("Query", fields(1))},${scalars(50_000)}`, "has 50001 types, and at most 50000"],
    ["260,000 values", `${object("Query", fields(1))},${enums}`, "the remote schema has more than 250000"],
    ["a type in 30 lists", object("Query", field("a", wrapped(30))), "is wrapped more than 20 times"],
    ["a name of 5 MB", object("Query", field("a".repeat(5_000_000), int)), "is not a valid GraphQL identifier"],
  ])("A remote schema with %s is refused with the limit", async (_, types, message) => {
    answer = (response) => response.end(withTypes(types));
    const { status, json, text } = await add();
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "remote-schema-error", error: expect.stringContaining(message) });
    expect(text.length).toBeLessThan(10_000);
    await isUnharmed();
  });

  it("A remote schema with recursive types and hostile texts is used", async () => {
    const ref = (kind: string, name: string) => `{"kind":"${kind}","name":"${name}"}`;
    const evil = JSON.stringify('""" } type Query { evil: Int } """ */ `process.exit()` \u2028 -->');
    const deep = `"${"[".repeat(100_000)}"`;
    const query = object(
      "Query",
      `{"name":"a","description":${evil},"isDeprecated":true,"deprecationReason":${evil},"args":[` +
        `{"name":"i","type":${ref("INPUT_OBJECT", "I")},"defaultValue":${deep}}],"type":${ref("OBJECT", "Query")}}`,
    );
    const input = `{"kind":"INPUT_OBJECT","name":"I","description":${evil},"inputFields":[{"name":"i","type":${ref("INPUT_OBJECT", "I")},"defaultValue":"{i: {i: null}}"}]}`;
    answer = (response) => response.end(withTypes(`${query},${input}`));
    expect((await add()).json).toEqual({ message: "success" });
    const type = await ask('{ __type(name: "newQuery") { fields(includeDeprecated: true) { name } } }');
    expect(type).toEqual({ data: { __type: { fields: [{ name: "a" }] } } });
    await engine.metadata("remove_remote_schema", { name: "new" });
    await isUnharmed();
  });

  it("A remote schema with thousands of types is read without blocking other requests", async () => {
    const implementing = '"interfaces":[{"name":"A"}]';
    const types = [
      `{"kind":"INTERFACE","name":"A","fields":[${fields(1)}]}`,
      ...Array.from({ length: 5000 }, (_, i) => object(`T${i}`, fields(4)).replace('"interfaces":[]', implementing)),
    ].join();
    const answers: [types: string, milliseconds: number][] = [
      [object("Query", fields(19_000)), 100],
      [`${object("Query", field("a", '{"kind":"INTERFACE","name":"A"}'))},${types}`, 100],
      // The analysis of this number of types is one uninterrupted task.
      [`${object("Query", fields(1))},${scalars(49_000)}`, 300],
    ];
    for (const [text, most] of answers) {
      answer = (response) => response.end(withTypes(text));
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 5 && best > most; run++) {
        const { result, pause } = await longestPause(() => add());
        expect(result.status).toBe(200);
        best = Math.min(best, pause);
        await engine.metadata("remove_remote_schema", { name: "new" });
      }
      expect(best).toBeLessThan(most);
    }
    await isUnharmed();
  }, 60_000);

  it("A remote schema that becomes too large keeps its previous version", async () => {
    answer = (response) => response.end(withTypes(object("Query", fields(50_000))));
    await engine.post("/v1/metadata", { type: "reload_remote_schema", args: { name: "good" } });
    answer = good;
    expect(await ask("{ a }")).toEqual({ data: { a: "x" } });
    await engine.metadata("reload_remote_schema", { name: "good" });
    await isUnharmed();
  });

  it("A redirect or a metadata service address is not introspected", async () => {
    for (const place of [`http://127.0.0.1:${port}/elsewhere`, "http://169.254.169.254/latest"]) {
      answer = (response) => response.writeHead(307, { location: place }).end();
      expect((await add()).status).toBe(400);
    }
    expect(paths).toEqual(["/new", "/new"]);
    const { status, text } = await add("http://169.254.169.254/graphql");
    expect(status).toBe(400);
    expect(text).toContain("may expose credentials");
    await isUnharmed();
  });
});

/** Sends data until the peer closes the connection. */
function endless(response: ServerResponse, start: string): void {
  response.write(start);
  const chunk = '"x",'.repeat(64 * 1024);
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}

describe("Results of hostile remote servers", () => {
  it.each([
    ["is not JSON", "{"],
    ["has extra text after its end", '{"data":{"a":"x"}}{"data":{"a":"y"}}'],
    ["is a list", "[]"],
    ["has no data", "{}"],
    ["lacks the field", '{"data":{"b":1}}'],
    ["is nested endlessly", `{"data":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`],
    ["closes unopened brackets", '{"data":{"a":"x"}},"b":{}}'],
  ])("A remote result is reported as an error if it %s", async (_, text) => {
    answer = (response) => response.end(text);
    expect(await ask("{ a __typename }")).toMatchObject({
      errors: [{ extensions: { code: "remote-schema-error" } }],
    });
    await isUnharmed();
  });

  it("An endless remote result is reported as an error with bounded memory", async () => {
    answer = (response) => endless(response, '{"data":{"a":[');
    const before = process.memoryUsage().rss;
    expect(await ask("{ a }")).toMatchObject({ errors: [{ extensions: { code: "remote-schema-error" } }] });
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 2 ** 20);
    await isUnharmed();
  });

  it("A remote value of another shape is passed on without affecting other fields", async () => {
    for (const value of ["[1,[2]]", '{"a":{}}', "1", "null"]) {
      answer = (response) => response.end(`{"data":{"list":${value}}}`);
      expect(await ask("{ list { id } __typename }")).toEqual({
        data: { list: JSON.parse(value), __typename: "query_root" },
      });
      expect(await ask("{ list { id __typename } __typename }")).toMatchObject({ data: { __typename: "query_root" } });
    }
    await isUnharmed();
  });

  it("A remote server that lost a field returns its own error until it is reloaded", async () => {
    const message = 'Cannot query field "a" on type "Query".';
    const changed = "type Query { b: Int }";
    answer = (response, query) => {
      const isIntrospection = query.includes("__schema");
      response.end(
        JSON.stringify(isIntrospection ? { data: { __schema: schemaOf(changed) } } : { errors: [{ message }] }),
      );
    };
    expect(await ask("{ a }")).toMatchObject({ errors: [{ message }] });
    await engine.metadata("reload_remote_schema", { name: "good" });
    expect(await ask("{ a }")).toMatchObject({ errors: [{ extensions: { code: "validation-failed" } }] });
    answer = good;
    await engine.metadata("reload_remote_schema", { name: "good" });
    await isUnharmed();
  });

  it.each(["http://localhost:PORT/elsewhere", "http://169.254.169.254/latest", "file:///etc/passwd"])(
    "A redirect of a remote server to %s is not followed",
    async (place) => {
      const location = place.replace("PORT", String(port));
      answer = (response) => response.writeHead(307, { location }).end();
      expect(await ask("{ a }")).toMatchObject({ errors: [{ extensions: { code: "remote-schema-error" } }] });
      expect(paths).toEqual(["/good"]);
      await isUnharmed();
    },
  );
});

describe("Addresses of remote servers", () => {
  it("Outbound rules apply to remote subscriptions", async () => {
    await using limited = await limitedEngine("10.0.0.0/8");
    const { text } = await limited.post("/v1/metadata", { type: "get_inconsistent_metadata", args: {} });
    expect(text).toContain("stale remote schema introspection");
    const errors = await subscribed(limited.url, "subscription { s }");
    expect(errors).toContain("HTTP exception occurred");
    expect(paths).toEqual([]);
  });
});

/** Starts another engine on the same metadata that may call only these hosts. */
async function limitedEngine(allowed: string): Promise<TestServer & AsyncDisposable> {
  const limited = await startTestServer({ on: engine, environment: { ENGINE_GRAPHQL_OUTBOUND_ALLOW: allowed } });
  return { ...limited, [Symbol.asyncDispose]: () => limited.stop() };
}

/** Returns the first message about a subscription. */
async function subscribed(url: string, query: string): Promise<string> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/graphql`, "graphql-transport-ws");
  const send = (message: object): void => socket.send(JSON.stringify(message));
  try {
    return await new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("open", () => send({ type: "connection_init" }));
      socket.on("message", (data) => {
        const { type } = JSON.parse(String(data)) as { type: string };
        if (type === "connection_ack") send({ id: "1", type: "subscribe", payload: { query } });
        if (type === "error" || type === "next") resolve(String(data));
      });
    });
  } finally {
    socket.terminate();
  }
}
