/** SQL triggers of event triggers on a real PostgreSQL: the changes that they record, and those that they ignore. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, RecordingDatabase, trigger } from "../support/recorded-events.ts";

const schema = `
  create extension if not exists citext;
  create extension if not exists hstore;
  create type mood as enum ('calm', 'cross');
  create type pair as (a integer, b numeric);
  create domain positive as numeric check (value > 0);
  create table item (id integer primary key, name text, price numeric, note text, mood mood);
  create table owner (id integer primary key);
  create table pet (id integer primary key, owner_id integer references owner on delete cascade on update cascade);
  create table reading (id integer, at date, value numeric, primary key (id, at)) partition by range (at);
  create table reading_a partition of reading for values from ('2026-01-01') to ('2026-07-01');
  create table reading_b (at date not null, extra_order integer, value numeric, id integer not null);
  alter table reading_b drop column extra_order;
  alter table reading attach partition reading_b for values from ('2026-07-01') to ('2027-01-01');
  create table person (id integer primary key, name text);
  create table employee (salary numeric) inherits (person);
  create table replicated (id integer primary key);
  create table unreplicated (id integer primary key);
`;

let db: RecordingDatabase;

beforeAll(async () => {
  db = await RecordingDatabase.open(schema);
  const reasons = await db.install([
    { table: "item", event_triggers: [trigger("item", everything)] },
    { table: "owner" },
    { table: "pet", event_triggers: [trigger("pet", everything)] },
    { table: "reading", event_triggers: [trigger("reading", everything)] },
    { table: "person", event_triggers: [trigger("person", everything)] },
    { table: "employee", event_triggers: [trigger("employee", everything)] },
    { table: "replicated", event_triggers: [trigger("replicated", everything, { trigger_on_replication: true })] },
    { table: "unreplicated", event_triggers: [trigger("unreplicated", everything)] },
  ]);
  expect(reasons).toEqual([]);
});

afterAll(() => db?.close());

/** Returns the operation, and the ids before and after it. */
const brief = async () =>
  (await db.events()).map((event) => [event.trigger, event.op, event.old?.id ?? null, event.new?.id ?? null]);

describe("Recording on ordinary tables", () => {
  it("Inserted, updated and deleted rows are recorded completely", async () => {
    await db.run("insert into item values (1, 'a', 1.50, null, 'calm'), (2, 'b', 2, 'x', null)");
    const row = { id: 1, name: "a", price: 1.5, note: null, mood: "calm" };
    expect(await db.events()).toEqual([
      { trigger: "item", table: "public.item", op: "INSERT", old: null, new: row, session: null, key: null },
      expect.objectContaining({ op: "INSERT", new: { id: 2, name: "b", price: 2, note: "x", mood: null } }),
    ]);
    await db.run("update item set name = 'c' where id = 1");
    expect(await db.events()).toEqual([
      expect.objectContaining({ op: "UPDATE", old: row, new: { ...row, name: "c" } }),
    ]);
    await db.run("delete from item");
    expect((await brief()).sort()).toEqual([
      ["item", "DELETE", 1, null],
      ["item", "DELETE", 2, null],
    ]);
  });

  it("Statements without a change record no events", async () => {
    await db.run("insert into item values (1, 'a', 1.5, null, null)");
    await db.events();
    await db.run("update item set name = name; update item set price = 1.500; delete from item where false");
    expect(await db.events()).toEqual([]);
    await db.run("update item set note = 'x'; update item set note = null; delete from item");
    expect((await brief()).map(([, op]) => op)).toEqual(["UPDATE", "UPDATE", "DELETE"]);
  });

  it("Events of a rolled-back transaction are not recorded", async () => {
    await db.run("begin; insert into item values (1); rollback");
    expect(await db.events()).toEqual([]);
  });

  it("Rows of COPY, ON CONFLICT and MERGE are recorded", async () => {
    await db.run("create temp table copied as select 7 as id; insert into item (id) values (1), (2)");
    await db.events();
    await db.run("insert into item (id, name) values (2, 'new'), (3, 'c') on conflict (id) do update set name = 'new'");
    expect((await brief()).sort()).toEqual([
      ["item", "INSERT", null, 3],
      ["item", "UPDATE", 2, 2],
    ]);
    await db.run(`copy item (id) from program 'echo 4'`);
    expect(await brief()).toEqual([["item", "INSERT", null, 4]]);
    const { rows } = await db.client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((rows[0]?.version ?? 0) >= 150_000) {
      await db.run(`merge into item using (values (1), (2), (9)) as given (id) on item.id = given.id
        when matched and given.id = 1 then delete
        when matched then update set note = 'merged'
        when not matched then insert (id) values (given.id)`);
      expect((await brief()).sort()).toEqual([
        ["item", "DELETE", 1, null],
        ["item", "INSERT", null, 9],
        ["item", "UPDATE", 2, 2],
      ]);
    }
    await db.run("delete from item");
    await db.events();
  });

  it("Changes by foreign key actions are recorded", async () => {
    await db.run("insert into owner values (1), (2); insert into pet values (10, 1), (11, 1), (12, 2)");
    await db.events();
    await db.run("update owner set id = 3 where id = 2; delete from owner where id = 1");
    expect((await brief()).sort()).toEqual([
      ["pet", "DELETE", 10, null],
      ["pet", "DELETE", 11, null],
      ["pet", "UPDATE", 12, 12],
    ]);
  });
});

