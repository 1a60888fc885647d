/** The history of metadata changes and the environment variables of the metadata, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

const secret = { "x-engine-admin-secret": "s" };
const ask = (type: string, args: unknown, headers: Record<string, string> = {}) =>
  server.post("/v1/metadata", { type, args }, { ...secret, ...headers });
const succeed = async (type: string, args: unknown, headers: Record<string, string> = {}) => {
  const { status, json } = await ask(type, args, headers);
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json;
};
const exported = () => succeed("export_metadata", {});
const current = async (): Promise<number> => (await succeed("get_metadata_history", {})).resource_version;

const permission = {
  table: "book",
  role: "user",
  permission: { columns: ["id"], filter: { id: { _gt: 12345678901234567890n.toString() } } },
};

beforeAll(async () => {
  server = await startTestServer({
    environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_METADATA_HISTORY_SIZE: "4", HOOK_HOST: "hidden" },
    sealed: false,
  });
  await query(server.databaseUrl, "create table book (id bigint primary key); create table shelf (id int primary key)");
});

afterAll(() => server?.close());

describe("The history of the metadata", () => {
  it("get_metadata_history lists changes with caller, time, operations and changed parts, newest first", async () => {
    const start = await current();
    await succeed("pg_track_table", { table: "book" }, { "x-engine-user-id": "ada" });
    const bulk = [
      { type: "pg_track_table", args: { table: "shelf" } },
      { type: "pg_create_select_permission", args: permission },
    ];
    await succeed("bulk", bulk);
    const { resource_version, changes } = await succeed("get_metadata_history", { limit: 2 });
    expect(resource_version).toBe(start + 2);
    const part = (name: string) => ({ source: "default", table: { schema: "public", name } });
    expect(changes).toEqual([
      {
        resource_version: start + 2,
        changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        role: "admin",
        user: null,
        operations: ["pg_track_table", "pg_create_select_permission"],
        part_count: 2,
        parts: [part("book"), part("shelf")],
      },
      expect.objectContaining({ user: "ada", operations: ["pg_track_table"], parts: [part("book")] }),
    ]);
    const earlier = await succeed("get_metadata_history", { before: start + 2 });
    expect(earlier.changes[0]).toEqual(changes[1]);
  });

  it("get_metadata_version returns each earlier version as it was exported", async () => {
    const versions = new Map<number, unknown>();
    const keep = async () => versions.set(await current(), await exported());
    await keep();
    await succeed("pg_untrack_table", { table: "shelf" });
    await keep();
    await succeed("add_inherited_role", { role_name: "staff", role_set: ["user"] });
    await keep();
    await succeed("pg_track_table", { table: "shelf" });
    await keep();
    expect(versions.size).toBe(4);
    for (const [resource_version, metadata] of versions) {
      expect(await succeed("get_metadata_version", { resource_version })).toEqual({ resource_version, metadata });
    }
  });

  it("compare_metadata_versions returns the parts that differ, and none for a change that was undone", async () => {
    const from = await current();
    await succeed("pg_create_select_permission", { ...permission, role: "guest" });
    const roles = (...names: readonly string[]) => ({
      table: { schema: "public", name: "book" },
      select_permissions: names.map((role) => expect.objectContaining({ role })),
    });
    expect(await succeed("compare_metadata_versions", { from })).toEqual({
      from,
      to: from + 1,
      changes: [
        {
          source: "default",
          table: { schema: "public", name: "book" },
          before: roles("user"),
          after: roles("guest", "user"),
        },
      ],
    });
    await succeed("pg_drop_select_permission", { table: "book", role: "guest" });
    expect(await succeed("compare_metadata_versions", { from })).toEqual({ from, to: from + 2, changes: [] });
  });

  it("compare_metadata_versions compares access and generated modules of any two versions", async () => {
    const start = await current();
    await succeed("pg_create_select_permission", { ...permission, role: "guest" });
    await succeed("pg_drop_select_permission", { table: "book", role: "guest" });
    const effects = (from: number, to?: number) => succeed("compare_metadata_versions", { from, to, effects: true });
    const added = await effects(start, start + 1);
    expect(added.summary.widens).toBeGreaterThan(0);
    expect(added.access).toContainEqual(expect.objectContaining({ role: "guest", effect: "widens" }));
    const module = "roles/guest/default/public.book.ts";
    expect(added.modules).toContainEqual({
      path: module,
      kind: "added",
      before: null,
      after: expect.stringContaining("id"),
    });
    expect(added.inconsistent).toEqual({ from: 0, to: 0 });
    const removed = await effects(start + 1);
    expect(removed.summary).toEqual({ widens: 0, may_widen: 0 });
    expect(removed.modules).toContainEqual(expect.objectContaining({ path: module, kind: "removed", after: null }));
    expect(await effects(start)).toMatchObject({ access: [], modules: [], changes: [] });
    // The comparison compiles both versions, and applies none.
    expect(await current()).toBe(start + 2);
    await query(server.databaseUrl, "alter table shelf rename to case_");
    await succeed("replace_metadata", { metadata: await exported(), allow_inconsistent_metadata: true });
    expect((await effects(start)).inconsistent).toEqual({ from: 1, to: 1 });
    await query(server.databaseUrl, "alter table case_ rename to shelf");
    await succeed("reload_metadata", {});
  });

  it("The history contains the configured number of changes, and older versions are not available", async () => {
    const { resource_version, oldest_version, changes } = await succeed("get_metadata_history", {});
    expect(changes).toHaveLength(4);
    expect(oldest_version).toBe(resource_version - 4);
    for (const [type, args] of [
      ["get_metadata_version", { resource_version: oldest_version - 1 }],
      ["get_metadata_version", { resource_version: resource_version + 1 }],
      ["compare_metadata_versions", { from: oldest_version - 1 }],
      ["compare_metadata_versions", { from: oldest_version, to: resource_version + 1 }],
      ["compare_metadata_versions", { from: resource_version, to: oldest_version }],
    ] as const) {
      expect(await ask(type, args)).toMatchObject({ status: 400, json: { code: "not-exists" } });
    }
    await succeed("get_metadata_version", { resource_version: oldest_version });
  });

  it("A refused change is not in the history", async () => {
    const before = await succeed("get_metadata_history", {});
    expect((await ask("pg_track_table", { table: "missing" })).status).toBe(400);
    const outdated = { type: "pg_untrack_table", args: { table: "shelf" }, resource_version: 1 };
    expect((await server.post("/v1/metadata", outdated, secret)).status).toBe(409);
    expect(await succeed("get_metadata_history", {})).toEqual(before);
  });

  it("Versions before a gap in the history are not available", async () => {
    const { resource_version, oldest_version } = await succeed("get_metadata_history", {});
    const gap = resource_version - 1;
    await query(
      server.metadataUrl,
      `delete from engine_catalog.engine_metadata_history where resource_version = ${gap}`,
    );
    expect((await succeed("get_metadata_history", {})).oldest_version).toBe(gap);
    const { status } = await ask("get_metadata_version", { resource_version: oldest_version });
    expect(status).toBe(400);
  });

  it("A change by another instance is in the history of all instances", async () => {
    const other = await startTestServer({
      environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" },
      sealed: false,
      on: server,
    });
    try {
      const args = { role_name: "other", role_set: ["user"] };
      await other.post("/v1/metadata", { type: "add_inherited_role", args }, secret);
      const { changes } = await succeed("get_metadata_history", { limit: 1 });
      expect(changes[0].operations).toEqual(["add_inherited_role"]);
    } finally {
      await other.close();
    }
  });

  it("An instance without a history deletes it with its next change, so that no removed password remains", async () => {
    const other = await startTestServer({
      environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_METADATA_HISTORY_SIZE: "0" },
      sealed: false,
      on: server,
    });
    try {
      await other.post("/v1/metadata", { type: "drop_inherited_role", args: { role_name: "other" } }, secret);
      expect((await succeed("get_metadata_history", {})).changes).toEqual([]);
      const stored = await query(
        server.metadataUrl,
        `select (select count(*) from engine_catalog.engine_metadata_history)::int as changes,
          (select count(*) from engine_catalog.engine_metadata_history_part)::int as parts`,
      );
      expect(stored).toEqual([{ changes: 0, parts: 0 }]);
    } finally {
      await other.close();
    }
  });
});

describe("The get_environment_variables operation", () => {
  it("get_environment_variables returns the names in use and whether they are set, without values", async () => {
    await succeed("create_cron_trigger", {
      name: "nightly",
      webhook: "http://{{HOOK_HOST}}/run",
      schedule: "0 0 * * *",
      include_in_metadata: true,
      headers: [{ name: "x", value: "{{HOOK_HOST}}" }],
      comment: "not {{A_VARIABLE}}",
    });
    const found = await succeed("get_environment_variables", {});
    expect(found).toContainEqual({
      name: "HOOK_HOST",
      is_set: true,
      used_by: ["$.cron_triggers[0].webhook", "$.cron_triggers[0].headers[0].value"],
    });
    expect(found).toContainEqual(expect.objectContaining({ name: "ENGINE_GRAPHQL_DATABASE_URL", is_set: true }));
    const args = {
      metadata: {
        version: 3,
        sources: [],
        remote_schemas: [{ name: "r", definition: { url_from_env: "ABSENT_URL" } }],
      },
      allow_inconsistent_metadata: true,
    };
    await succeed("replace_metadata", args);
    expect(await succeed("get_environment_variables", {})).toEqual([
      { name: "ABSENT_URL", is_set: false, used_by: ["$.remote_schemas[0].definition.url_from_env"] },
    ]);
    expect(JSON.stringify(found)).not.toContain("hidden");
  });
});

describe("Access to the history", () => {
  it("The history and the environment variables are for administrators only", async () => {
    for (const [type, args] of [
      ["get_metadata_history", {}],
      ["get_metadata_version", { resource_version: 1 }],
      ["compare_metadata_versions", { from: 1 }],
      ["get_environment_variables", {}],
    ] as const) {
      expect(await ask(type, args, { "x-engine-role": "user" })).toMatchObject({
        status: 400,
        json: { code: "access-denied" },
      });
      expect((await server.post("/v1/metadata", { type, args })).status).toBe(401);
    }
  });
});
