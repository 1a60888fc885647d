/** The audit log of administrative operations, and the commands of docs/how-to/audit-log.md. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AuditLog } from "../../runtime/control/audit-log.ts";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({});
  await query(server.databaseUrl, "create table note (id int primary key, owner int)");
}, 60_000);

afterAll(() => server?.close());

const headers = { "x-request-id": "request-1", "x-engine-user-id": "ann", "x-forwarded-for": "203.0.113.7" };
const post = (type: string, args: unknown, more: Record<string, string> = headers, path = "/v1/metadata") =>
  server.post(path, { type, args }, more);
const entries = async (args: object = {}) => (await post("get_audit_log", args)).json.entries;

it("An entry has the caller, address, request id, object names and outcome of a change", async () => {
  await post("pg_track_table", { table: { schema: "public", name: "note" } });
  const [entry] = await entries();
  expect(entry).toEqual({
    id: expect.any(Number),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    request_id: "request-1",
    role: "admin",
    user: "ann",
    ip: "203.0.113.7 via 127.0.0.1",
    endpoint: "/v1/metadata",
    operations: [{ type: "pg_track_table", objects: { table: "public.note" } }],
    operation_count: 1,
    outcome: "success",
    resource_version: expect.any(Number),
  });
  const { id, at, ...logged } = entry;
  const lines = server.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "audit-log");
  expect(lines.at(-1).detail).toEqual(logged);
});

it("Failed changes are recorded with the code of their error", async () => {
  await post("pg_untrack_table", { table: "missing" });
  expect(await entries({ limit: 1 })).toMatchObject([
    { outcome: "already-untracked", operations: [{ type: "pg_untrack_table", objects: { table: "missing" } }] },
  ]);
});

it("Bulks are recorded once with their operations, and reads are not recorded", async () => {
  const [last] = await entries({ limit: 1 });
  await post("export_metadata", {});
  await post("run_sql", { sql: "select 1", read_only: true }, headers, "/v2/query");
  await post("get_audit_log", {});
  expect(await entries({ limit: 1 })).toEqual([last]);
  const permission = {
    table: "note",
    role: "reader",
    permission: { columns: ["id"], filter: { owner: { _eq: 918273 } } },
  };
  await post("bulk", [
    { type: "export_metadata", args: {} },
    { type: "pg_create_select_permission", args: permission },
    { type: "bulk_atomic", args: [{ type: "pg_drop_select_permission", args: { table: "note", role: "reader" } }] },
  ]);
  const [entry] = await entries({ limit: 1 });
  expect(entry).toMatchObject({
    operation_count: 2,
    operations: [
      { type: "pg_create_select_permission", objects: { table: "note", role: "reader" } },
      { type: "pg_drop_select_permission", objects: { table: "note", role: "reader" } },
    ],
  });
  expect(JSON.stringify(entry)).not.toContain("918273");
});

it("Only the first operations of a large request are stored, with their number", async () => {
  const args = Array.from({ length: 150 }, (_, i) => ({ type: "pg_untrack_table", args: { table: `t${i}` } }));
  await post("bulk_keep_going", args);
  const [entry] = await entries({ limit: 1 });
  expect([entry.operation_count, entry.operations.length]).toEqual([150, 100]);
});

it("SQL and scheduled events are recorded without their text and payload", async () => {
  const secret = "a very secret text";
  await post("run_sql", { sql: `select '${secret}'` }, headers, "/v2/query");
  await post("create_scheduled_event", {
    webhook: `http://127.0.0.1:9/${encodeURIComponent(secret)}`,
    schedule_at: "2090-01-01T00:00:00Z",
    payload: secret,
    headers: [{ name: "authorization", value: secret }],
  });
  const last = await entries({ limit: 2 });
  expect(last).toMatchObject([
    { operations: [{ type: "create_scheduled_event", objects: {} }] },
    { endpoint: "/v2/query", operations: [{ type: "run_sql" }] },
  ]);
  expect(JSON.stringify(last)).not.toContain("secret");
});

it("Entries are selected by operation, user, request and time, and paged by id", async () => {
  await post("reload_metadata", {}, { "x-request-id": "request-2", "x-engine-user-id": "bob" });
  const all = await entries();
  await post("pg_untrack_table", { table: "other" }, { "x-engine-user-id": "eve" });
  expect(await entries({ user: "eve" })).toHaveLength(1);
  expect(await entries({ user: "nobody" })).toEqual([]);
  expect(await entries({ operation: "run_sql" })).toHaveLength(1);
  expect((await entries({ request_id: "request-1" })).length).toBeGreaterThan(3);
  expect(await entries({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
  expect((await entries({ before: all[0].id + 1 })).map(({ id }: { readonly id: number }) => id)).toEqual(
    all.map(({ id }: { readonly id: number }) => id),
  );
});

it("The example of the page reads the log", async () => {
  const page = await readFile(join(root, "docs/how-to/audit-log.md"), "utf8");
  const { type, args } = JSON.parse(/<!-- read -->\n```json\n(.*?)```/s.exec(page)?.[1] ?? "");
  expect((await post(type, args)).json.entries).toMatchObject([
    { operations: [expect.anything(), { type: "pg_drop_select_permission" }] },
  ]);
});

it("Entries older than the retention are deleted with the next entry", async () => {
  const table = "engine_catalog.engine_audit_log";
  await query(
    server.metadataUrl,
    `insert into ${table} (at, endpoint, operations, operation_count, outcome)
     select now() - interval '8 days', '/v1/metadata', '[]', 0, 'success' from generate_series(1, 1500)`,
  );
  const log = { info: () => undefined, warn: vi.fn() };
  const store = { query: (text: string, values: readonly unknown[]) => query(server.metadataUrl, text, [...values]) };
  const session = { role: "admin", variables: new Map<string, string>() };
  const audit = new AuditLog({ log: log as never, store: store as never, retentionDays: 7 });
  const entry = {
    operations: [],
    count: 1,
    ip: "::1",
    endpoint: "/v1/metadata",
    outcome: "success",
    resourceVersion: 1,
  };
  await audit.record({ ...entry, session });
  const old = `select count(*)::int as count from ${table} where at < now() - interval '7 days'`;
  expect(await query(server.metadataUrl, old)).toEqual([{ count: 0 }]);
  expect(log.warn).not.toHaveBeenCalled();
});

it("A change succeeds while the log cannot be stored, and a warning is logged", async () => {
  await query(server.metadataUrl, "alter table engine_catalog.engine_audit_log rename to away");
  try {
    expect((await post("pg_untrack_table", { table: "note" })).status).toBe(200);
    const lines = server.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "audit-log");
    expect(lines.at(-1)).toMatchObject({
      level: "warn",
      detail: { message: "Failed to store an entry of the audit log", request_id: "request-1" },
    });
  } finally {
    await query(server.metadataUrl, "alter table engine_catalog.away rename to engine_audit_log");
  }
});