describe("Recording on partitioned and inherited tables", () => {
  it("Rows of partitions are recorded under the partitioned table, regardless of the statement's table", async () => {
    await db.run(`
      insert into reading values (1, '2026-02-01', 1), (2, '2026-08-01', 1);
      insert into reading_b (id, at, value) values (3, '2026-09-01', 1);
      update reading set value = 1.0 where id = 1;
      update reading set value = 5 where id = 2;
      update reading_b set value = 6 where id = 3;
      delete from reading_a`);
    const events = await db.events();
    expect(events.map(({ op, old, new: fresh }) => [op, old?.id ?? null, fresh?.id ?? null])).toEqual([
      ["INSERT", null, 1],
      ["INSERT", null, 2],
      ["INSERT", null, 3],
      ["UPDATE", 2, 2],
      ["UPDATE", 3, 3],
      ["DELETE", 1, null],
    ]);
    expect(new Set(events.map(({ table }) => table))).toEqual(new Set(["public.reading"]));
    expect(events[2]?.new).toEqual({ id: 3, at: "2026-09-01", value: 1 });
  });

  it("A row moved to another partition is recorded as deleted and inserted", async () => {
    await db.run("insert into reading values (4, '2026-02-01', 1)");
    await db.events();
    await db.run("update reading set at = '2026-08-01' where id = 4");
    expect((await brief()).sort()).toEqual([
      ["reading", "DELETE", 4, null],
      ["reading", "INSERT", null, 4],
    ]);
  });

  it("Rows of an inheriting table are recorded under that table, regardless of the statement's table", async () => {
    await db.run("insert into person values (1, 'a'); insert into employee values (2, 'b', 10)");
    await db.run("update person set name = 'c'; delete from person");
    expect((await brief()).sort()).toEqual([
      ["employee", "DELETE", 2, null],
      ["employee", "INSERT", null, 2],
      ["employee", "UPDATE", 2, 2],
      ["person", "DELETE", 1, null],
      ["person", "INSERT", null, 1],
      ["person", "UPDATE", 1, 1],
    ]);
  });
});

describe("Effects of recorders on the catalog", () => {
  it("Installing recorders leaves the introspected shape unchanged", async () => {
    const tables = [{ table: "item", event_triggers: [trigger("again", everything)] }];
    const shapeOf = async () => (await db.engine.track(tables)).sources.get("default")?.shape;
    const before = await shapeOf();
    expect(await db.install(tables)).toEqual([]);
    expect(await shapeOf()).toEqual(before);
    await db.run(`drop function engine_catalog."notify_engine_again_INSERT",
      engine_catalog."notify_engine_again_UPDATE", engine_catalog."notify_engine_again_DELETE" cascade`);
  });
});

describe("Replication of recorded tables", () => {
  it("Replicated changes are recorded if the trigger includes them", async () => {
    await db.run(`set session_replication_role = replica;
      insert into replicated values (1); insert into unreplicated values (1);
      update replicated set id = 2; delete from replicated; delete from unreplicated;
      reset session_replication_role`);
    expect((await brief()).map(([name, op]) => [name, op])).toEqual([
      ["replicated", "INSERT"],
      ["replicated", "UPDATE"],
      ["replicated", "DELETE"],
    ]);
  });
});

