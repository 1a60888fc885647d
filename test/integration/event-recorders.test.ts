/** Installing recorders and the tables of event triggers on a real PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSource } from "../../runtime/databases/sources/open-source.ts";
import {
  compareRecorders,
  type Installation,
  install,
  type RecordedSource,
} from "../../runtime/jobs/events/install.ts";
import type { PlacedRecorder } from "../../runtime/jobs/events/installed-recorder.ts";
import { postgresCatalog } from "../../runtime/jobs/events/postgres/catalog.ts";
import type { EventOperation } from "../../runtime/model/definitions/events/event-trigger.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let source: RecordedSource;

beforeEach(async () => {
  database = await createDatabase("recorders");
  await query(database.url, "create table note (id integer primary key, body text); create table other (id integer)");
  source = open(database.url);
});

afterEach(async () => {
  await source.database.close();
  await database.drop();
});

function open(url: string, readOnly = false): RecordedSource {
  const address = { name: "default", kind: "postgres", connectionInfo: { database_url: url } };
  return { name: "default", kind: "postgres", database: openSource(address, { variables: {}, readOnly }) };
}

/** Returns a recorder for the rows of a table, with a hash of its body. */
function placed(table: string, operation: EventOperation = "INSERT", label = "one", trigger = "t"): PlacedRecorder {
  const name = `notify_engine_${trigger}_${operation}`;
  const hash = Buffer.from(label.padEnd(8)).toString("hex");
  const statements = [
    `create or replace function engine_catalog."${name}"() returns trigger language plpgsql security definer
       set search_path = pg_catalog, pg_temp as $$
     -- definition ${hash}
     begin
       perform engine_catalog.insert_event_log('public', '${table}', '${trigger}', tg_op,
         json_build_object('label', '${label}', 'new', row_to_json(new)));
       return null;
     end $$`,
    `drop trigger if exists "${name}" on public.${table}`,
    `create trigger "${name}" after ${operation} on public.${table} for each row execute function engine_catalog."${name}"()`,
  ];
  return { table: { schema: "public", name: table }, recorder: { operation, name, hash, statements } };
}

const only = (...wanted: PlacedRecorder[]): Installation => ({ wanted, isGone: () => true, needsTables: true });
const none: Installation = { wanted: [], isGone: () => true, needsTables: false };

const labels = async () =>
  (
    await query(
      database.url,
      "select payload->'data'->>'label' as label from engine_catalog.event_log order by created_at",
    )
  ).map(({ label }) => label);
const functions = async () =>
  (await query(database.url, "select proname from pg_proc where proname like 'notify\\_engine\\_%' order by 1")).map(
    ({ proname }) => proname,
  );

