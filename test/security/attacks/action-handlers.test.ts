/** Requests that clients cause actions to send, and responses of malicious handlers. */

import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
let answer: (response: ServerResponse) => void = (response) => response.end("{}");

const pairs = "{{ range _, x := $body.input.l }} {{ range _, y := $body.input.l }} {{ x == y }} {{ end }} {{ end }}";

const admin = { "x-engine-admin-secret": "very-secret" };

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response));
  engine = await startTestServer({
    environment: {
      HANDLER: `http://127.0.0.1:${handler.port}/handler`,
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anyone",
    },
  });
  const sql = "create table person (id int primary key, name text); insert into person values (1, 'Ann'), (2, 'Bob')";
  await engine.post("/v2/query", { type: "run_sql", args: { sql } }, admin);
  const relationship = { name: "person", type: "object", remote_table: "person", field_mapping: { id: "id" } };
  const definition = { handler: "{{HANDLER}}", forward_client_headers: true, ignored_client_headers: [] };
  const create = (name: string, more: object) => [
    { type: "create_action", args: { name, definition: { ...definition, ...more } } },
    { type: "create_action_permission", args: { action: name, role: "anyone" } },
  ];
  const { status, text } = await engine.post(
    "/v1/metadata",
    {
      type: "bulk",
      args: [
        { type: "pg_track_table", args: { table: "person" } },
        {
          type: "pg_create_select_permission",
          args: { table: "person", role: "anyone", permission: { columns: ["name"], filter: { id: 1 } } },
        },
        {
          type: "set_custom_types",
          args: { objects: [{ name: "Found", fields: [{ name: "id", type: "Int" }], relationships: [relationship] }] },
        },
        ...create("find", { type: "query", output_type: "[Found]" }),
        ...create("pairs", {
          type: "query",
          output_type: "json",
          arguments: [{ name: "l", type: "json" }],
          timeout: 0,
          request_transform: { version: 2, body: { action: "transform", template: pairs } },
        }),
        ...create("say", { type: "query", output_type: "json", arguments: [{ name: "what", type: "json" }] }),
      ],
    },
    admin,
  );
  if (status !== 200) throw new Error(text);
});

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