describe("Session variables in events", () => {
  const tables = [
    {
      table: "owner",
      array_relationships: [
        { name: "pets", using: { foreign_key_constraint_on: { table: "pet", column: "owner_id" } } },
      ],
      event_triggers: [trigger("owner", everything)],
    },
    { table: "pet", event_triggers: [trigger("pet", everything)] },
    { table: "item", event_triggers: [trigger("item", everything)] },
  ];
  const session = { "x-engine-role": "admin", "x-engine-user-id": "7" };

  /** Returns the session variables in recorded events. */
  async function seen(mutation: string) {
    await db.engine.ask("admin", mutation, session);
    return (await db.events()).map(({ trigger: name, op, session: variables }) => [name, op, variables]).sort();
  }

  it("The session variables of a mutation are recorded for every row that it writes", async () => {
    expect(await db.install(tables)).toEqual([]);
    expect(
      await seen(`mutation { insert_owner(objects: [
        { id: 1, pets: { data: [{ id: 10 }, { id: 11 }] } }, { id: 2 }
      ]) { affected_rows } }`),
    ).toEqual([
      ["owner", "INSERT", session],
      ["owner", "INSERT", session],
      ["pet", "INSERT", session],
      ["pet", "INSERT", session],
    ]);
    expect(
      await seen("mutation { insert_item(objects: [{ id: 1 }, { id: 2 }, { id: 3 }]) { affected_rows } }"),
    ).toEqual(Array.from({ length: 3 }, () => ["item", "INSERT", session]));
    expect(
      await seen(`mutation { update_item(where: { id: { _lt: 3 } }, _set: { name: "x" }) { affected_rows } }`),
    ).toEqual(Array.from({ length: 2 }, () => ["item", "UPDATE", session]));
    expect(await seen(`mutation { update_item_by_pk(pk_columns: { id: 3 }, _set: { name: "x" }) { id } }`)).toEqual([
      ["item", "UPDATE", session],
    ]);
    expect(
      await seen(`mutation { update_item_many(updates: [
        { where: { id: { _eq: 1 } }, _set: { name: "y" } }, { where: { id: { _eq: 2 } }, _set: { name: "z" } }
      ]) { affected_rows } }`),
    ).toEqual(Array.from({ length: 2 }, () => ["item", "UPDATE", session]));
    expect(
      await seen(`mutation { insert_item(
        objects: [{ id: 1, name: "again" }, { id: 4 }],
        on_conflict: { constraint: item_pkey, update_columns: [name] }
      ) { affected_rows } }`),
    ).toEqual([
      ["item", "INSERT", session],
      ["item", "UPDATE", session],
    ]);
    expect(await seen("mutation { delete_item_by_pk(id: 4) { id } delete_item(where: {}) { affected_rows } }")).toEqual(
      Array.from({ length: 4 }, () => ["item", "DELETE", session]),
    );
    expect(await seen("mutation { delete_owner(where: {}) { affected_rows } }")).toEqual(
      expect.arrayContaining([
        ["owner", "DELETE", session],
        ["pet", "DELETE", session],
      ]),
    );
  });
});

describe("Traces in events", () => {
  it("The trace of a mutation is recorded even if no exporter is configured", async () => {
    await db.run("drop table if exists public.traced; create table public.traced (id integer primary key, name text)");
    expect(await db.install([{ table: "traced", event_triggers: [trigger("traced", everything)] }])).toEqual([]);
    for (const mutation of [
      "mutation { insert_traced(objects: [{ id: 1 }, { id: 2 }]) { affected_rows } }",
      'mutation { update_traced_by_pk(pk_columns: { id: 1 }, _set: { name: "x" }) { id } }',
      "mutation { a: delete_traced(where: { id: { _eq: 1 } }) { affected_rows } b: delete_traced(where: {}) { affected_rows } }",
    ]) {
      await db.engine.ask("admin", mutation, { "x-engine-role": "admin" });
    }
    const { rows } = await db.client.query(
      "select payload -> 'op' as op, payload -> 'trace_context' as trace from engine_catalog.event_log",
    );
    await db.events();
    expect(rows).toHaveLength(5);
    const trace = {
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    };
    for (const row of rows) expect(row.trace).toEqual(trace);
    // All events of a mutation have the same trace.
    expect(new Set(rows.map((row) => row.trace.trace_id)).size).toBe(3);
  });
});

describe("Foreign session settings in events", () => {
  const object = '{"x-engine-role": "clerk"}';
  const settings: readonly (readonly [setting: string, recorded: unknown])[] = [
    ["no JSON", null],
    ["{", null],
    ["", null],
    ["5", null],
    ["null", null],
    ["[1]", null],
    ['"x-engine-role"', null],
    [object, JSON.parse(object)],
    ['{"a": "\\u0000"}', { a: "\ufffd" }],
  ];

  it.each(settings)(
    "A foreign session setting does not fail a write and is recorded only if it is an object: %j",
    async (setting, recorded) => {
      await db.run(
        "drop table if exists public.setting cascade; create table public.setting (id integer primary key, name text)",
      );
      expect(await db.install([{ table: "setting", event_triggers: [trigger("setting", everything)] }])).toEqual([]);
      const text = `'${setting.replaceAll("'", "''")}'`;
      await db.run(`begin; set local engine."user" = ${text}; set local engine.tracecontext = ${text};
      insert into setting values (1); update setting set name = 'x'; delete from setting;
      insert into setting select n from generate_series(1, 200) n; commit`);
      await db.run(`begin; set local engine."user" = ${text}; set local engine.tracecontext = ${text};
      select engine_catalog.insert_event_log('public', 'setting', 'by_hand', 'INSERT', '{}'); commit`);
      await db.run("select engine_catalog.unpack_events(1000)");
      const { rows } = await db.client.query(
        `select distinct payload -> 'session_variables' as session, payload -> 'trace_context' as trace
       from engine_catalog.event_log`,
      );
      expect(rows).toEqual([{ session: recorded, trace: recorded }]);
      expect(await db.events()).toHaveLength(204);
    },
  );
});
