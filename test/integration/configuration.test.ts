/** Configuration in code: options, sessions, hooks, and the destination of the log. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "graphql-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { refuse } from "../../runtime/server/config-module/define-config.ts";
import type { EngineConfig, EngineOperation, EngineOutcome } from "../../runtime/server/embedding/config.d.mts";
import type { Engine } from "../../runtime/server/embedding/engine.d.mts";
import { openLiveEngine } from "../../runtime/server/live/open-engine.ts";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
const engines: Engine[] = [];

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await runSql(server.databaseUrl, "create table note (id int primary key, owner text not null)");
  await runSql(server.databaseUrl, "insert into note values (1, 'ann'), (2, 'bob')");
  await server.metadata("pg_track_table", { source: "default", table: "note" });
  const filter = { owner: { _eq: "X-Engine-User-Id" } };
  await server.metadata("pg_create_select_permission", {
    source: "default",
    table: "note",
    role: "writer",
    permission: { columns: ["id"], filter },
  });
  await server.metadata("create_query_collection", {
    name: "saved",
    definition: { queries: [{ name: "notes", query: "query notes { note { id } }" }] },
  });
  await server.metadata("create_rest_endpoint", {
    name: "notes",
    url: "notes",
    methods: ["GET"],
    definition: { query: { collection_name: "saved", query_name: "notes" } },
  });
}, 60_000);

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

afterAll(() => server?.close());

async function open(config: EngineConfig, environment: Readonly<Record<string, string>> = {}): Promise<Engine> {
  const databases = {
    ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
  };
  const engine = await openLiveEngine(
    { environment: { ...databases, ...environment }, log: () => undefined, config },
    "test",
  );
  engines.push(engine);
  return engine;
}

interface Answer {
  readonly data?: { readonly note: readonly unknown[] };
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(engine: Engine, headers: Record<string, string>, body: unknown, path = "/v1/graphql") {
  const response = await engine.fetch(
    new Request(`https://app.example${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, json: (await response.json()) as Answer };
}

const notes = { query: "query N { note { id } }" };
const admin = { "x-engine-admin-secret": "secret" };
const codeOf = ({ json }: { readonly json: Answer }) => json.errors?.[0]?.extensions.code;

/** Authenticates by `Authorization: Ticket ann`. */
const byTicket: EngineConfig["session"] = ({ headers }) => {
  const [kind, user] = headers.get("authorization")?.split(" ") ?? [];
  if (kind !== "Ticket" || user === undefined) return null;
  return { role: "writer", variables: { "X-Engine-User-Id": user } };
};

