/** `plan_metadata` and `export_generated_code`: the effect of a change, and the code that runs now, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

const secret = { "x-engine-admin-secret": "s" };
const ask = (type: string, args: unknown, headers: Record<string, string> = secret) =>
  server.post("/v1/metadata", { type, args }, headers);

const permission = (columns: readonly string[], filter: unknown, role = "user") => ({
  type: "pg_create_select_permission",
  args: { table: "book", role, permission: { columns, filter } },
});
const drop = { type: "pg_drop_select_permission", args: { table: "book", role: "user" } };

const replaced = (by: unknown) => [drop, by];

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  const sql =
    "create table book (id int primary key, title text not null, owner text, price int); create table shelf (id int primary key, room text);";
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  for (const { type, args } of [
    { type: "pg_track_table", args: { table: "book" } },
    { type: "pg_track_table", args: { table: "shelf" } },
    // The role exists without its permission on books.
    {
      type: "pg_create_select_permission",
      args: { table: "shelf", role: "user", permission: { columns: ["id"], filter: {} } },
    },
    permission(["id", "title"], { owner: { _eq: "X-Engine-User-Id" } }),
  ]) {
    expect((await ask(type, args)).status).toBe(200);
  }
  await ask("add_inherited_role", { role_name: "staff", role_set: ["user"] });
});

afterAll(() => server.close());

describe("The plan_metadata operation", () => {
  it("plan_metadata shows widened access of a role and its heirs with their modules before and after", async () => {
    const before = await ask("export_metadata", {});
    const operations = replaced(permission(["id", "title", "price"], {}));
    const { status, json } = await ask("plan_metadata", { operations, roles: ["user"] });
    expect(status).toBe(200);
    expect(json.summary.widens).toBeGreaterThan(0);
    const widening = json.access.filter(({ effect }: { effect: string }) => effect === "widens");
    expect(widening).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ role: "user", aspect: "select column", name: "price", kind: "added" }),
        expect.objectContaining({ role: "staff", aspect: "select column", name: "price" }),
      ]),
    );
    const view = json.modules.find(({ path }: { path: string }) => path === "roles/user/default/public.book.ts");
    expect(view).toMatchObject({ kind: "changed", before: expect.stringContaining('"owner"') });
    expect(view.after).toContain("columns.price");
    expect(view.after).not.toContain('"owner"');
    const roles = json.modules.map(({ path }: { path: string }) => path.split("/")[1]);
    expect(new Set(roles)).toEqual(new Set(["user", "staff"]));
    expect((await ask("export_metadata", {})).json).toEqual(before.json);
    const response = await server.post(
      "/v1/graphql",
      { query: "{ book { price } }" },
      { ...secret, "x-engine-role": "user" },
    );
    expect(response.text).toContain("not found");
  });

  it("plan_metadata plans the replacement of a parent's only permission as one change", async () => {
    const only = (columns: readonly string[]) => ({
      type: "pg_create_select_permission",
      args: { table: "shelf", role: "keeper", permission: { columns, filter: {} } },
    });
    expect((await ask("pg_create_select_permission", only(["id"]).args)).status).toBe(200);
    expect((await ask("add_inherited_role", { role_name: "keepers", role_set: ["keeper", "user"] })).status).toBe(200);
    const dropped = { type: "pg_drop_select_permission", args: { table: "shelf", role: "keeper" } };
    expect(
      (await ask("plan_metadata", { operations: [dropped, only(["id", "room"])], roles: ["keeper"] })).status,
    ).toBe(500);
    const change = { type: "bulk_atomic", args: [dropped, only(["id", "room"])] };
    const { status, json } = await ask("plan_metadata", { operations: [change], roles: ["keeper"] });
    expect(status).toBe(200);
    expect(json.access).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ role: "keeper", name: "room", effect: "widens" }),
        expect.objectContaining({ role: "keepers", name: "room", effect: "widens" }),
      ]),
    );
    expect((await ask(change.type, change.args)).status).toBe(200);
    const asKeepers = { ...secret, "x-engine-role": "keepers" };
    expect((await server.post("/v1/graphql", { query: "{ shelf { room } }" }, asKeepers)).json).toEqual({
      data: { shelf: [] },
    });
    const wrong = await ask("bulk_atomic", [dropped, only(["nothing"])]);
    expect(wrong.json).toMatchObject({ code: "bad-request", error: "Schema inconsistency" });
    expect((await server.post("/v1/graphql", { query: "{ shelf { room } }" }, asKeepers)).json.errors).toBeUndefined();
    expect((await ask("drop_inherited_role", { role_name: "keepers" })).status).toBe(200);
    expect((await ask(dropped.type, dropped.args)).status).toBe(200);
  });

  it("plan_metadata reports a new role", async () => {
    const { json } = await ask("plan_metadata", { operations: [permission(["id"], {}, "guest")], roles: ["guest"] });
    expect(json.access).toContainEqual(expect.objectContaining({ role: "guest", aspect: "role", effect: "widens" }));
    expect(json.modules).toContainEqual(
      expect.objectContaining({ path: "roles/guest/default/public.book.ts", kind: "added", before: null }),
    );
  });

  it("plan_metadata compares all roles and modules by default", async () => {
    const { json } = await ask("plan_metadata", {
      operations: [{ type: "pg_untrack_table", args: { table: "shelf", cascade: true } }],
    });
    const paths = json.modules.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["sources/default/public.shelf.ts", "roles/admin/default/public.shelf.ts"]),
    );
  });

  it.each([
    ["a permission", replaced(permission(["id", "title", "price"], {}))],
    [
      "names that roles share",
      [
        {
          type: "pg_set_table_customization",
          args: { table: "book", configuration: { column_config: { title: { custom_name: "heading" } } } },
        },
      ],
    ],
    ["a removed table", [{ type: "pg_untrack_table", args: { table: "shelf", cascade: true } }]],
    ["a removed role", [{ type: "drop_inherited_role", args: { role_name: "staff" } }]],
  ])("plan_metadata reports the same for %s with all roles or with each role named", async (_of, operations) => {
    const all = await ask("plan_metadata", { operations });
    const named = await ask("plan_metadata", { operations, roles: ["admin", "user", "staff"] });
    expect(all.json.access.length).toBeGreaterThan(0);
    expect(all.json.access).toEqual(named.json.access);
    expect(all.json.summary).toEqual(named.json.summary);
  });

  it("plan_metadata returns the parts of the metadata that change, before and after, as they are stored", async () => {
    const { json: metadata } = await ask("export_metadata", {});
    const [source] = metadata.sources;
    const [book] = source.tables;
    const replaced = { ...metadata, sources: [{ ...source, tables: [{ ...book, select_permissions: [] }] }] };
    const { json } = await ask("plan_metadata", {
      operations: [{ type: "replace_metadata", args: { metadata: { ...replaced, inherited_roles: [] } } }],
    });
    const table = (name: string) => ({ source: "default", table: { schema: "public", name } });
    expect(json.metadata).toEqual([
      {
        source: null,
        table: null,
        before: expect.objectContaining({ inherited_roles: metadata.inherited_roles }),
        after: { version: 3 },
      },
      { ...table("book"), before: book, after: { table: table("book").table } },
      { ...table("shelf"), before: source.tables[1], after: null },
    ]);
    const { json: same } = await ask("plan_metadata", {
      operations: [{ type: "replace_metadata", args: { metadata } }],
    });
    expect(same.metadata).toEqual([]);
  });

  it("plan_metadata reports no differences for an equal change", async () => {
    const operations = replaced(permission(["id", "title"], { owner: { _eq: "X-Engine-User-Id" } }));
    const { json } = await ask("plan_metadata", { operations, roles: ["user"] });
    expect(json).toMatchObject({ access: [], modules: [], summary: { widens: 0, may_widen: 0 } });
  });

  it("plan_metadata is refused like the change itself, and for operations that are not metadata changes", async () => {
    const wrong = await ask("plan_metadata", { operations: [permission(["nothing"], {}, "guest")] });
    expect(wrong.status).toBe(400);
    expect(wrong.json.path).toMatch(/^\$\.args\.operations\[0\]\.args/);
    const sql = await ask("plan_metadata", { operations: [{ type: "export_metadata", args: {} }] });
    expect(sql.json).toMatchObject({ code: "not-supported", path: "$.args.operations[0]" });
    const nested = await ask("plan_metadata", { operations: [{ type: "plan_metadata", args: { operations: [] } }] });
    expect(nested.json.code).toBe("not-supported");
  });

  it.each(["plan_metadata", "export_generated_code"])("%s is restricted to admins", async (type) => {
    const args = { operations: [drop] };
    const { json } = await ask(type, args, { ...secret, "x-engine-role": "user" });
    expect(json).toMatchObject({ code: "access-denied" });
    expect((await ask(type, args, {})).json).toMatchObject({ code: "access-denied" });
  });
});

describe("The export_generated_code operation", () => {
  it("export_generated_code lists all files and returns the named ones", async () => {
    const { json } = await ask("export_generated_code", {});
    expect(json.roles).toEqual(expect.arrayContaining(["admin", "staff", "user"]));
    const path = "roles/user/default/public.book.ts";
    expect(json.paths).toContain(path);
    const { json: one } = await ask("export_generated_code", { paths: [path] });
    expect(one.files).toEqual([
      { path, text: expect.stringContaining("Select permission of role user on public.book") },
    ]);
    expect(one.resource_version).toBe(json.resource_version);
  });

  it("export_generated_code names the nearest file to an unknown one", async () => {
    const { status, json } = await ask("export_generated_code", { paths: ["roles/user/default/public.boook.ts"] });
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "not-exists", path: "$.args.paths[0]" });
    expect((await ask("export_generated_code", { paths: ["../../etc/passwd"] })).json.code).toBe("not-exists");
  });
});
