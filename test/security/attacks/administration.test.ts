/** Attacks on what administrators read: operations that hide from statistics, and names that forge a report. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolePermissions } from "../../../compiler/access/permissions.ts";
import { accessMarkdown, accessText } from "../../../runtime/cli/access/format.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const secret = { "x-engine-admin-secret": "s" };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  await query(
    server.databaseUrl,
    "create table item (id int primary key); insert into item values (1);" +
      "create view slow as select id, pg_sleep(0.3)::text as lazy from item",
  );
  const select = { table: "slow", role: "user", permission: { columns: ["lazy"], filter: {} } };
  for (const [type, args] of [
    ["pg_track_table", { table: "slow" }],
    ["pg_create_select_permission", select],
  ] as const) {
    expect((await server.post("/v1/metadata", { type, args }, secret)).json).toEqual({ message: "success" });
  }
}, 120_000);

afterAll(() => server?.close());

describe("Slow operations", () => {
  it.each([
    "query Hidden { slow { lazy } }",
    "query Hidden { __typename slow { lazy } }",
    "query Hidden { __schema: slow { lazy } }",
    "query Hidden { ...part } fragment part on query_root { slow { lazy } }",
  ])("A client cannot hide a slow operation with the mark of the console: %s", async (text) => {
    const named = text.replace("Hidden", `Hidden${text.length}`);
    const headers = { ...secret, "x-engine-role": "user", "engine-client": "console" };
    const { json } = await server.post("/v1/graphql", { query: named }, headers);
    expect(json.errors).toBeUndefined();
    const { json: listed } = await server.post("/v1/metadata", { type: "get_slow_operations", args: {} }, secret);
    expect((listed as readonly { query: string }[]).map(({ query: each }) => each)).toContain(named);
  });
});

describe("Explanations of access", () => {
  const attack = "1) or true; drop table item; --";

  it("Values of a row, of a write and of the session are never part of the SQL", async () => {
    const permission = { columns: ["lazy"], filter: { lazy: { _eq: "X-Engine-Name" } } };
    const change = { type: "pg_create_select_permission", args: { table: "slow", role: "named", permission } };
    expect((await server.post("/v1/metadata", change, secret)).json).toEqual({ message: "success" });
    const session = { "x-engine-name": attack };
    const explained = async (row: object) =>
      (await server.post("/v1/metadata", explain({ role: "named", session, on: { table: "slow", row } }), secret)).json;
    expect(await explained({ lazy: attack })).toMatchObject({ verdict: "denied" });
    expect((await explained({ id: attack })).reason).toContain("invalid input syntax");
    expect(await explained({ id: 1 })).toMatchObject({ verdict: "denied", rows: { result: false } });
    expect(await query(server.databaseUrl, "select id from item")).toEqual([{ id: 1 }]);
  });

  it("SQL is not a name of a column", async () => {
    const args = { role: "user", on: { table: "slow", row: { 'id" = 1 or "id': 1 } } };
    const { json } = await server.post("/v1/metadata", explain(args), secret);
    expect(json).toMatchObject({ code: "not-exists" });
  });

  it("Names of members of every object name no root field, argument or role", async () => {
    for (const name of ["__proto__", "constructor", "toString", "item.__proto__", ".", "hasOwnProperty"]) {
      for (const root of [{ name }, { name: "item", argument: name }, { name: "item", argument: `where.${name}` }]) {
        for (const role of ["user", name]) {
          const { status, json } = await server.post("/v1/metadata", explain({ role, root_field: root }), secret);
          expect({ status, verdict: json.verdict }, JSON.stringify([role, root])).toEqual({
            status: 200,
            verdict: "denied",
          });
        }
      }
    }
  });

  it("A long path of an argument is refused before it is followed", async () => {
    const argument = ["where", ...Array.from({ length: 100_000 }, () => "_and")].join(".");
    const root = { name: "item", argument };
    const { json } = await server.post("/v1/metadata", explain({ role: "admin", root_field: root }), secret);
    expect(json).toMatchObject({ code: "parse-failed", path: "$.args.root_field.argument" });
  });

  it("A slow filter ends at the time limit of the role", async () => {
    await query(server.databaseUrl, "create view sleepy as select id, pg_sleep(60)::text as lazy from item");
    const permission = { columns: ["id"], filter: { lazy: { _eq: "" } } };
    for (const [type, args] of [
      ["pg_track_table", { table: "sleepy" }],
      ["pg_create_select_permission", { table: "sleepy", role: "user", permission }],
      ["set_api_limits", { disabled: false, time_limit: { global: 60, per_role: { user: 1 } } }],
    ] as const) {
      expect((await server.post("/v1/metadata", { type, args }, secret)).json).toEqual({ message: "success" });
    }
    const args = { role: "user", on: { table: "sleepy", row: { id: 1 } } };
    const { json } = await server.post("/v1/metadata", explain(args), secret);
    expect(json).toMatchObject({ code: "time-limit-exceeded" });
    await server.post("/v1/metadata", { type: "remove_api_limits", args: {} }, secret);
  }, 30_000);

  const explain = (args: object) => ({ type: "explain_access", args });
});

describe("Effective permissions", () => {
  const hostile = "x | y <img src=x> `\n| admin | select | \u001b[31m\u202e";
  const role: RolePermissions = {
    parents: [hostile],
    introspection: true,
    limits: {},
    tables: {
      [hostile]: {
        select: {
          columns: [hostile],
          computed_fields: [],
          rows: { [hostile]: hostile },
          only_in_rows_of: { [hostile]: [hostile] },
          aggregations: false,
        },
        insert: { columns: [], presets: { [hostile]: hostile }, nested: { [hostile]: hostile }, backend_only: false },
      },
    },
    functions: {},
    actions: [hostile],
    remote_schemas: { [hostile]: "" },
    saved_operations: [hostile],
  };

  it("Names cannot add rows, elements or control characters to the Markdown", () => {
    const lines = accessMarkdown({ [hostile]: role }).split("\n");
    const rows = lines.filter((line) => line.startsWith("| "));
    // The head, its underline, two permissions, an action, a remote schema and a saved operation.
    expect(rows).toHaveLength(7);
    for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(5);
    const outside = lines.join("\n").replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, "");
    expect(outside).not.toContain("<img");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the subject
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it("Names cannot add lines or control characters to the text", () => {
    const text = accessText({ [hostile]: role });
    expect(text.split("\n").filter((line) => line.startsWith("role "))).toHaveLength(1);
    expect(text).not.toMatch(/^\| admin/m);
    expect(text).not.toContain("\u001b");
  });
});
