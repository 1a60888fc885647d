/** `engine access` and `export_access`: the effective permissions of roles, of a server and of metadata files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const secret = { "x-engine-admin-secret": "s" };
const own = { owner: { _eq: "X-Engine-User-Id" } };
let server: TestServer;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "access-"));
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  const sql = `create table note (id int primary key, owner text not null, body text, pinned boolean);
    create table tag (id int primary key, note_id int references note, word text)`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  const permission = (kind: string, role: string, given: object, table = "note") => ({
    type: `pg_create_${kind}_permission`,
    args: { table, role, permission: given },
  });
  const ofNote = { foreign_key_constraint_on: { table: "tag", column: "note_id" } };
  const changes = [
    { type: "pg_track_table", args: { table: "note" } },
    permission("select", "reader", { columns: ["id", "body"], filter: { pinned: { _eq: true } }, limit: 10 }),
    permission("select", "writer", { columns: ["id", "body", "owner"], filter: own, allow_aggregations: true }),
    permission("insert", "writer", { columns: ["body"], check: own, set: { owner: "X-Engine-User-Id" } }),
    permission("delete", "writer", { filter: {}, backend_only: true }),
    { type: "pg_track_table", args: { table: "tag" } },
    { type: "pg_create_array_relationship", args: { table: "note", name: "tags", using: ofNote } },
    permission("select", "tagger", { columns: ["id"], filter: {} }),
    permission("update", "tagger", { columns: ["pinned"], filter: {} }),
    permission("select", "tagger", { columns: ["id"], filter: {} }, "tag"),
    permission("insert", "tagger", { columns: ["word"], check: {} }, "tag"),
    permission("update", "tagger", { columns: ["note_id"], filter: {} }, "tag"),
    { type: "add_inherited_role", args: { role_name: "editor", role_set: ["reader", "writer"] } },
  ];
  for (const change of changes) {
    expect((await server.post("/v1/metadata", change, secret)).json).toEqual({ message: "success" });
  }
}, 120_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const exported = async (args: object = {}, headers: Readonly<Record<string, string>> = secret) =>
  server.post("/v1/metadata", { type: "export_access", args }, headers);

const access = (...args: readonly string[]) => engine(["access", ...args], folder);
const ofServer = (...args: readonly string[]) =>
  access("--endpoint", server.url, "--admin-secret", "s", "--project", folder, ...args);

const writer = {
  select: {
    columns: ["body", "id", "owner"],
    computed_fields: [],
    rows: 'note."owner" = session("x-engine-user-id")::text',
    aggregations: true,
  },
  insert: {
    columns: ["body"],
    presets: { owner: expect.stringContaining('session("x-engine-user-id")::text') },
    check: 'note."owner" = session("x-engine-user-id")::text',
    backend_only: false,
  },
  delete: { rows: "every row", backend_only: true },
};

describe("Effective permissions", { timeout: 60_000 }, () => {
  it("export_access returns the permissions of roles, and those that a role inherits with the rows of each parent", async () => {
    const { json } = await exported();
    expect(Object.keys(json.roles)).toEqual(["editor", "reader", "tagger", "writer"]);
    expect(json.roles.writer.tables["default.public.note"]).toEqual(writer);
    expect(json.roles.editor).toMatchObject({ parents: ["reader", "writer"], introspection: true });
    expect(json.roles.editor.tables["default.public.note"].select).toEqual({
      columns: ["body", "id", "owner"],
      computed_fields: [],
      rows: { reader: "note.\"pinned\" = 'true'::bool", writer: 'note."owner" = session("x-engine-user-id")::text' },
      only_in_rows_of: { owner: ["writer"] },
      limit: 10,
      aggregations: true,
    });
  });

  it("export_access returns only the requested roles, refuses an unknown one, and admits only admins", async () => {
    expect(Object.keys((await exported({ roles: ["admin", "reader"] })).json.roles)).toEqual(["admin", "reader"]);
    const wrong = await exported({ roles: ["reader", "wirter"] });
    expect(wrong).toMatchObject({ status: 400, json: { code: "not-exists", path: "$.args.roles[1]" } });
    expect((await exported({}, { ...secret, "x-engine-role": "reader" })).status).toBe(400);
    expect((await exported({}, {})).status).toBe(401);
  });

  it("Updates list the writes of related rows, and inserts that set a key which requests may not set", async () => {
    const writes = ["connect", "disconnect", "insert", "set", "update"];
    const { json } = await exported({ roles: ["tagger"] });
    expect(json.roles.tagger.tables["default.public.note"].update.related).toEqual({
      tags: { writes, sets_key: true },
    });
    const { stdout } = await ofServer("--role", "tagger");
    expect(stdout).toContain(`related tags: ${writes.join(", ")}; inserted rows get the key of their parent\n`);
  });

  it("engine access prints the same permissions for a server and for its exported metadata", async () => {
    const metadata = (await server.post("/v1/metadata", { type: "export_metadata", args: {} }, secret)).json;
    await writeFile(join(folder, "metadata.json"), JSON.stringify(metadata));
    const shaped = ["shape", "--database", server.databaseUrl, "--metadata", "metadata.json", "--out", "shape.json"];
    expect(await engine(shaped, folder)).toMatchObject({ code: 0 });
    for (const format of ["text", "markdown", "json"]) {
      const live = await ofServer("--format", format);
      expect(live).toMatchObject({ code: 0, stderr: "" });
      expect(await access("metadata.json", "--shape", "shape.json", "--format", format)).toEqual(live);
    }
    const { stdout } = await ofServer("--role", "writer", "--format", "json");
    expect(JSON.parse(stdout).roles.writer.tables["default.public.note"]).toEqual(writer);
  });

  it("The text lists each permission with its rows, and Markdown has one table for each role", async () => {
    const { stdout } = await ofServer("--role", "editor", "writer");
    expect(stdout).toContain(
      "role editor\n  inherits from: reader, writer\n  default.public.note\n    select   columns:",
    );
    expect(stdout).toContain('             rows of role writer: note."owner" = session("x-engine-user-id")::text\n');
    expect(stdout).toContain("    delete   rows: every row\n             requests: from backends only\n");
    const markdown = await ofServer("--role", "writer", "--format", "markdown");
    expect(markdown.stdout).toContain(
      "| `default.public.note` | delete | rows: `every row`<br>requests: `from backends only` |",
    );
  });

  it("engine access reports an unknown role with the nearest one, and a shape without metadata", async () => {
    expect(await access("metadata.json", "--shape", "shape.json", "--role", "reeder")).toMatchObject({
      code: 1,
      stderr: 'error: role "reeder" does not exist; did you mean "reader"?\n',
    });
    expect(await ofServer("--shape", "shape.json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--shape requires a metadata directory or file"),
    });
  });

  it("Two versions differ in the permissions that changed, in files and in the history of the server", async () => {
    const document = { type: "export_metadata", version: 2, args: {} };
    const { resource_version: version, metadata } = (await server.post("/v1/metadata", document, secret)).json;
    await writeFile(join(folder, "before.json"), JSON.stringify(metadata));
    const args = { table: "note", role: "reader", permission: { columns: ["id", "body", "pinned"], filter: {} } };
    const drop = { type: "pg_drop_select_permission", args: { table: "note", role: "reader" } };
    const changes = [drop, { type: "pg_create_select_permission", args }];
    expect((await server.post("/v1/metadata", { type: "bulk_atomic", args: changes }, secret)).status).toBe(200);
    await writeFile(
      join(folder, "after.json"),
      (await server.post("/v1/metadata", { ...document, version: 1 }, secret)).text,
    );

    const since = ["--as-of", String(version)];
    const text = await ofServer(...since, "--role", "reader");
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toContain("widens role reader: default.public.note\n");
    expect(text.stdout).toContain("  + select column pinned");
    expect(text.stdout).not.toContain("editor");
    const json = JSON.parse((await ofServer(...since, "--format", "json")).stdout);
    expect(json).toMatchObject({ format: 1, before: `version ${version}`, after: `version ${version + 1}` });
    expect(new Set(json.changes.map(({ role }: { readonly role: string }) => role))).toEqual(
      new Set(["editor", "reader"]),
    );
    expect(json.summary.widens).toBeGreaterThan(0);

    const files = ["before.json", "after.json", "--shape", "shape.json"];
    expect(JSON.parse((await access(...files, "--format", "json")).stdout).changes).toEqual(json.changes);
    const widened = await access(...files, "--format", "markdown", "--fail-on-widening");
    expect(widened.code).toBe(3);
    expect(widened.stdout).toContain("# Permissions from `before.json` to `after.json`\n\n**This widens access:**");
    expect(await ofServer("--as-of", String(version + 1))).toMatchObject({ code: 0, stdout: "no changes\n" });

    const missing = await server.post(
      "/v1/metadata",
      { type: "compare_metadata_versions", args: { from: 99_999 } },
      secret,
    );
    expect(missing).toMatchObject({ status: 400, json: { code: "not-exists", path: "$.args.from" } });
    for (const [flags, message] of [
      [["--as-of", "first"], '--as-of expects the number of a version, as listed by get_metadata_history, not "first"'],
      [["--to", "3"], "--to requires --as-of"],
      [["before.json", "--as-of", "3"], "--as-of compares versions of a server: remove before.json"],
    ] as const) {
      expect(await ofServer(...flags)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    }
  });
});
