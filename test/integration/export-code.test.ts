/** `export_client` and `export_handlers`: code for front ends and for the services that the engine calls. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

const secret = { "x-engine-admin-secret": "s" };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  const sql = "create table note (id int primary key, text text not null, owner text)";
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  const reader = { table: "note", role: "reader", permission: { columns: ["id", "text"], filter: {} } };
  for (const [type, args] of [
    ["pg_track_table", { table: "note" }],
    ["pg_create_select_permission", reader],
    ["set_custom_types", { objects: [{ name: "Receipt", fields: [{ name: "number", type: "Int!" }] }] }],
    [
      "create_action",
      {
        name: "pay",
        definition: {
          kind: "synchronous",
          handler: "http://localhost:1",
          arguments: [{ name: "amount", type: "Int!" }],
          output_type: "Receipt",
        },
      },
    ],
  ] as const) {
    expect((await server.post("/v1/metadata", { type, args }, secret)).json).toEqual({ message: "success" });
  }
}, 120_000);

afterAll(() => server?.close());

const run = async (type: string, args: object) => (await server.post("/v1/metadata", { type, args }, secret)).json;

describe("export_client", { timeout: 60_000 }, () => {
  it("returns typed documents with the types of the role", async () => {
    const document = "query Notes($limit: Int!) { note(limit: $limit) { ...part } } fragment part on note { text }";
    const { text } = await run("export_client", { document, role: "reader" });
    expect(text).toContain("export interface NotesVariables");
    expect(text).toMatch(/readonly limit: number/);
    expect(text).toContain("export const NotesDocument");
    expect(text).toMatch(/readonly text: string/);
    const { text: texts } = await run("export_client", { document: "{ note { id } }", document_mode: "string" });
    expect(texts).toContain("export type OperationResult");
    expect(texts).not.toContain('from "graphql"');
  });

  it("refuses a document that the role cannot run, with its line, and an unknown role", async () => {
    const document = "{ note {\n owner } }";
    expect(await run("export_client", { document })).toHaveProperty("text");
    expect(await run("export_client", { document, role: "reader" })).toMatchObject({
      code: "validation-failed",
      path: "$.args.document",
      error: expect.stringMatching(/^line 2, column 2: Cannot query field "owner"/),
    });
    expect(await run("export_client", { document: "{ note {" })).toMatchObject({ code: "validation-failed" });
    expect(await run("export_client", { document, role: "redaer" })).toMatchObject({
      code: "not-exists",
      path: "$.args.role",
    });
  });
});

describe("export_handlers", { timeout: 60_000 }, () => {
  it("returns the files of a handler and the types that it imports", async () => {
    const { files } = await run("export_handlers", { names: ["pay"] });
    expect(files.map(({ path }: { readonly path: string }) => path)).toEqual(["generated.ts", "actions/pay.ts"]);
    expect(files[0].text).toContain("export interface Receipt");
    expect(files[1].text).toContain("export async function pay(");
  });

  it("refuses an unknown name, and is for administrators only", async () => {
    expect(await run("export_handlers", { names: ["pay", "pey"] })).toMatchObject({
      code: "not-exists",
      path: "$.args.names[1]",
    });
    const headers = { ...secret, "x-engine-role": "reader" };
    for (const type of ["export_handlers", "export_client"]) {
      const { json } = await server.post("/v1/metadata", { type, args: { document: "{ note { id } }" } }, headers);
      expect(json).toMatchObject({ code: "access-denied" });
    }
  });
});
