/** Configuration code that fails in every possible way: requests are refused, and only the log contains the reason. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EngineConfig } from "../../../runtime/server/embedding/config.d.mts";
import type { Engine } from "../../../runtime/server/embedding/engine.d.mts";
import { openLiveEngine } from "../../../runtime/server/live/open-engine.ts";
import { query as runSql } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
const engines: Engine[] = [];
const lines: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await runSql(server.databaseUrl, "create table note (id int primary key, owner text not null)");
  await runSql(server.databaseUrl, "insert into note values (1, 'ann'), (2, 'bob')");
  await server.metadata("pg_track_table", { source: "default", table: "note" });
  await server.metadata("pg_create_select_permission", {
    source: "default",
    table: "note",
    role: "writer",
    permission: { columns: ["id"], filter: { owner: { _eq: "X-Engine-User-Id" } } },
  });
}, 60_000);

afterEach(async () => {
  lines.length = 0;
  for (const engine of engines.splice(0)) await engine.close();
});

afterAll(() => server?.close());

async function open(config: unknown, more: Readonly<Record<string, string>> = {}): Promise<Engine> {
  const environment = {
    ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "writer",
    ...more,
  };
  const engine = await openLiveEngine(
    { environment, log: (line) => lines.push(line), config: config as EngineConfig },
    "test",
  );
  engines.push(engine);
  return engine;
}

async function ask(
  engine: Engine,
  headers: Record<string, string> = {},
  query = "{ note { id } }",
  variables: unknown = {},
) {
  const response = await engine.fetch(
    new Request("https://app.example/v1/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ query, variables }),
    }),
  );
  return response.json();
}

const internal = { errors: [{ message: "Internal Server Error", extensions: { path: "$", code: "unexpected" } }] };
const isLogged = (text: string) => lines.some((line) => line.includes("the configuration: ") && line.includes(text));
const fail = () => {
  throw new Error("password=hunter2");
};
const hang = () => new Promise<never>(() => undefined);

describe("Hostile session functions", () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["throws", fail, "session: password"],
    ["rejects", async () => fail(), "session: password"],
    ["throws what is no error", () => Promise.reject(undefined), "session: undefined"],
    ["hangs", hang, "no result after 50 ms"],
    ["is a text", () => "admin", "must return an object"],
    ["is a list", () => ["admin"], "must return an object"],
    ["has no role", () => ({}), "role must be a non-empty string"],
    ["has an empty role", () => ({ role: "" }), "role must be a non-empty string"],
    ["has a role that is no text", () => ({ role: { toString: () => "admin" } }), "role must be a non-empty string"],
    [
      "has variables that are no texts",
      () => ({ role: "writer", variables: { "x-engine-user-id": 1 } }),
      "must be a string",
    ],
    ["has a list for variables", () => ({ role: "writer", variables: "x" }), "variables must be"],
    ["has a foreign variable", () => ({ role: "writer", variables: { user: "ann" } }), "is not a session variable"],
    ["has an end that is no time", () => ({ role: "writer", expiresAt: "tomorrow" }), "expiresAt must be"],
    ["has an end that is no number", () => ({ role: "writer", expiresAt: Number.NaN }), "expiresAt must be"],
  ];

  it.each(wrong)(
    "A session function that %s admits no role, including the unauthorized role",
    async (_name, session, message) => {
      const engine = await open({ session, timeoutMilliseconds: 50 });
      expect(await ask(engine, { "x-engine-user-id": "ann" })).toEqual(internal);
      expect(isLogged(message)).toBe(true);
    },
  );

  it("A session that has expired is refused", async () => {
    const engine = await open({ session: () => ({ role: "writer", expiresAt: Date.now() - 1 }) });
    expect(await ask(engine)).toMatchObject({ errors: [{ extensions: { code: "access-denied" } }] });
  });

  it("The role of a session takes precedence over a role among its variables", async () => {
    const variables = { "X-Engine-Role": "admin", "x-engine-user-id": "ann' or '1'='1" };
    const engine = await open({ session: () => ({ role: "writer", variables }) });
    expect(await ask(engine)).toEqual({ data: { note: [] } });
  });

  it("A session function that reads cookies receives none from cross-site requests", async () => {
    const session: EngineConfig["session"] = ({ headers }) =>
      headers.get("cookie") === "user=ann" ? { role: "writer", variables: { "x-engine-user-id": "ann" } } : null;
    const engine = await open({ session }, { ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "nobody" });
    const cookie = "user=ann";
    expect(await ask(engine, { cookie, "sec-fetch-site": "same-origin" })).toEqual({ data: { note: [{ id: 1 }] } });
    const foreign = await ask(engine, { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" });
    expect(foreign).toMatchObject({ errors: [{ message: expect.stringContaining("the cookie is not accepted") }] });
  });
});

describe("Hostile beforeOperation hooks", () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["throws", fail, "beforeOperation: password"],
    ["rejects", async () => fail(), "beforeOperation: password"],
    ["hangs", hang, "no result after 50 ms"],
    ["returns false", () => false, "must not return a value"],
    ["returns true", async () => true, "must not return a value"],
    ["returns a session", () => ({ role: "admin" }), "must not return a value"],
  ];

  it.each(wrong)("A beforeOperation hook that %s prevents every operation", async (_name, beforeOperation, message) => {
    const engine = await open({ beforeOperation, timeoutMilliseconds: 50 });
    const text = "mutation { delete_note(where: {}) { affected_rows } }";
    expect(await ask(engine, { "x-engine-admin-secret": "secret" }, text)).toEqual(internal);
    expect(await runSql(server.databaseUrl, "select count(*)::int from note")).toEqual([{ count: 2 }]);
    expect(isLogged(message)).toBe(true);
  });

  it("A beforeOperation hook that mutates its argument does not change the operation", async () => {
    const engine = await open({
      // biome-ignore lint/suspicious/noExplicitAny: what it does is against its types
      beforeOperation(operation: any) {
        operation.variables.owner = "bob";
        operation.sessionVariables["x-engine-user-id"] = "bob";
        operation.role = "admin";
        operation.query = "{ note { id owner } }";
      },
      session: () => ({ role: "writer", variables: { "x-engine-user-id": "ann" } }),
    });
    const text = "query ($id: Int) { note(where: {id: {_gte: $id}}) { id } }";
    expect(await ask(engine, {}, text, { id: 1 })).toEqual({ data: { note: [{ id: 1 }] } });
  });
});

describe("Hostile afterOperation hooks", () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ["throws", fail],
    ["rejects", async () => fail()],
    ["hangs", hang],
    ["returns nonsense", () => ({ data: null })],
  ];

  it.each(wrong)("An afterOperation hook that %s does not change the response", async (name, afterOperation) => {
    const engine = await open({ afterOperation });
    expect(await ask(engine, { "x-engine-admin-secret": "secret" })).toEqual({
      data: { note: [{ id: 1 }, { id: 2 }] },
    });
    if (name === "throws" || name === "rejects")
      await expect.poll(() => isLogged("afterOperation: password")).toBe(true);
  });
});
