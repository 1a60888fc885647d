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