describe("Clients of actions", () => {
  it("An action's transform never runs longer than the timeout of the action", async () => {
    const query = "query ($l: json) { pairs(l: $l) }";
    const { json } = await engine.post("/v1/graphql", { query, variables: { l: [...Array(500).keys()] } }, admin);
    expect(json).toMatchObject({
      errors: [
        {
          message: "Request Transformation Failed",
          extensions: {
            internal: {
              error: {
                errors: [{ error_code: "Limit Error", message: "Evaluating the template takes longer than 0 ms." }],
              },
            },
          },
        },
      ],
    });
  });

  it("An action handler receives the client's own headers, but no session variables, secrets, length or host among them", async () => {
    answer = (response) => response.end("null");
    const { port } = new URL(engine.url);
    const body = JSON.stringify({ query: "{ say }" });
    const head = [
      "POST /v1/graphql HTTP/1.1",
      "Host: attacker.example",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "X-Engine-Role: anyone",
      "X-Engine-User-Id: 1",
      "X-Own: mine",
      "TE: trailers",
      "Accept-Encoding: gzip",
      "Connection: close",
    ];
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\n\r\n${body}`));
      socket.on("close", () => resolve());
      socket.on("error", reject);
      socket.resume();
    });
    const { headers, text } = handler.requests.at(-1) ?? { headers: {}, text: "" };
    expect(headers).toMatchObject({
      "x-own": "mine",
      host: `127.0.0.1:${handler.port}`,
      "x-forwarded-host": "attacker.example",
    });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    for (const name of ["te", "accept-encoding", "x-engine-role", "x-engine-user-id"])
      expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(handler.requests)).not.toContain("very-secret");
  });

  it.each([
    { a: 'x", "session_variables": {"x-engine-role": "admin"}, "b": "' },
    { session_variables: { "x-engine-role": "admin" } },
    "\r\nx-injected: 1",
    "{{HANDLER}}",
  ])("A client's argument cannot change the payload of an action: %j", async (what) => {
    answer = (response) => response.end("null");
    await ask("query ($what: json) { say(what: $what) }", { what });
    const { headers, text } = handler.requests.at(-1) ?? { headers: {}, text: "{}" };
    const body = JSON.parse(text);
    expect(body.input).toEqual({ what });
    expect(body.session_variables).toEqual({ "x-engine-role": "anyone" });
    expect(headers).not.toHaveProperty("x-injected");
  });
});

describe("Hostile action handlers", () => {
  it("An action handler is called only if outbound rules allow its address", async () => {
    answer = (response) => response.end("null");
    const before = handler.requests.length;
    const strict = await startTestServer({
      environment: {
        HANDLER: `http://127.0.0.1:${handler.port}/handler`,
        ENGINE_GRAPHQL_OUTBOUND_ALLOW: "other.example",
      },
    });
    try {
      const definition = { handler: "{{HANDLER}}", output_type: "json", type: "query" };
      await strict.metadata("create_action", { name: "say", definition });
      expect(await strict.graphql("{ say }")).toMatchObject({
        errors: [{ extensions: { internal: { error: expect.stringContaining("not among the hosts") } } }],
      });
      expect(handler.requests).toHaveLength(before);
    } finally {
      await strict.close();
    }
  });

  it.each(["1); drop table person; --", "1' or '1'='1", { or: 1 }, "9999999999999"])(
    "A value from an action handler never becomes SQL: %j",
    async (id) => {
      answer = (response) => response.end(JSON.stringify([{ id }]));
      const { data, errors } = await ask("{ find { person { name } } }");
      expect(errors?.length === 1 || data.find[0].person === null).toBe(true);
      const { json } = await engine.post("/v1/graphql", { query: "{ person { name } }" }, admin);
      expect(json.data.person).toHaveLength(2);
    },
  );

  it("Relationships of an action's result show only rows that the role may select", async () => {
    answer = (response) => response.end('[{ "id": 1 }, { "id": 2 }]');
    expect(await ask("{ find { id person { name } } }")).toEqual({
      data: {
        find: [
          { id: 1, person: { name: "Ann" } },
          { id: 2, person: null },
        ],
      },
    });
  });

  it("An action handler cannot set the values of other fields or add members to the response", async () => {
    answer = (response) => response.end('[{ "id": 1, "person": { "name": "Eve" }, "__typename": "Eve", "more": 1 }]');
    expect(await ask("{ find { __typename person { name } } }")).toEqual({
      data: { find: [{ __typename: "Found", person: { name: "Ann" } }] },
    });
  });

  it("A result of 50,000 objects with a relationship reads its rows in one statement", async () => {
    const objects = Array.from({ length: 50_000 }, (_, i) => ({ id: i + 1 }));
    answer = (response) => response.end(JSON.stringify(objects));
    const { data } = await ask("{ find { person { name } } }");
    expect(data.find).toHaveLength(50_000);
    expect(data.find.slice(0, 2)).toEqual([{ person: { name: "Ann" } }, { person: null }]);
  });

  it("A deeply nested result of an action handler is refused", async () => {
    answer = (response) => response.end(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect((await ask("{ say }")).errors[0].message).toBe("not a valid json response from webhook");
    expect((await ask("{ __typename }")).data).toEqual({ __typename: "query_root" });
  });

  it("A malformed cookie of an action handler is refused", async () => {
    answer = (response) => {
      response.socket?.end("HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=\u0001\r\ncontent-length: 2\r\n\r\n[]");
    };
    const { headers, json } = await engine.post("/v1/graphql", { query: "{ find { id } }" });
    expect(json.errors[0].message).toBe("http exception when calling webhook");
    expect(headers.getSetCookie()).toEqual([]);
  });
});
