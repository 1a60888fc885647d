/**
 * Headers of requests to action handlers, cookies of their responses, and logging of both (`docs/how-to/actions.md`).
 */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, type ActionRequest, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let handler: ActionHandlerServer;
/** Servers with the default precedence, and with precedence of configured headers. */
let usual: TestServer;
let configured: TestServer;

const answer = ({ path }: ActionRequest, response: ServerResponse): void => {
  response.writeHead(200, { "set-cookie": [`from=${path.slice(1)}`, "second=2; Path=/"] }).end("1");
};

beforeAll(async () => {
  handler = await startActionHandler(answer);
  const environment = {
    ENGINE_GRAPHQL_CORS_DOMAIN: "http://client.example",
    HANDLER: `http://127.0.0.1:${handler.port}`,
    TOKEN: "configured token",
  };
  usual = await startTestServer({ sealed: false, environment });
  const headers = [
    { name: "X-Token", value_from_env: "TOKEN" },
    { name: "X-Own", value: "configured" },
    { name: "Content-Type", value: "application/configured" },
    { name: "User-Agent", value: "configured/1" },
  ];
  const action = (name: string, more: object) => ({
    type: "create_action",
    args: { name, definition: { handler: `{{HANDLER}}/${name}`, output_type: "Int!", headers, ...more } },
  });
  const queries = [{ name: "cookies", query: "query cookies { plain }" }];
  await usual.metadata("bulk", [
    action("plain", { type: "query" }),
    action("forwarding", { type: "query", forward_client_headers: true }),
    action("choosy", { type: "query", forward_client_headers: true, ignored_client_headers: ["X-Own", "cookie"] }),
    action("change", { forward_client_headers: true }),
    action("later", { kind: "asynchronous", forward_client_headers: true }),
    { type: "create_query_collection", args: { name: "desk", definition: { queries } } },
    {
      type: "create_rest_endpoint",
      args: {
        name: "cookies",
        url: "cookies",
        methods: ["POST"],
        definition: { query: { collection_name: "desk", query_name: "cookies" } },
      },
    },
  ]);
  const more = {
    ENGINE_GRAPHQL_CONFIGURED_HEADER_PRECEDENCE: "true",
    ENGINE_GRAPHQL_REDACT_ACTION_HANDLER_LOGS: "true",
    ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,action-handler-log",
    ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: "0",
  };
  configured = await startTestServer({ sealed: false, on: usual, environment: { ...environment, ...more } });
}, 60_000);

afterAll(async () => {
  await configured?.stop();
  await usual?.close();
  await handler?.close();
});

const client = {
  ...{ "x-own": "client", "x-token": "client", "x-more": "client", cookie: "a=b", authorization: "Bearer t" },
  ...{ "user-agent": "client/1", "accept-language": "de", dnt: "1" },
  ...{ "X-Engine-User-Id": "7", "x-engine-role": "admin" },
};

async function headersOf(
  query: string,
  server = usual,
  more: Readonly<Record<string, string>> = {},
): Promise<ActionRequest["headers"]> {
  const before = handler.requests.length;
  const { json } = await server.post("/v1/graphql", { query }, { ...client, ...more });
  expect(json.errors).toBeUndefined();
  await vi.waitFor(() => expect(handler.requests.length).toBeGreaterThan(before), 5000);
  return handler.requests.at(-1)?.headers ?? {};
}

