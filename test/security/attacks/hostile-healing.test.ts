/** Remote servers that become hostile after they were added, when they are introspected again. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

type Answer = (response: ServerResponse) => void;

const sdl = `
  type Query { a: String item(id: Int!): Item secret(id: Int!, all: Boolean): String }
  type Item { id: ID name: String }`;

const answerOf = (text: string): string =>
  JSON.stringify({ data: { __schema: introspectionFromSchema(buildSchema(text)).__schema } });
const good = answerOf(sdl);
const values = JSON.stringify({ data: { a: "x", item: { id: "1" }, secret: "s" } });
/** Relationships query under an alias. */
const joined = JSON.stringify({ data: { f0: { id: "1" } } });

let introspect: Answer;
/** Requests sent to the remote server, without introspection. */
let sent: string[] = [];
const remote = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (text.includes("__schema")) introspect(response);
  else {
    sent.push(text);
    response.end(text.includes("f0") ? joined : values);
  }
});
const goodAnswer: Answer = (response) => response.end(good);

let port: number;
let engine: TestServer;
const environment = {
  ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
  ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL: "50",
};
const reader = { "x-engine-role": "reader" };

beforeAll(async () => {
  introspect = goodAnswer;
  await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
  port = (remote.address() as AddressInfo).port;
  engine = await startTestServer({ sealed: false, environment });
  await query(engine.databaseUrl, "create table letter (id integer primary key); insert into letter values (1)");
  await engine.metadata("pg_track_table", { source: "default", table: "letter" });
  const definition = { url: `http://127.0.0.1:${port}/`, timeout_seconds: 4 };
  await engine.metadata("add_remote_schema", { name: "remote", definition });
  await engine.metadata("add_remote_schema_permissions", {
    remote_schema: "remote",
    role: "reader",
    definition: {
      schema: `type Query { a: String item(id: Int!): Item secret(id: Int! @preset(value: 7)): String }
        type Item { id: ID }`,
    },
  });
  const item = { item: { arguments: { id: "$id" } } };
  await engine.metadata("pg_create_remote_relationship", {
    source: "default",
    table: "letter",
    name: "item",
    definition: { to_remote_schema: { remote_schema: "remote", lhs_fields: ["id"], remote_field: item } },
  });
}, 60_000);

afterEach(() => {
  sent = [];
});

afterAll(async () => {
  await engine?.close();
  remote.closeAllConnections();
  await new Promise((resolve) => remote.close(resolve));
});

const int = '{"kind":"SCALAR","name":"Int"}';
const field = (name: string, type = int, args = "") => `{"name":"${name}","args":[${args}],"type":${type}}`;
const object = (name: string, fields: string): string =>
  `{"kind":"OBJECT","name":"${name}","fields":[${fields}],"interfaces":[]}`;
const withTypes = (...types: string[]): string =>
  `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[${types.join()}],"directives":[]}}}`;
const fields = (count: number) => Array.from({ length: count }, (_, i) => field(`f${i}`)).join();

function endless(response: ServerResponse): void {
  response.write('{"data":{"__schema":{"types":[');
  const chunk = '"x",'.repeat(64 * 1024);
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}

/** Sends one blank every 100 ms, forever. */
function drip(response: ServerResponse): void {
  response.write('{"data":');
  const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write(" ")), 100);
}

const input = '{"kind":"INPUT_OBJECT","name":"I"}';
const cyclic = withTypes(
  object("Query", `${field("a")},${field("f", int, `{"name":"i","type":${input}}`)}`),
  `{"kind":"INPUT_OBJECT","name":"I","inputFields":[{"name":"i","type":{"kind":"NON_NULL","ofType":${input}}}]}`,
);
const ofItself = withTypes(
  object("Query", field("a", '{"kind":"UNION","name":"U"}')),
  '{"kind":"UNION","name":"U","possibleTypes":[{"name":"U"}]}',
);

/** Created once, because the engine runs in this process. */
const enormous = Buffer.from(withTypes(object("Query", fields(200_000))));

/** Unusable responses, with the reason. */
const unusable: readonly (readonly [name: string, answer: Answer, reason: string])[] = [
  ["200,000 fields", (response) => response.end(enormous), "more than 20000 fields"],
  ["a union of itself", (response) => response.end(ofItself), "cannot include 'U'"],
  ["HTML", (response) => response.end("<html>"), "is not valid JSON"],
  ["an endless text", endless, "HTTP exception"],
  ["one byte at a time", drip, "HTTP exception"],
  [
    "a redirect to a metadata service",
    (response) => response.writeHead(307, { location: "http://169.254.169.254/latest" }).end(),
    "is not valid JSON",
  ],
];

/** Returns the longest time in milliseconds between two turns of the event loop during `work`. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

const everything = "{ letter { id item { id } } a item(id: 1) { id } }";
const answered = { data: { letter: [{ id: 1, item: { id: "1" } }], a: "x", item: { id: "1" } } };

describe("Reloads of hostile remote servers", () => {
  it.each(unusable)(
    "A reload is refused with the reason and changes no schema if the server sends %s",
    async (_, answer, reason) => {
      introspect = answer;
      try {
        const { status, text } = await engine.post("/v1/metadata", {
          type: "reload_remote_schema",
          args: { name: "remote" },
        });
        expect([status, text]).toEqual([500, expect.stringContaining(reason)]);
        expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
        expect(await engine.graphql("{ a item(id: 1) { id } secret }", reader)).toEqual({
          data: { a: "x", item: { id: "1" }, secret: "s" },
        });
      } finally {
        introspect = goodAnswer;
      }
    },
  );
});

/** Starts a server whose remote schema is unreachable at start-up and later returns `answer`. */
async function healing(answer: Answer, check: (server: TestServer) => Promise<void>): Promise<void> {
  introspect = (response) => response.destroy();
  const server = await startTestServer({ sealed: false, on: engine, environment });
  try {
    introspect = answer;
    await check(server);
  } finally {
    introspect = goodAnswer;
    await server.stop();
    // Replaces the stored schema by the server's.
    await engine.metadata("reload_remote_schema", { name: "remote" });
  }
}

