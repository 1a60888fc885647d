/** Operations on the events of event triggers, on a real source. */
import { once } from "node:events";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresLogs } from "../../../runtime/jobs/events/postgres/logs.ts";
import { query } from "../../support/database.ts";
import { addEvent, eventOf, makeEventTables, unansweredTrigger as trigger } from "../../support/event-tables.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let engine: TestServer;

beforeAll(async () => {
  engine = await startTestServer({ environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true" } });
  await query(engine.databaseUrl, "create table item (id serial primary key, name text)");
  await engine.metadata("pg_track_table", { table: "item" });
  await engine.metadata("pg_create_event_trigger", trigger("changed"));
  const automatic = { insert: { columns: "*" }, enable_manual: false };
  await engine.metadata("pg_create_event_trigger", trigger("automatic", automatic));
  await makeEventTables(engine.databaseUrl);
});

afterAll(() => engine?.close());

beforeEach(async () => {
  await query(engine.databaseUrl, "truncate engine_catalog.event_log, engine_catalog.event_invocation_logs");
});

async function refused(type: string, args: unknown, endpoint = "/v1/metadata"): Promise<object> {
  const { status, json } = await engine.post(endpoint, { type, args });
  const { error, path, code } = json;
  return { status, error, path, code };
}

const add = (row?: Parameters<typeof addEvent>[1]) => addEvent(engine.databaseUrl, row);
const finished = "delivered = true, tries = 3";
const failed = "error = true, tries = 3";

describe("Events of large statements", () => {
  const insert = "insert into item (name) select 'many' from generate_series(1, 150)";

  it("Packed events appear in the event log when it is read", async () => {
    await query(engine.databaseUrl, insert);
    expect(await query(engine.databaseUrl, "select 1 from engine_catalog.event_log")).toEqual([]);
    const logs = (status: string) => engine.metadata("pg_get_event_logs", { name: "automatic", status, limit: 1000 });
    expect(await logs("processed")).toEqual([]);
    expect(await logs("pending")).toHaveLength(150);
    expect(await query(engine.databaseUrl, "select 1 from engine_catalog.packed_events")).toEqual([]);
  });

  it("Packed events are archived with their trigger", async () => {
    await query(engine.databaseUrl, "create table gone (id integer primary key)");
    await engine.metadata("pg_track_table", { table: "gone" });
    await engine.metadata("pg_create_event_trigger", trigger("gone", { table: "gone", insert: { columns: "*" } }));
    await query(engine.databaseUrl, "insert into gone select generate_series(1, 2500)");
    await engine.metadata("pg_delete_event_trigger", { name: "gone" });
    expect(
      await query(
        engine.databaseUrl,
        "select count(*)::int as events, bool_and(archived) as archived from engine_catalog.event_log where trigger_name = 'gone'",
      ),
    ).toEqual([{ events: 2500, archived: true }]);
  });
});

describe("Packed events that wait to be unpacked", () => {
  const table = "packed";
  const waiting = () => query(engine.databaseUrl, "select events from engine_catalog.packed_events");
  const kept = () =>
    query(
      engine.databaseUrl,
      `select count(*)::int as events, bool_and(archived) as archived, min(table_name) as "table",
         min(payload #>> '{data,new}') as new
       from engine_catalog.event_log where trigger_name = 'packed'`,
    );

  beforeEach(async () => {
    await query(engine.databaseUrl, `create table ${table} (id integer primary key, name text)`);
    await engine.metadata("pg_track_table", { table });
    await engine.metadata("pg_create_event_trigger", trigger("packed", { table, insert: { columns: "*" } }));
    await query(engine.databaseUrl, `insert into ${table} select n, 'a' from generate_series(1, 150) n`);
    expect(await waiting()).toEqual([{ events: 150 }]);
  });

  afterEach(async () => {
    await engine.post("/v1/metadata", { type: "pg_untrack_table", args: { table, cascade: true } });
    await query(engine.databaseUrl, "drop table if exists packed, renamed");
  });

  it("Packed events are archived with their table while another instance unpacks them", async () => {
    const other = new pg.Client({ connectionString: engine.databaseUrl });
    await other.connect();
    try {
      await other.query("begin; select engine_catalog.unpack_events(10)");
      const untracking = engine.metadata("pg_untrack_table", { table, cascade: true });
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(() => query(engine.databaseUrl, waits), { timeout: 10_000 }).not.toEqual([]);
      await other.query("commit");
      await untracking;
    } finally {
      await other.end();
    }
    expect(await waiting()).toEqual([]);
    expect(await kept()).toMatchObject([{ events: 150, archived: true }]);
  });

  it("Packed events survive a connection that ends while unpacking them", async () => {
    const other = new pg.Client({ connectionString: engine.databaseUrl });
    other.on("error", () => undefined);
    await other.connect();
    const [{ pid } = {}] = (await other.query("select pg_backend_pid() as pid")).rows;
    await other.query("begin; select engine_catalog.unpack_events(10)");
    await query(engine.databaseUrl, "select pg_terminate_backend($1)", [pid]);
    const logs = () => engine.metadata("pg_get_event_logs", { name: "packed", status: "pending", limit: 1000 });
    await expect.poll(logs, { timeout: 10_000 }).toHaveLength(150);
    expect(await kept()).toMatchObject([{ events: 150 }]);
  });

  it("Packed events keep the table and column names of their time", async () => {
    const sql = `alter table ${table} rename to renamed; alter table renamed rename name to label; insert into renamed values (0, 'b')`;
    await engine.post("/v2/query", { type: "run_sql", args: { sql } });
    await engine.metadata("pg_get_event_logs", { name: "packed" });
    expect(await kept()).toMatchObject([{ events: 151, table: "packed", new: '{"id": 0, "label": "b"}' }]);
    await engine.metadata("pg_untrack_table", { table: "renamed", cascade: true });
  });

  it("Packed events survive recreated recorders and a metadata reload", async () => {
    await engine.metadata("reload_metadata", { recreate_event_triggers: true });
    const metadata = await engine.metadata("export_metadata", {});
    await engine.metadata("replace_metadata", metadata);
    expect(await engine.metadata("pg_get_event_logs", { name: "packed", limit: 1000 })).toHaveLength(150);
  });
});

describe("Manually invoked events", () => {
  it("A manual event contains its payload and the caller's session and trace", async () => {
    const { status, json } = await engine.post(
      "/v1/metadata",
      `{"type": "pg_invoke_event_trigger", "args": {"name": "changed", "payload": {"n": 12345678901234567890}}}`,
      { "x-engine-user-id": "7", "x-b3-traceid": "463ac35c9f6413ad", "x-b3-spanid": "a2fb4a1d1a96d312" },
    );
    expect(status).toBe(200);
    expect(json).toEqual({ event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const [row] = await query(
      engine.databaseUrl,
      "select *, payload::text as text from engine_catalog.event_log where id = $1",
      [json.event_id],
    );
    expect(row).toMatchObject({
      schema_name: "public",
      table_name: "item",
      trigger_name: "changed",
      delivered: false,
      error: false,
      tries: 0,
      payload: {
        op: "MANUAL",
        data: { old: null },
        session_variables: { "x-engine-role": "admin", "x-engine-user-id": "7" },
        trace_context: { trace_id: "463ac35c9f6413ad", span_id: "a2fb4a1d1a96d312" },
      },
    });
    expect(row?.text).toContain('"new": {"n": 12345678901234567890}');
  });

  it("A manual event can be invoked at the older endpoint and in a bulk", async () => {
    const one = { type: "invoke_event_trigger", args: { name: "changed", payload: "'); drop table item; --" } };
    const { status, json } = await engine.post("/v1/query", { type: "bulk", args: [one, one] });
    expect(status).toBe(200);
    expect(json).toEqual([{ event_id: expect.any(String) }, { event_id: expect.any(String) }]);
    const [{ event_id } = { event_id: "" }] = json as { event_id: string }[];
    expect(await eventOf(engine.databaseUrl, event_id)).toMatchObject({
      payload: {
        data: { new: "'); drop table item; --" },
        trace_context: { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
      },
    });
  });

  it("A manual event is refused if its trigger is unknown or does not allow it", async () => {
    expect(await refused("pg_invoke_event_trigger", { name: "automatic", payload: {} })).toEqual({
      status: 400,
      error: "manual mode is not enabled for event trigger",
      path: "$.args",
      code: "not-supported",
    });
    expect(await refused("pg_invoke_event_trigger", { name: "other", payload: {} })).toEqual({
      status: 400,
      error: 'event trigger "other" does not exist',
      path: "$.args",
      code: "not-exists",
    });
    expect(await refused("pg_invoke_event_trigger", { name: "changed", payload: {}, source: "x" })).toEqual({
      status: 400,
      error: 'source with name "x" does not exist',
      path: "$.args",
      code: "not-exists",
    });
    expect(await refused("mssql_invoke_event_trigger", { name: "changed", payload: {} })).toMatchObject({
      error: 'source with name "default" has backend type "postgres" which does not match the expected type mssql',
    });
  });

  it("A manual event is refused if jsonb cannot store its payload", async () => {
    expect(await refused("pg_invoke_event_trigger", { name: "changed", payload: "\u0000" })).toMatchObject({
      status: 400,
      path: "$.args",
      code: "data-exception",
    });
    expect(await query(engine.databaseUrl, "select 1 from engine_catalog.event_log")).toEqual([]);
  });
});

describe("Redelivered events", () => {
  it.each(["pg_redeliver_event", "postgres_redeliver_event"])(
    "A redelivered event is reset to new by %s",
    async (type) => {
      for (const set of [finished, failed]) {
        const id = await add({ set });
        expect(await engine.metadata(type, { event_id: id })).toEqual({ message: "success" });
        expect(await eventOf(engine.databaseUrl, id)).toMatchObject({ delivered: false, error: false, tries: 0 });
      }
    },
  );

  it("An event can be redelivered at the older endpoint", async () => {
    const id = await add({ set: failed });
    const { json } = await engine.post("/v1/query", { type: "redeliver_event", args: { event_id: id } });
    expect(json).toEqual({ message: "success" });
  });

  it("A redelivery is refused while the event is in progress", async () => {
    const id = await add({ set: "locked = now() - interval '29 minutes'" });
    expect(await refused("pg_redeliver_event", { event_id: id })).toEqual({
      status: 400,
      error: "event is already being processed",
      path: "$.args",
      code: "busy",
    });
    const forgotten = await add({ set: "locked = now() - interval '31 minutes', locked_by = gen_random_uuid()" });
    expect(await engine.metadata("pg_redeliver_event", { event_id: forgotten })).toEqual({ message: "success" });
    expect(await eventOf(engine.databaseUrl, forgotten)).toMatchObject({ locked: null, locked_by: null });
  });

  it("A redelivery of an unknown event is refused", async () => {
    const error = { status: 400, error: "event not found", path: "$.args", code: "not-exists" };
    expect(await refused("pg_redeliver_event", { event_id: "none" })).toEqual(error);
    expect(await refused("pg_redeliver_event", { event_id: "' or true --" })).toEqual(error);
    const archived = await add({ set: "archived = true" });
    expect(await refused("pg_redeliver_event", { event_id: archived })).toEqual(error);
  });

  it("A redelivery with an invalid event id is refused", async () => {
    expect(await refused("pg_redeliver_event", { event_id: "\u0000" })).toMatchObject({ status: 400, path: "$.args" });
  });
});

describe("Redelivery of many events", () => {
  it("Events are redelivered by state, trigger and time", async () => {
    const old = await add({ set: `${failed}, created_at = '2026-01-01'` });
    const young = await add({ set: `${failed}, created_at = '2026-02-01'` });
    const other = await add({ trigger: "automatic", set: failed });
    const done = await add({ set: finished });
    const archived = await add({ set: `${failed}, archived = true` });
    const stateOf = async (id: string) => {
      const row = await eventOf(engine.databaseUrl, id);
      return [row?.delivered, row?.error, row?.tries];
    };
    const january = { name: "changed", status: "error", from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    expect(await engine.metadata("pg_redeliver_events", january)).toEqual({ redelivered_events: 1 });
    expect(await stateOf(old)).toEqual([false, false, 0]);
    expect(await stateOf(young)).toEqual([false, true, 3]);
    expect(await engine.metadata("pg_redeliver_events", { status: ["error"] })).toEqual({ redelivered_events: 2 });
    expect(await stateOf(other)).toEqual([false, false, 0]);
    expect(await stateOf(done)).toEqual([true, false, 3]);
    const all = { status: ["error", "delivered", "error"] };
    expect(await engine.metadata("pg_redeliver_events", all)).toEqual({ redelivered_events: 1 });
    expect(await stateOf(archived)).toEqual([false, true, 3]);
    expect(await refused("pg_redeliver_events", { name: "x", status: "error" })).toMatchObject({
      error: 'event trigger "x" does not exist',
      code: "not-exists",
      path: "$.args",
    });
  });

  const insertMany = `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, error, created_at)
    select 'public', 'item', 'changed', '{}', true, timestamp '2026-01-01' + interval '1 second' * (i / 7000)
    from generate_series(1, 25000) i`;

  async function redeliverMany(): Promise<void> {
    const answer = await engine.metadata("pg_redeliver_events", { status: "error" });
    expect(answer).toEqual({ redelivered_events: 25_000 });
    expect(await query(engine.databaseUrl, "select 1 from engine_catalog.event_log where error")).toEqual([]);
  }

  it("Thousands of events are redelivered together", async () => {
    await query(engine.databaseUrl, insertMany);
    await redeliverMany();
  });

  it("Thousands of events are redelivered together, even with outdated statistics", async () => {
    const writer = new pg.Client({ connectionString: engine.databaseUrl });
    await writer.connect();
    try {
      await writer.query("begin");
      await writer.query(insertMany);
      await query(engine.databaseUrl, "analyze engine_catalog.event_log");
      await writer.query("commit");
    } finally {
      await writer.end();
    }
    await redeliverMany();
  });

  it("A redelivery wakes waiting instances", async () => {
    const listener = new pg.Client({ connectionString: engine.databaseUrl });
    await listener.connect();
    try {
      await listener.query("listen engine_events");
      const heard = once(listener, "notification");
      const waiting = "insert into engine_catalog.engine_instances values (gen_random_uuid(), now(), true)";
      await query(engine.databaseUrl, waiting);
      await add({ set: failed });
      await engine.metadata("pg_redeliver_events", { status: "error" });
      expect(await heard).toMatchObject([{ channel: "engine_events" }]);
    } finally {
      await listener.end();
      await query(engine.databaseUrl, "delete from engine_catalog.engine_instances");
    }
  });
});

describe("Event logs", () => {
  it("The event log selects events by outcome and time", async () => {
    await add({ set: "created_at = '2026-01-01'" });
    const early = await add({ set: `created_at = '2026-01-02', ${failed}` });
    const delivered = await add({ set: `created_at = '2026-01-03T12:00:00', ${finished}` });
    const late = await add({ set: `created_at = '2026-01-04', ${failed}` });
    await add({ set: `created_at = '2026-01-05', ${failed}, archived = true` });
    const idsOf = async (args: object) => {
      const rows = (await engine.metadata("pg_get_event_logs", { name: "changed", ...args })) as { id: string }[];
      return rows.map(({ id }) => id);
    };
    expect(await idsOf({ outcome: "error" })).toEqual([late, early]);
    expect(await idsOf({ outcome: "delivered" })).toEqual([delivered]);
    expect(await idsOf({ outcome: "error", status: "processed", from: "2026-01-03T00:00:00Z" })).toEqual([late]);
    // `from` is inclusive, `to` exclusive.
    const noon = { from: "2026-01-03T14:00:00+02:00", to: "2026-01-04T00:00:00Z" };
    expect(await idsOf(noon)).toEqual([delivered]);
    expect(await idsOf({ to: "2026-01-02T00:00:00Z" })).toHaveLength(1);
    expect(await refused("pg_get_event_logs", { name: "changed", status: "pending", outcome: "error" })).toMatchObject({
      status: 400,
      error: expect.stringContaining("pending events have no outcome"),
    });
    const injected = `2026-01-01T00:00:00Z'; drop table item; --`;
    for (const member of ["from", "to"]) {
      expect(await refused("pg_get_event_logs", { name: "changed", [member]: injected })).toMatchObject({
        status: 400,
        path: `$.args.${member}`,
        code: "parse-failed",
      });
    }
  });

  it("The event log finds few failed events among many delivered ones by an index", async () => {
    await query(
      engine.databaseUrl,
      `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, delivered, error, created_at)
       select 'public', 'item', 'changed', '{}', number % 20000 <> 0, number % 20000 = 0, timestamp '2026-01-01' + number * interval '1 second'
       from generate_series(1, 60000) number`,
    );
    await query(engine.databaseUrl, "analyze engine_catalog.event_log");
    const planOf = async (text: string): Promise<string> => {
      const plan = text.replace(
        /\$(\d)(::bigint)?/g,
        (_, number: string) => ["'changed'", "50", "0", "null", "null"][Number(number) - 1] ?? "",
      );
      return JSON.stringify(await query(engine.databaseUrl, `explain ${plan}`));
    };
    const errors = await planOf(postgresLogs.events.error);
    expect(errors).toContain("event_log_failed");
    expect(errors).not.toContain("Seq Scan");
    const delivered = await planOf(postgresLogs.events.delivered);
    expect(delivered).toContain("event_log_done");
    expect(delivered).not.toContain("Seq Scan");
    expect(await engine.metadata("pg_get_event_logs", { name: "changed", outcome: "error" })).toHaveLength(3);
  });

  it("The event log lists events with the newest first", async () => {
    const first = await add({ set: "created_at = '2026-01-01T00:00:00.123456', next_retry_at = '2030-01-01'" });
    const second = await add({ set: `created_at = '2026-01-02', ${finished}` });
    const third = await add({ set: "created_at = '2026-01-03', locked = now()" });
    const fourth = await add({ set: `created_at = '2026-01-04', ${failed}` });
    const fifth = await add({ set: "created_at = '2026-01-05', archived = true" });
    await add({ trigger: "automatic" });
    const idsOf = async (args: object) => {
      const rows = (await engine.metadata("pg_get_event_logs", { name: "changed", ...args })) as { id: string }[];
      return rows.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([fifth, fourth, third, second, first]);
    expect(await idsOf({ limit: 2, offset: 1 })).toEqual([fourth, third]);
    expect(await idsOf({ limit: 0 })).toEqual([]);
    expect(await idsOf({ offset: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(await idsOf({ status: "pending" })).toEqual([third, first]);
    expect(await idsOf({ status: "processed" })).toEqual([fourth, second]);
    const [row] = (await engine.metadata("pg_get_event_logs", { name: "changed", offset: 4 })) as object[];
    expect(row).toEqual({
      id: first,
      schema_name: "public",
      table_name: "item",
      trigger_name: "changed",
      payload: { op: "INSERT" },
      delivered: false,
      error: false,
      tries: 0,
      created_at: "2026-01-01T00:00:00.123456",
      locked: null,
      next_retry_at: "2030-01-01T00:00:00",
      archived: false,
    });
  });

  it("The invocation log lists invocations by trigger and by event", async () => {
    const id = await add({ set: finished });
    const log =
      "insert into engine_catalog.event_invocation_logs (trigger_name, event_id, status, request, response, created_at)";
    const request = '{"headers": [], "payload": {"n": 12345678901234567890}, "version": "2"}';
    for (const [status, at] of [
      [503, "2026-01-01"],
      [200, "2026-01-02"],
    ]) {
      await query(engine.databaseUrl, `${log} values ('changed', $1, $2, $3, '{"type": "x"}', $4)`, [
        id,
        status,
        request,
        at,
      ]);
    }
    await query(engine.databaseUrl, `${log} values ('automatic', 'other', null, '{}', '{}', now())`);
    const args = { name: "changed", limit: 1 };
    expect(await engine.metadata("pg_get_event_invocation_logs", args)).toEqual([
      {
        id: expect.any(String),
        trigger_name: "changed",
        event_id: id,
        http_status: 200,
        request: expect.any(Object),
        response: { type: "x" },
        created_at: "2026-01-02T00:00:00",
      },
    ]);
    const { text } = await engine.post("/v1/metadata", { type: "pg_get_event_invocation_logs", args });
    expect(text).toContain("12345678901234567890");
    const byId = { event_id: id, invocation_log_limit: 5, invocation_log_offset: 1 };
    expect(await engine.metadata("pg_get_event_by_id", byId)).toMatchObject({
      event: { id, delivered: true },
      invocations: [{ http_status: 503, created_at: "2026-01-01T00:00:00" }],
    });
  });

  it("The logs of an unknown trigger or event are refused", async () => {
    for (const type of ["pg_get_event_logs", "pg_get_event_invocation_logs"]) {
      expect(await refused(type, { name: "x" })).toEqual({
        status: 400,
        error: 'event trigger "x" does not exist',
        path: "$.args",
        code: "not-exists",
      });
    }
    expect(await refused("pg_get_event_by_id", { event_id: "x" })).toEqual({
      status: 400,
      error: "event id x does not exist",
      path: "$.args",
      code: "not-exists",
    });
  });
});

describe("Manual clean-ups", () => {
  it("A manual clean-up deletes old completed events, with invocations on request", async () => {
    const old = "created_at = now() at time zone 'utc' - interval '25 hours'";
    for (const set of [`${old}, delivered = true`, `${old}, error = true`]) {
      const id = await add({ set });
      await query(
        engine.databaseUrl,
        "insert into engine_catalog.event_invocation_logs (trigger_name, event_id) values ('changed', $1)",
        [id],
      );
    }
    const kept = [
      await add({ set: old }),
      await add({ set: finished }),
      await add({ trigger: "automatic", set: `${old}, delivered = true` }),
      await add({ set: `${old}, error = true, locked = now()` }),
    ].sort();
    const args = { event_trigger_name: "changed", clear_older_than: 24, batch_size: 1 };
    expect(await engine.metadata("cleanup_event_trigger_logs", args)).toEqual({
      deleted_event_logs: 2,
      deleted_event_invocation_logs: 0,
    });
    const left = await query(engine.databaseUrl, "select id from engine_catalog.event_log");
    expect(left.map(({ id }) => id).sort()).toEqual(kept);
    expect(await query(engine.databaseUrl, "select 1 from engine_catalog.event_invocation_logs")).toHaveLength(2);
  });

  it("A manual clean-up deletes invocations and refuses unknown triggers", async () => {
    const id = await add({ set: `${finished}, created_at = '2020-01-01'` });
    const log = "insert into engine_catalog.event_invocation_logs (trigger_name, event_id) values ('changed', $1)";
    await query(engine.databaseUrl, log, [id]);
    await query(engine.databaseUrl, log, ["other"]);
    const args = { event_trigger_name: "changed", clear_older_than: 1e15, clean_invocation_logs: true };
    const none = { deleted_event_logs: 0, deleted_event_invocation_logs: 0 };
    expect(await engine.metadata("pg_cleanup_event_trigger_logs", args)).toEqual(none);
    expect(await engine.metadata("pg_cleanup_event_trigger_logs", { ...args, clear_older_than: 0 })).toEqual({
      deleted_event_logs: 1,
      deleted_event_invocation_logs: 1,
    });
    expect(await refused("cleanup_event_trigger_logs", { ...args, event_trigger_name: "x" })).toMatchObject({
      error: 'event trigger "x" does not exist',
      path: "$.args",
    });
  });
});

describe("Access to event operations", () => {
  const calls = [
    ["pg_invoke_event_trigger", { name: "changed", payload: 1 }],
    ["pg_redeliver_event", { event_id: "x" }],
    ["pg_redeliver_events", { status: "error" }],
    ["pg_get_event_logs", { name: "changed" }],
    ["pg_get_event_invocation_logs", { name: "changed" }],
    ["pg_get_event_by_id", { event_id: "x" }],
    ["cleanup_event_trigger_logs", { event_trigger_name: "changed", clear_older_than: 0 }],
  ] as const;

  it.each(calls)("Event operations are restricted to admins: %s", async (type, args) => {
    const { status, json } = await engine.post("/v1/metadata", { type, args }, { "x-engine-role": "user" });
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "access-denied", error: "restricted access : admin only", path: "$.args" });
  });

  it("Event operations are refused in read-only mode and accepted in maintenance mode", async () => {
    const id = await add({ set: failed });
    for (const mode of ["READ_ONLY", "MAINTENANCE"]) {
      const environment = { ENGINE_GRAPHQL_DISABLE_EVENTING: "true", [`ENGINE_GRAPHQL_ENABLE_${mode}_MODE`]: "true" };
      const other = await startTestServer({ environment, on: engine });
      try {
        for (const [type, args] of calls) {
          const { status, json } = await other.post("/v1/metadata", {
            type,
            args: "event_id" in args ? { event_id: id } : args,
          });
          const reads = type.includes("_get_");
          const refusal = { code: "not-supported", error: "metadata cannot be modified in read-only mode", path: "$" };
          if (mode === "READ_ONLY" && !reads) expect(json).toEqual(refusal);
          else expect({ type, status, json }).toMatchObject({ type, status: 200 });
        }
      } finally {
        await other.stop();
      }
    }
  }, 60_000);
});

describe("Sources without event triggers", () => {
  it("A source without event triggers has no events", async () => {
    const empty = await startTestServer();
    try {
      const post = async (type: string, args: unknown) => (await empty.post("/v1/metadata", { type, args })).json;
      expect(await post("pg_get_event_by_id", { event_id: "x" })).toMatchObject({
        error: "event id x does not exist",
      });
      expect(await post("pg_redeliver_event", { event_id: "x" })).toMatchObject({ error: "event not found" });
      expect(await post("pg_redeliver_events", { status: "error" })).toEqual({ redelivered_events: 0 });
      expect(await post("pg_get_event_logs", { name: "x" })).toMatchObject({
        error: 'event trigger "x" does not exist',
      });
    } finally {
      await empty.close();
    }
  });
});

describe("Replaced event triggers", () => {
  const create = (more: object, endpoint = "/v1/metadata") => {
    const args = trigger("replaced", { insert: { columns: "*" }, ...more });
    return engine.post(endpoint, { type: `${endpoint === "/v1/query" ? "" : "pg_"}create_event_trigger`, args });
  };

  it("A replaced trigger keeps its table, its waiting events and the variable names in its URL", async () => {
    expect((await create({}, "/v1/query")).json).toEqual({ message: "success" });
    const waiting = await add({ trigger: "replaced" });
    await query(engine.databaseUrl, "create table if not exists other_item (id serial primary key)");
    await engine.metadata("pg_track_table", { table: "other_item" });
    expect((await create({ replace: true, table: "other_item" })).json).toMatchObject({
      code: "not-supported",
      error: "cannot replace table or schema for trigger",
      path: "$.args",
    });
    const webhook = "{{ENGINE_TEST_UNSET}}/new";
    expect((await create({ replace: true, webhook })).json).toMatchObject({ code: "invalid-configuration" });
    const set = "{{ENGINE_GRAPHQL_DATABASE_URL}}/new";
    expect((await create({ replace: true, webhook: set })).json).toEqual({ message: "success" });
    const exported = JSON.stringify(await engine.metadata("export_metadata", {}));
    expect(exported).toContain(set);
    expect(await eventOf(engine.databaseUrl, waiting)).toMatchObject({ archived: false, delivered: false });
    const { json } = await engine.post("/v1/query", { type: "delete_event_trigger", args: { name: "replaced" } });
    expect(json).toEqual({ message: "success" });
    expect(await eventOf(engine.databaseUrl, waiting)).toMatchObject({ archived: true });
  });

  it("A replaced trigger is refused with unknown columns, and names may have the maximum length", async () => {
    expect((await create({ insert: { columns: ["id", "none"] } })).json).toMatchObject({
      code: "not-exists",
      error: '"none" does not exist',
    });
    expect((await create({ name: "a".repeat(43) })).json).toMatchObject({ code: "parse-failed", path: "$.args" });
    expect((await create({ name: "1a" })).json).toMatchObject({ code: "parse-failed", path: "$.args" });
    const name = `${"a".repeat(39)}_-0`;
    expect((await create({ name })).json).toEqual({ message: "success" });
    await query(engine.databaseUrl, "insert into item (name) values ('x')");
    expect(await engine.metadata("pg_get_event_logs", { name })).toHaveLength(1);
    await engine.metadata("pg_delete_event_trigger", { name });
  });
});