describe("The session function", () => {
  it("The session function determines role and variables, regardless of the client's claims", async () => {
    const engine = await open({ session: byTicket });
    const claims = { "x-engine-role": "admin", "x-engine-user-id": "bob" };
    const { json } = await ask(engine, { ...claims, authorization: "Ticket ann" }, notes);
    expect(json).toEqual({ data: { note: [{ id: 1 }] } });
  });

  it("The session function leaves other requests to the server's credentials", async () => {
    const engine = await open({ session: byTicket });
    expect(codeOf(await ask(engine, {}, notes))).toBe("access-denied");
    expect((await ask(engine, admin, notes)).json.data?.note).toHaveLength(2);
    const anonymous = await open({ session: byTicket }, { ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous" });
    expect(codeOf(await ask(anonymous, {}, notes))).toBe("validation-failed");
  });

  it("The session function applies to REST, WebSockets and external GraphQL schemas", async () => {
    const engine = await open({ session: async (request) => byTicket(request) });
    const headers = { authorization: "Ticket bob" };
    expect((await ask(engine, headers, undefined, "/api/rest/notes")).json).toEqual({ data: { note: [{ id: 2 }] } });
    expect(await engine.authenticate(headers)).toMatchObject({ role: "writer" });
    const http = createServer(engine.listener).on("upgrade", engine.upgrade).listen(0);
    await once(http, "listening");
    const client = createClient({
      url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { headers },
    });
    const results = client.iterate({ query: "subscription { note { id } }" });
    expect((await results.next()).value).toEqual({ data: { note: [{ id: 2 }] } });
    await client.dispose();
    http.closeAllConnections();
    http.close();
  });

  it("The session function may refuse with a code and a message", async () => {
    const engine = await open({ session: () => refuse("the ticket is torn", { code: "torn", status: 401 }) });
    const { json, status } = await ask(engine, { authorization: "Ticket ann" }, undefined, "/api/rest/notes");
    expect([status, json]).toEqual([401, { path: "$", error: "the ticket is torn", code: "torn" }]);
  });

  it("The session function requires an admin secret", async () => {
    await expect(open({ session: byTicket }, { ENGINE_GRAPHQL_ADMIN_SECRET: "" })).rejects.toThrow(/--admin-secret/);
  });
});

describe("Operation hooks", () => {
  it("Operation hooks receive the operations of all endpoints before and after they run", async () => {
    const seen: [EngineOperation, EngineOutcome?][] = [];
    const engine = await open({
      beforeOperation: (operation) => void seen.push([operation]),
      afterOperation: (operation, outcome) => void seen.push([operation, outcome]),
    });
    const limited = { query: "query ($most: Int) { note(limit: $most) { id } }", variables: { most: 1 } };
    await ask(engine, admin, limited);
    const shown = { api: "graphql", operationName: null, ...limited, role: "admin" };
    expect(seen).toMatchObject([[shown], [shown, { error: null }]]);
    expect(seen[0]?.[0].requestId).toBeTruthy();
    expect(seen[1]?.[1]?.milliseconds).toBeGreaterThanOrEqual(0);
    const apis = async (asking: Promise<unknown>) => {
      seen.length = 0;
      await asking;
      return seen.map(([{ api }]) => api);
    };
    expect(await apis(ask(engine, admin, undefined, "/api/rest/notes"))).toEqual(["rest", "rest"]);
    const url = `/v1/graphql?query=${encodeURIComponent(notes.query)}`;
    expect(await apis(ask(engine, admin, undefined, url))).toEqual(["graphql", "graphql"]);
    const select = { type: "select", args: { table: "note", columns: ["id"] } };
    expect(await apis(ask(engine, admin, select, "/v1/query"))).toEqual(["data", "data"]);
    expect(await apis(ask(engine, admin, [notes, notes]))).toHaveLength(4);
  });

  it("The hook after operations receives errors", async () => {
    const after = vi.fn();
    const engine = await open({ afterOperation: after });
    await ask(engine, admin, { query: "{ nothing }" });
    expect(after.mock.calls[0]?.[1].error).toMatchObject({ code: "validation-failed" });
  });

  it("The hook before operations may refuse an operation at any endpoint before it runs", async () => {
    const engine = await open({
      async beforeOperation({ role }) {
        if (role === "writer") refuse("closed for writers", { code: "closed" });
      },
      session: byTicket,
    });
    const headers = { authorization: "Ticket ann" };
    expect((await ask(engine, headers, notes)).json).toEqual({
      errors: [{ message: "closed for writers", extensions: { path: "$", code: "closed" } }],
    });
    const select = { type: "select", args: { table: "note", columns: ["id"] } };
    expect((await ask(engine, headers, select, "/v1/query")).json).toMatchObject({ code: "closed" });
    expect((await ask(engine, headers, undefined, "/api/rest/notes")).json).toMatchObject({ code: "closed" });
    expect((await ask(engine, admin, notes)).json.data?.note).toHaveLength(2);
  });

  it("The hook after operations is called once when a subscription ends", async () => {
    const after = vi.fn();
    const engine = await open({ afterOperation: after });
    const http = createServer(engine.listener).on("upgrade", engine.upgrade).listen(0);
    await once(http, "listening");
    const client = createClient({
      url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { headers: admin },
    });
    const results = client.iterate({ query: "subscription { note { id } }" });
    await results.next();
    expect(after).not.toHaveBeenCalled();
    await results.return?.();
    await expect.poll(() => after.mock.calls.length, { timeout: 15_000 }).toBe(1);
    await client.dispose();
    http.closeAllConnections();
    http.close();
    expect(after).toHaveBeenCalledOnce();
  });
});

describe("Options in code", () => {
  it("Options in code take precedence over defaults and yield to the environment", async () => {
    const options = { enableRelay: false, corsDomain: ["https://a.example", "https://b.example"], devMode: true };
    const engine = await open({ options }, { ENGINE_GRAPHQL_DEV_MODE: "false" });
    expect((await ask(engine, admin, notes, "/v1/relay")).status).toBe(400);
    const preflight = { origin: "https://b.example", "access-control-request-method": "POST" };
    const answer = await engine.fetch(
      new Request("https://app.example/v1/graphql", { method: "OPTIONS", headers: preflight }),
    );
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://b.example");
  });

  it("Unknown options and members in code are refused with the nearest name", async () => {
    const wrong = { options: { corsDomains: "*", serverPort: "80" }, sesion: 1, log: "no" } as unknown as EngineConfig;
    const error: Error = await open(wrong).then(
      () => new Error("it opened"),
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/sesion: unknown member; did you mean session\?/);
    expect(error.message).toMatch(/log: must be a function/);
    expect(error.message).toMatch(/corsDomains: unknown option; did you mean corsDomain\?/);
    expect(error.message).toMatch(/serverPort: must be a number/);
    await expect(open({ options: { serverPort: 70_000 } })).rejects.toThrow(/serverPort: expecting an integer/);
  });
});

it("A failing log function does not affect requests", async () => {
  const taken: string[] = [];
  const engine = await openLiveEngine(
    {
      environment: {
        ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
        ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
      },
      config: {
        log(line) {
          taken.push(line);
          throw new Error("the disk is full");
        },
      },
    },
    "test",
  );
  engines.push(engine);
  expect((await ask(engine, admin, notes)).json.data?.note).toHaveLength(2);
  expect(taken.some((line) => line.includes('"http-log"'))).toBe(true);
});