const reasonsOf = async (server: TestServer): Promise<string> =>
  JSON.stringify(await server.metadata("get_inconsistent_metadata", {}));

describe("Healing of hostile remote servers", () => {
  it.each(unusable)(
    "A retried server keeps its previous schema and reports the reason if it sends %s",
    async (_, answer, reason) => {
      await healing(answer, async (server) => {
        await vi.waitFor(async () => expect(await reasonsOf(server)).toContain(reason), { timeout: 10_000 });
        expect(await server.graphql(everything)).toEqual(answered);
        expect(await server.graphql("{ secret item(id: 1) { name } }", reader)).toMatchObject({
          errors: [{ message: "field 'name' not found in type: 'Item'" }],
        });
      });
    },
  );

  const changed = (query: string, item = "id: ID name: String password: String") =>
    answerOf(`type Query { ${query} } type Item { ${item} }`);

  it.each([
    ["more fields of a type", changed("a: String item(id: Int!): Item secret(id: Int!, all: Boolean): String"), []],
    ["another type of a field", changed("a: Item item(id: Int!): Item secret(id: Int!): String"), ["a"]],
    [
      "another type of an argument",
      changed("a: String item(id: String!): Item secret(id: String!): String"),
      ["item", "secret"],
    ],
    [
      "required arguments",
      changed("a: String item(id: Int!, all: Boolean!): Item secret(id: Int!, all: Boolean!): String"),
      ["item", "secret"],
    ],
    ["an input that contains itself", cyclic, ["a", "item", "secret"]],
  ])("A retried server with %s widens no permission and no relationship", async (_, schema, lost) => {
    await healing(
      (response) => response.end(schema),
      async (server) => {
        await vi.waitFor(async () => expect(await reasonsOf(server)).not.toContain("stale"), { timeout: 10_000 });
        sent = [];
        expect(await server.graphql("{ letter { id } }")).toEqual({ data: { letter: [{ id: 1 }] } });
        const seen = await server.graphql('{ __type(name: "Item") { fields { name } } }', reader);
        const types = lost.length === 0 ? { fields: [{ name: "id" }] } : null;
        expect(seen).toEqual({ data: { __type: types } });
        for (const name of ["a", "item(id: 1) { id }", "secret"]) {
          const isLost = lost.length > 0;
          expect(await server.graphql(`{ ${name} }`, reader)).toHaveProperty(isLost ? "errors" : "data");
        }
        for (const text of ["{ item(id: 1) { password } }", "{ secret(id: 1) }", "{ secret(all: true) }"]) {
          expect(await server.graphql(text, reader)).toHaveProperty("errors");
        }
        if (lost.length > 0) expect(sent).toEqual([]);
        if (lost.length > 0) expect(await reasonsOf(server)).toContain("role-based schema failed");
        if (lost.includes("item")) {
          expect(await server.graphql("{ letter { id item { id } } }")).toHaveProperty("errors");
        }
      },
    );
  });
});

it("Twenty hostile servers in one change delay no request, and each is inconsistent with its reason", async () => {
  const metadata = (await engine.metadata("export_metadata", {})) as { sources: object[]; remote_schemas: object[] };
  const own = metadata.remote_schemas;
  const hostile = Array.from({ length: 20 }, (_, i) => ({
    name: `hostile_${i}`,
    definition: { url: `http://127.0.0.1:${port}/${i}`, timeout_seconds: 4 },
  }));
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4 && best > 200; run++) {
    let next = 0;
    introspect = (response) => unusable[next++ % unusable.length]?.[1](response);
    let isOver = false;
    let probes = 0;
    const probing = (async () => {
      for (; !isOver; probes++) {
        expect(await engine.graphql("{ letter { id } }")).toEqual({ data: { letter: [{ id: 1 }] } });
      }
    })();
    const pause = await longestPause(async () => {
      const answer = await engine.post("/v1/metadata", {
        type: "replace_metadata",
        version: 2,
        args: { allow_inconsistent_metadata: true, metadata: { ...metadata, remote_schemas: [...own, ...hostile] } },
      });
      expect([answer.status, answer.json.is_consistent]).toEqual([200, false]);
    });
    isOver = true;
    await probing;
    expect(probes).toBeGreaterThan(10);
    const found = (await engine.metadata("get_inconsistent_metadata", {})) as { name: string; reason: string }[];
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      hostile.map(({ name }) => `remote_schema ${name}`).toSorted(),
    );
    for (const { reason } of found) expect(unusable.some(([, , part]) => reason.includes(part))).toBe(true);
    introspect = goodAnswer;
    await engine.metadata("replace_metadata", metadata);
    best = Math.min(best, pause);
  }
  expect(best).toBeLessThan(200);
  expect(await engine.graphql(everything)).toEqual(answered);
}, 90_000);