describe("Installation of event recorders", () => {
  it("Installing creates the catalog tables and the recorders, and is idempotent", async () => {
    expect(await install(source, only(placed("note")))).toEqual({
      kind: "installed",
      made: ["notify_engine_t_INSERT"],
      added: ["notify_engine_t_INSERT"],
      dropped: [],
      tables: { from: 0, to: postgresCatalog.migrations.length },
    });
    expect(await install(source, only(placed("note")))).toEqual({
      kind: "installed",
      made: [],
      added: [],
      dropped: [],
    });
    await query(database.url, "insert into note values (1, 'a')");
    expect(await labels()).toEqual(["one"]);
    expect(await query(database.url, "select version, step from engine_catalog.engine_source_catalog_version")).toEqual(
      [{ version: "4", step: postgresCatalog.migrations.length }],
    );
  });

  it("Installing upgrades the tables of an older version with their events", async () => {
    const { createSchema, createVersion, migrations } = postgresCatalog;
    await query(database.url, [createSchema, createVersion, ...(migrations[0] ?? [])].join(";\n"));
    await query(
      database.url,
      `update engine_catalog.engine_source_catalog_version set step = 1;
       insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
       values ('public', 'note', 't', '{"data": {"label": "old"}}')`,
    );
    await install(source, only(placed("note")));
    expect(await labels()).toEqual(["old"]);
    expect(await query(database.url, "select step from engine_catalog.engine_source_catalog_version")).toEqual([
      { step: migrations.length },
    ]);
    expect(await query(database.url, "select count(*)::int as packs from engine_catalog.packed_events")).toEqual([
      { packs: 0 },
    ]);
  });

  it("Installing leaves a source without event triggers untouched", async () => {
    await install(source, none);
    expect(await query(database.url, "select to_regnamespace('engine_catalog') is null as missing")).toEqual([
      { missing: true },
    ]);
  });

  it("Installing replaces changed recorders, moves them to other tables and drops orphaned ones", async () => {
    await install(source, only(placed("note")));
    await install(source, only(placed("note", "INSERT", "two")));
    await query(database.url, "insert into note values (1)");
    await install(source, only(placed("other", "INSERT", "three")));
    await query(database.url, "insert into note values (2); insert into other values (3)");
    expect(await labels()).toEqual(["two", "three"]);
    await install(source, none);
    await query(database.url, "insert into other values (4)");
    expect(await functions()).toEqual([]);
    expect(await labels()).toEqual(["two", "three"]);
  });

  it("Installing recreates a trigger that was disabled or dropped", async () => {
    for (const harm of [
      "alter table note disable trigger all",
      'drop trigger "notify_engine_t_INSERT" on note',
      'alter table note enable replica trigger "notify_engine_t_INSERT"',
    ]) {
      await install(source, only(placed("note")));
      await query(database.url, harm);
      expect((await compareRecorders(source, only(placed("note")))).made).toHaveLength(1);
      await install(source, only(placed("note")));
      expect((await compareRecorders(source, only(placed("note")))).made).toHaveLength(0);
    }
  });

  it("Installing is all or nothing", async () => {
    const broken = placed("other", "DELETE");
    const bad = { ...broken, recorder: { ...broken.recorder, statements: ["create trigger nonsense"] } };
    await expect(install(source, only(placed("note"), bad))).rejects.toMatchObject({ code: "postgres-error" });
    expect(await query(database.url, "select to_regnamespace('engine_catalog') is null as missing")).toEqual([
      { missing: true },
    ]);
  });

  it("Concurrent installations succeed", async () => {
    const others = Array.from({ length: 6 }, () => open(database.url));
    await Promise.all(others.map((each) => install(each, only(placed("note"), placed("other", "DELETE")))));
    await Promise.all(others.map((each) => each.database.close()));
    expect(await functions()).toEqual(["notify_engine_t_DELETE", "notify_engine_t_INSERT"]);
  });

  it("Installing times out on a busy table without blocking other sessions for long", async () => {
    await install(source, none);
    const holder = open(database.url);
    let done = () => {};
    const held = new Promise<void>((resolve) => (done = resolve));
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const holding = holder.database.transaction({}, async (transaction) => {
      await transaction.query({ text: "insert into note values (7)" }, []);
      locked();
      await held;
    });
    await isLocked;
    const error = await install(source, only(placed("note")), { retryMilliseconds: 300, pause: 10 }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: "busy", message: expect.stringContaining("lock timeout") });
    done();
    await holding;
    await holder.database.close();
    expect((await install(source, only(placed("note")))).kind).toBe("installed");
    expect(await functions()).toEqual(["notify_engine_t_INSERT"]);
  });

  it("Installing keeps the recorders of another instance with later metadata", async () => {
    const claim = (instance: string, version: number) => ({
      claim: { installation: "i", instance, version },
      claims: true,
    });
    await install(source, { ...only(placed("note")), ...claim("a", 8) });
    expect(await install(source, { ...none, ...claim("b", 7) })).toEqual({ kind: "superseded" });
    expect(await functions()).toEqual(["notify_engine_t_INSERT"]);
    // The claiming instance can release its claim at any time; other instances can do so once the claim is old.
    await query(
      database.url,
      "update engine_catalog.engine_source_catalog_version set installed_at = now() - interval '2 minutes'",
    );
    expect((await install(source, { ...none, ...claim("b", 7) })).kind).toBe("installed");
    expect(await functions()).toEqual([]);
  });

  it("Installing reports missing privileges on the schema and read-only sources", async () => {
    const role = `weak_${database.name.slice(-12)}`;
    await query(database.url, `create role ${role} login password 'x'; grant all on note to ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = "x";
    const weak = open(url.href);
    await expect(install(weak, only(placed("note")))).rejects.toMatchObject({
      code: "postgres-error",
      status: 400,
      message: expect.stringMatching(
        /source "default" cannot be installed: permission denied .* schema engine_catalog/,
      ),
    });
    await weak.database.close();
    const reading = open(database.url, true);
    await expect(install(reading, only(placed("note")))).rejects.toMatchObject({
      message: expect.stringMatching(/must be writable/),
    });
    await reading.database.close();
    await query(database.url, `drop owned by ${role}; drop role ${role}`);
  });
});
