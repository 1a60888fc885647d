/** A project of the original engine with every feature: imported, deployed, and queried as each of its roles. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { runCommand } from "../../support/command-line.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const ann = "00000000-0000-4000-8000-000000000001";
const nurse = { "x-engine-role": "nurse", "x-engine-user-id": ann, "x-engine-wards": "{1}" };
const doctor = { "x-engine-role": "doctor" };
const head = { ...nurse, "x-engine-role": "head_nurse" };
const project = join(import.meta.dirname, "../../golden/import/clinic-v3/project");

let reports: TestDatabase;
let handler: ActionHandlerServer;
let hooks: WebhookReceiver;
let weather: RemoteGraphql;

beforeAll(async () => {
  reports = await createDatabase();
  handler = await startActionHandler(({ path }, response) =>
    response.end(
      path === "/page" ? '{"id": "00000000-0000-4000-8000-00000000000a", "patient_id": 1}' : '[{"name": "Eve"}]',
    ),
  );
  hooks = await startWebhookReceiver();
  weather = await startRemoteGraphql(
    "type Query { report(city: String!): Report mine(user: String): String } type Report { text: String }",
    0,
    {
      root: {
        report: ({ city }: { city: string }) => ({ text: `rain in ${city}` }),
        mine: ({ user }: { user: string }) => `for ${user}`,
      },
    },
  );
});

afterAll(async () => {
  await Promise.all([handler?.close(), hooks?.close(), weather?.close()]);
  await reports?.drop();
});

const environment = (more: Record<string, string> = {}) => ({
  REPORTS_DATABASE_URL: reports.url,
  HANDLER: `http://127.0.0.1:${handler.port}`,
  HANDLER_KEY: "handler-key",
  HOOKS: hooks.url,
  HOOK_SECRET: "hook-secret",
  WEATHER: `http://127.0.0.1:${weather.port}/`,
  ENGINE_GRAPHQL_OUTBOUND_ALLOW: "127.0.0.1",
  ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
  ...more,
});

describe("An imported project with several databases, actions, events, schedules and a remote schema", () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer({ environment: environment() });
    folder = await mkdtemp(join(tmpdir(), "engine-import-"));
    const out = join(folder, "clinic");
    expect(await runCommand("import", project, "--out", out)).toMatchObject({ code: 0, stderr: "" });
    const deployed = await runCommand("deploy", "--with-seeds", "--project", out, "--endpoint", server.url);
    expect(deployed).toMatchObject({ code: 0, stderr: expect.stringContaining("total_max_connections: is stored") });
    expect(deployed.stderr.split("\n").filter((line) => !line.startsWith("notice: "))).toEqual([""]);
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("A nurse reads the rows of her wards with related rows", async () => {
    const query = `{
      patient { name allergies label seen_by_me ward { name city counts { beds } outside { text } } visits { note urgency } }
    }`;
    const patient = {
      name: "Ada",
      allergies: ["nuts", "pollen"],
      label: "Ada (East)",
      seen_by_me: true,
      ward: { name: "East", city: "Oslo", counts: [{ beds: 7 }], outside: { text: "rain in Oslo" } },
      visits: [{ note: "hers", urgency: "low" }],
    };
    expect(await server.graphql(query, nurse)).toEqual({ data: { patient: [patient] } });
    const others = { ...nurse, "x-engine-wards": "{2}" };
    expect(await server.graphql("{ patient { name seen_by_me visits { note } } }", others)).toEqual({
      data: { patient: [{ name: "Bo", seen_by_me: false, visits: [{ note: "everybody's" }] }] },
    });
  });

  it("A nurse runs functions with her session variables", async () => {
    const query =
      "query ($names: _text) { patients_named(args: {names: $names}) { name } my_visits { note happened_at } }";
    expect(await server.graphql(query, nurse, { names: ["Ada", "Bo"] })).toEqual({
      data: {
        patients_named: [{ name: "Ada" }],
        my_visits: [{ note: "hers", happened_at: "2024-03-09T12:00:00+00:00" }],
      },
    });
  });

  it("A nurse writes as before, and triggers and webhooks receive her session variables", async () => {
    const record = (patient: number) =>
      `mutation { record_visit(object: {patient_id: ${patient}, urgency: high, note: "new"}) { nurse urgency } }`;
    expect(await server.graphql(record(1), nurse)).toEqual({ data: { record_visit: { nurse: ann, urgency: "high" } } });
    expect(await server.graphql(record(2), nurse)).toMatchObject({
      errors: [{ extensions: { code: "permission-error" } }],
    });
    const update = 'mutation { update_patient(where: {}, _set: {allergies: ["dust"]}) { affected_rows } }';
    expect(await server.graphql(update, nurse)).toEqual({ data: { update_patient: { affected_rows: 1 } } });
    const sql = "select what, by_user, by_role from audit";
    const { json } = await server.post("/v2/query", { type: "run_sql", args: { sql } });
    expect(json.result).toEqual([
      ["what", "by_user", "by_role"],
      ["Ada", ann, "nurse"],
    ]);
    await expect.poll(() => hooks.received.length, { timeout: 15_000 }).toBe(1);
    const [call] = hooks.received;
    expect([call?.path, call?.headers["x-hook-secret"]]).toEqual(["/patient", "hook-secret"]);
    expect(JSON.parse(call?.body ?? "null")).toMatchObject({
      trigger: { name: "patient_changed" },
      event: { op: "UPDATE", session_variables: { "x-engine-role": "nurse", "x-engine-user-id": ann } },
    });
  });

  it("Handlers and remote servers are called with the nurse's session", async () => {
    const page = "mutation { page(patient: 1, urgency: high) { id patient { name } } }";
    expect(await server.graphql(page, nurse)).toEqual({
      data: { page: { id: "00000000-0000-4000-8000-00000000000a", patient: { name: "Ada" } } },
    });
    const request = handler.requests.find(({ path }) => path === "/page");
    expect(JSON.parse(request?.text ?? "null")).toEqual({ by: ann, patient: 1 });
    expect(request?.headers).toMatchObject({ "x-handler-key": "handler-key" });
    expect(await server.graphql('{ duty { name } outdoors { mine report(city: "Oslo") { text } } }', nurse)).toEqual({
      data: { duty: [{ name: "Eve" }], outdoors: { mine: `for ${ann}`, report: { text: "rain in Oslo" } } },
    });
  });

  it("A doctor and an inherited role see their own rows", async () => {
    const all = "{ patient_aggregate { aggregate { count } } reporting { occupancy { beds } } }";
    expect(await server.graphql(all, doctor)).toEqual({
      data: { patient_aggregate: { aggregate: { count: 2 } }, reporting: { occupancy: [{ beds: 7 }, { beds: 4 }] } },
    });
    expect(await server.graphql("{ visit { id } }", doctor)).toMatchObject({
      errors: [{ message: expect.stringContaining("field 'visit' not found") }],
    });
    expect(await server.graphql("{ patient(order_by: {id: asc}) { name } duty { name } }", head)).toMatchObject({
      data: { patient: [{ name: "Ada" }, { name: "Bo" }], duty: [{ name: "Eve" }] },
    });
    expect(await server.graphql("{ outdoors { mine } }", doctor)).toMatchObject({ errors: [{}] });
  });

  it("The imported project has its REST endpoints, schedules and enums", async () => {
    const rest = await fetch(`${server.url}/api/rest/patients/ad%25`, { headers: nurse });
    expect(await rest.json()).toEqual({ data: { patient: [{ id: 1, name: "Ada" }] } });
    const { json } = await server.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(json.cron_triggers).toMatchObject([
      { name: "night_round", webhook: "{{HOOKS}}/night", schedule: "0 2 * * *" },
    ]);
    expect(await server.graphql("{ visit(where: {urgency: {_in: [high, urgent]}}) { id } }", nurse)).toMatchObject({
      errors: [{ message: expect.stringContaining("expected one of the values ['high', 'low']") }],
    });
    expect(await server.post("/v1/metadata", { type: "get_inconsistent_metadata", args: {} })).toMatchObject({
      json: [],
    });
  });
});

describe("An untranslated project on a server with aliased headers", () => {
  let server: TestServer;
  let old: TestDatabase;
  beforeAll(async () => {
    old = await createDatabase();
    server = await startTestServer({
      environment: environment({
        REPORTS_DATABASE_URL: old.url,
        ENGINE_GRAPHQL_HEADER_ALIAS: "X-Hasura-=X-Engine-",
        ENGINE_GRAPHQL_ADMIN_SECRET: "s",
      }),
    });
  });
  afterAll(async () => {
    await server?.close();
    await old?.drop();
  });

  it("An untranslated permission, trigger and function work with aliased names", async () => {
    const secret = { "X-Hasura-Admin-Secret": "s" };
    const sql = `
      create table note (id serial primary key, owner uuid not null, text text);
      create table audit (by_user text);
      create function audit_note() returns trigger language plpgsql as $$ begin
        insert into audit values (current_setting('hasura.user', true)::json ->> 'x-hasura-user-id'); return new;
      end $$;
      create trigger audit_note after insert on note for each row execute function audit_note();`;
    const run = (type: string, args: unknown, path = "/v1/metadata") => server.post(path, { type, args }, secret);
    expect((await run("run_sql", { sql }, "/v2/query")).status).toBe(200);
    await run("pg_track_table", { table: "note" });
    const mine = { owner: { _eq: "X-Hasura-User-Id" } };
    const select = { table: "note", role: "nurse", permission: { columns: "*", filter: mine } };
    const insert = {
      table: "note",
      role: "nurse",
      permission: { check: mine, columns: ["text"], set: { owner: "X-Hasura-User-Id" } },
    };
    expect((await run("pg_create_select_permission", select)).status).toBe(200);
    expect((await run("pg_create_insert_permission", insert)).status).toBe(200);
    const as = (user: string) => ({ ...secret, "X-Hasura-Role": "nurse", "X-Hasura-User-Id": user });
    expect(await server.graphql('mutation { insert_note_one(object: {text: "a"}) { owner } }', as(ann))).toEqual({
      data: { insert_note_one: { owner: ann } },
    });
    expect(await server.graphql("{ note { text } }", as(ann))).toEqual({ data: { note: [{ text: "a" }] } });
    expect(await server.graphql("{ note { text } }", as(ann.replace(/1$/, "2")))).toEqual({ data: { note: [] } });
    expect((await run("run_sql", { sql: "select by_user from audit" }, "/v2/query")).json.result[1]).toEqual([ann]);
  });
});

it("A metadata file is imported as a project without migrations", { timeout: 60_000 }, async () => {
  const server = await startTestServer({ environment: environment() });
  try {
    const sql = `
      create table member (id uuid primary key, name text, langs text[]);
      create table loan (id serial primary key, member_id uuid references member, book text);
      insert into member values ('${ann}', 'Ann', '{en,no}');`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    const out = join(await temporaryDirectory(), "library");
    const file = join(import.meta.dirname, "../../golden/import/library-file/project/hasura_metadata.json");
    expect(await runCommand("import", file, "--out", out)).toMatchObject({ code: 0 });
    const deployed = await runCommand("deploy", "--project", out, "--endpoint", server.url);
    expect(deployed).toMatchObject({ code: 0, stderr: "" });
    const member = { "x-engine-role": "member", "x-engine-user-id": ann };
    const lend = 'mutation { insert_loan_one(object: {book: "Dune"}) { member { name langs } } }';
    expect(await server.graphql(lend, member)).toEqual({
      data: { insert_loan_one: { member: { name: "Ann", langs: ["en", "no"] } } },
    });
    expect(await server.graphql("{ loan { id } }", { "x-engine-role": "anonymous" })).toEqual({
      data: { loan: [{ id: 1 }] },
    });
    const stranger = { ...member, "x-engine-user-id": ann.replace(/1$/, "2") };
    expect(await server.graphql("{ loan { id } member { id } }", stranger)).toEqual({ data: { loan: [], member: [] } });
  } finally {
    await server.close();
  }
});