describe("Headers of action handlers", () => {
  it("A handler receives configured and default headers but no client headers", async () => {
    const headers = await headersOf("{ plain }");
    expect(headers).toMatchObject({
      "x-token": "configured token",
      "x-own": "configured",
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^engine-graphql-engine\/v/),
    });
    for (const name of ["cookie", "authorization", "x-more", "x-engine-user-id", "x-forwarded-host"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it.each([["{ forwarding }"], ["mutation { change }"], ["mutation { later }"]])(
    "A handler with forwarding receives client headers that replace others: %s",
    async (query) => {
      const headers = await headersOf(query);
      expect(headers).toMatchObject({
        "x-own": "client",
        "x-token": "client",
        "x-more": "client",
        cookie: "a=b",
        authorization: "Bearer t",
        "content-type": "application/json",
        "user-agent": expect.stringMatching(/^engine-graphql-engine\/v/),
        "x-forwarded-user-agent": "client/1",
        "x-forwarded-host": new URL(usual.url).host,
      });
      for (const name of ["accept-language", "dnt", "x-engine-user-id", "x-engine-role"]) {
        expect(headers).not.toHaveProperty(name);
      }
    },
  );

  it("A handler receives other client headers if its action lists them", async () => {
    const origin = "http://client.example";
    const headers = await headersOf("{ choosy }", usual, { origin });
    expect(headers).toMatchObject({
      "x-own": "configured",
      "x-more": "client",
      "accept-language": "de",
      dnt: "1",
      origin,
      "x-forwarded-origin": origin,
      "user-agent": "client/1",
      "content-type": "application/json",
    });
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("x-engine-user-id");
  });

  it("Configured headers take precedence over client headers if the engine is configured so", async () => {
    expect(await headersOf("{ forwarding }", configured)).toMatchObject({
      "x-token": "configured token",
      "x-own": "configured",
      "x-more": "client",
      "content-type": "application/configured",
      "user-agent": "configured/1",
    });
  });

  it("A handler receives the headers of a WebSocket connection", async () => {
    const socket = await WebsocketClient.open(usual.url, { protocol: "graphql-transport-ws" });
    socket.send({ type: "connection_init", payload: { headers: { "x-more": "payload", "x-engine-user-id": "7" } } });
    socket.send({ id: "1", type: "subscribe", payload: { query: "{ forwarding }" } });
    for (;;) {
      const message = (await socket.next()) as { readonly type: string; readonly payload?: unknown };
      if (message.type !== "next") continue;
      expect(message.payload).toEqual({ data: { forwarding: 1 } });
      break;
    }
    socket.close();
    expect(handler.requests.at(-1)?.headers).toMatchObject({ "x-more": "payload", "x-token": "configured token" });
    expect(handler.requests.at(-1)?.headers).not.toHaveProperty("x-engine-user-id");
    expect(JSON.parse(handler.requests.at(-1)?.text ?? "{}").session_variables).toEqual({
      "x-engine-role": "admin",
      "x-engine-user-id": "7",
    });
  });
});

describe("Cookies of actions", () => {
  const cookies = async (query: string) => (await usual.post("/v1/graphql", { query })).headers.getSetCookie();

  it("Cookies of every called handler reach the client", async () => {
    expect(await cookies("{ plain }")).toEqual(["from=plain", "second=2; Path=/"]);
    expect(new Set(await cookies("{ plain forwarding }"))).toEqual(
      new Set(["from=plain", "from=forwarding", "second=2; Path=/"]),
    );
    expect(await cookies("mutation { change }")).toEqual(["from=change", "second=2; Path=/"]);
  });

  it("Cookies reach the client of a REST endpoint, but not from an asynchronous action", async () => {
    const { headers } = await usual.post("/api/rest/cookies", {});
    expect(headers.getSetCookie()).toEqual(["from=plain", "second=2; Path=/"]);
    expect(await cookies("mutation { later }")).toEqual([]);
  });
});

describe("The log of actions", () => {
  it("The log contains no payloads of calls if they are redacted", async () => {
    await headersOf("{ forwarding }", configured);
    const lines = configured.log.filter((line) => line.includes("action-handler-log"));
    const { detail } = JSON.parse(lines.at(-1) ?? "{}");
    expect(detail).toEqual({
      request_size: expect.any(Number),
      response_size: 1,
      action_name: "forwarding",
      action_type: "query",
    });
    expect(lines.join("")).not.toContain("x-engine-user-id");
  });
});
