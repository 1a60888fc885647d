/** Attempts to hide changes from the audit log, to read it, or to bring secrets and false lines into it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const admin = { "x-engine-admin-secret": "very-secret" };

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret" } });
}, 60_000);

afterAll(() => server?.close());

const send = (type: string, args: unknown, headers: Record<string, string> = admin, path = "/v1/metadata") =>
  server.post(path, { type, args }, headers);
const entries = async () => (await send("get_audit_log", { limit: 1000 })).json.entries;

it("Only administrators read the audit log, and refused roles write nothing into it", async () => {
  const before = (await entries()).length;
  const user = { ...admin, "x-engine-role": "user" };
  for (const headers of [user, { "x-engine-admin-secret": "wrong" }, {}]) {
    expect((await send("get_audit_log", {}, headers)).json.entries).toBeUndefined();
    expect((await send("clear_metadata", {}, headers)).status).toBeGreaterThanOrEqual(400);
  }
  expect(await entries()).toHaveLength(before);
});

it("Nested bulks do not hide a change", async () => {
  const change = { type: "pg_untrack_table", args: { table: "hidden_table" } };
  for (const type of ["bulk", "bulk_keep_going", "bulk_atomic", "concurrent_bulk"]) {
    await send("bulk", [{ type: "bulk_keep_going", args: [{ type, args: [change] }] }]);
  }
  const found = (await entries()).filter((entry: object) => JSON.stringify(entry).includes("hidden_table"));
  expect(found.length).toBeGreaterThanOrEqual(2);
});

it("Secrets in arguments do not enter the log, whatever their place", async () => {
  const secret = "s3cr3t-value";
  const sourceOf = (name: unknown) => ({
    name,
    configuration: { connection_info: { database_url: `postgres://user:${secret}@127.0.0.1:1/none` } },
  });
  await send("pg_add_source", sourceOf("other"));
  await send("pg_add_source", sourceOf({ password: secret }));
  await send("pg_add_source", { ...sourceOf("other"), table: { name: 1, schema: secret }, role: [secret] });
  await send("create_action", {
    name: "paid",
    definition: { handler: `http://u:${secret}@h`, output_type: "Int", headers: [{ name: "a", value: secret }] },
    comment: secret,
  });
  await send("add_remote_schema", { name: "remote", definition: { url: `http://127.0.0.1:1/?key=${secret}` } });
  await send("run_sql", { sql: `create role r password '${secret}'` }, admin, "/v2/query");
  expect(JSON.stringify(await entries())).not.toContain(secret);
  const lines = server.log.filter((line) => line.includes('"audit-log"'));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join("\n")).not.toContain(secret);
});

it("Long and odd names are cut, and stay values of one line", async () => {
  const odd = `x\u0000\n{"type":"audit-log"}${"y".repeat(5000)}`;
  const headers = { ...admin, "x-engine-user-id": "u".repeat(3000), "x-forwarded-for": "1".repeat(3000) };
  await send("pg_untrack_table", { table: odd }, headers);
  const [entry] = await entries();
  expect(entry.operations[0].objects.table.length).toBeLessThanOrEqual(200);
  expect([entry.user.length, entry.ip.length]).toEqual([200, 200]);
  const lines = server.log.filter((line) => line.includes('"audit-log"'));
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

it("Names that PostgreSQL cannot store neither prevent an entry nor break the filters", async () => {
  const found = async () => (await send("get_audit_log", { operation: "pg_untrack_table" })).json.entries.length;
  const before = await found();
  for (const name of ["\\u0000", "a\0b", "\ud800", `${"x".repeat(199)}😀`]) {
    await send("pg_untrack_table", { table: name }, { ...admin, "x-request-id": name.replace(/[^ -~]/g, "?") });
  }
  expect(await found()).toBe(before + 4);
});

it("Filters are values of the statement", async () => {
  for (const text of ["' or true --", "%", '"', "\\"]) {
    const { json } = await send("get_audit_log", { user: text, operation: text, request_id: text });
    expect(json).toEqual({ entries: [] });
  }
});
