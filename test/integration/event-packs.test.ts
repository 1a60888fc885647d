/**
 * Events of statements with many rows: they are packed if that loses no information, and unpack to the events of single
 * writes.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everything, type RecordedEvent, RecordingDatabase, trigger } from "../support/recorded-events.ts";

const schema = `
  create extension if not exists citext;
  create extension if not exists hstore;
  create type mood as enum ('calm', 'cross');
  create type pair as (a integer, j json);
  create domain positive as numeric check (value > 0);
  create table item (id integer primary key, name text, price numeric, note text);
  create table chosen (id integer primary key, name text, secret text);
  create table conditional (id integer primary key, n integer);
  create table ordered (id integer primary key, n integer);
  create table part (id integer) partition by range (id);
  create table part_a partition of part for values from (0) to (1000000);
  create table changing (id integer primary key, a text, b text);
  create table wide (id integer primary key, body text, document jsonb);
  create table two (id integer primary key);
  create table kinds (
    id integer primary key, small smallint, big bigint, n numeric, r real, d double precision, money money, flag boolean,
    t text, v varchar(40), c character(5), ci citext, b bytea, day date, at time, stamp timestamp, zoned timestamptz,
    span interval, u uuid, j json, jb jsonb, x xml, p point, net inet, bits bit varying, range int4range, store hstore,
    mood mood, moods mood[], pair pair, pairs pair[], positive positive, "quo""t'e" text, matrix integer[]
  );
  create table columns (id integer primary key, ${Array.from({ length: 120 }, (_, n) => `c${n} integer`).join(", ")});
  create table fifty (id integer primary key, ${Array.from({ length: 99 }, (_, n) => `c${n} integer`).join(", ")});
`;

let db: RecordingDatabase;

beforeAll(async () => {
  db = await RecordingDatabase.open(schema);
  const reasons = await db.install([
    { table: "item", event_triggers: [trigger("item", everything)] },
    {
      table: "chosen",
      event_triggers: [trigger("chosen", { insert: { columns: "*", payload: ["name", "id"] } })],
    },
    {
      table: "conditional",
      event_triggers: [trigger("conditional", everything, { condition: { new: { n: { _gt: 0 } } } })],
    },
    { table: "ordered", event_triggers: [trigger("ordered", everything, { ordering: { key: ["n"] } })] },
    { table: "part", event_triggers: [trigger("part", everything)] },
    { table: "changing", event_triggers: [trigger("changing", everything)] },
    { table: "wide", event_triggers: [trigger("wide", everything)] },
    { table: "two", event_triggers: [trigger("two_a", everything), trigger("two_b", everything)] },
    { table: "kinds", event_triggers: [trigger("kinds", everything)] },
    { table: "columns", event_triggers: [trigger("columns", everything)] },
    { table: "fifty", event_triggers: [trigger("fifty", everything)] },
  ]);
  expect(reasons).toEqual([]);
});

afterAll(() => db?.close());

const tables = "item, chosen, conditional, ordered, part, changing, wide, two, kinds, columns, fifty";

beforeEach(async () => {
  await db.run(`truncate ${tables}, engine_catalog.event_log, engine_catalog.packed_events`);
});

const rows = (count: number): string => `select n, 'name ' || n from generate_series(1, ${count}) n`;
const ids = (events: readonly RecordedEvent[]) => events.map((event) => Number((event.new ?? event.old)?.id));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe("Statements of many rows", () => {
  it("Large statements pack their events by the thousand without losing any", async () => {
    await db.run(`insert into item (id, name) ${rows(2500)}`);
    expect((await db.packs()).toSorted()).toEqual([1000, 1000, 500]);
    const events = await db.events();
    expect(await db.packs()).toEqual([]);
    expect(ids(events).toSorted((a, b) => a - b)).toEqual(upTo(2500));
    expect(events.find((event) => event.new?.id === 7)).toEqual({
      trigger: "item",
      table: "public.item",
      op: "INSERT",
      old: null,
      new: { id: 7, name: "name 7", price: null, note: null },
      session: null,
      key: null,
    });
    await db.run("delete from item where id <= 101");
    expect(await db.packs()).toEqual([101]);
    const gone = await db.events();
    expect(ids(gone).toSorted((a, b) => a - b)).toEqual(upTo(101));
    expect(gone.every(({ op, new: fresh }) => op === "DELETE" && fresh === null)).toBe(true);
  });

  it("A statement of a hundred rows writes its events unpacked", async () => {
    await db.run(`insert into item (id, name) ${rows(100)}`);
    expect(await db.packs()).toEqual([]);
    expect(await db.events()).toHaveLength(100);
  });

  it("Packs are rolled back with their transaction and keep session and time", async () => {
    await db.run(`begin; insert into item (id, name) ${rows(200)}; rollback`);
    expect(await db.packs()).toEqual([]);
    await db.run(`begin; set local "engine.user" = '{"x-engine-role": "a\\u0000b"}';
      insert into item (id, name) ${rows(200)}; insert into item (id) values (201); commit; select pg_sleep(0.01)`);
    const events = await db.client.query(`select engine_catalog.unpack_events(10);`);
    expect(events.rowCount).toBe(1);
    const { rows: times } = await db.client.query("select distinct created_at from engine_catalog.event_log");
    expect(times).toHaveLength(1);
    expect(new Set((await db.events()).map(({ session }) => JSON.stringify(session)))).toEqual(
      new Set(['{"x-engine-role":"a\ufffdb"}']),
    );
  });

  it("Packs contain the configured columns of the rows that meet the condition", async () => {
    await db.run("insert into chosen select n, 'name', 'secret' from generate_series(1, 200) n");
    expect(await db.packs()).toEqual([200]);
    expect(new Set((await db.events()).map((event) => Object.keys(event.new ?? {}).join()))).toEqual(
      new Set(["id,name"]),
    );
    await db.run("insert into conditional select n, n - 150 from generate_series(1, 250) n");
    expect(await db.packs()).toEqual([]);
    expect(await db.events()).toHaveLength(100);
    await db.run("insert into conditional select n, n - 1150 from generate_series(1001, 1251) n");
    expect(await db.packs()).toEqual([101]);
    expect((await db.events()).every((event) => Number(event.new?.n) > 0)).toBe(true);
  });

  it("Each trigger of a table has its own packs", async () => {
    await db.run("insert into two select generate_series(1, 150)");
    expect(await db.packs()).toEqual([150, 150]);
    const events = await db.events();
    expect(events.filter((event) => event.trigger === "two_a")).toHaveLength(150);
    expect(events.filter((event) => event.trigger === "two_b")).toHaveLength(150);
  });

  it("Ordered triggers, partitions, wide tables and updates are not packed", async () => {
    await db.run(`
      insert into ordered select n, 1 from generate_series(1, 150) n;
      insert into part select generate_series(1, 150);
      insert into columns (id) select generate_series(1, 150)`);
    expect(await db.packs()).toEqual([]);
    expect(await db.events()).toHaveLength(450);
    await db.run("insert into fifty (id, c98) select n, n from generate_series(1, 150) n");
    expect(await db.packs()).toEqual([150]);
    const [first] = await db.events();
    expect(Object.keys(first?.new ?? {})).toHaveLength(100);
    expect(first?.new?.c98).toBe(first?.new?.id);
  });

  it("Rows that are large are not packed", async () => {
    await db.run("insert into wide (id, body) select n, repeat('x', 9000) from generate_series(1, 150) n");
    await db.run(
      "insert into wide (id, document) select n, to_jsonb(repeat('x', 2000)) from generate_series(201, 350) n",
    );
    expect(await db.packs()).toEqual([]);
    expect(await db.events()).toHaveLength(300);
    await db.run("insert into wide (id, body) select n, repeat('x', 7000) from generate_series(401, 550) n");
    expect(await db.packs()).toEqual([150]);
  });
});

describe("Tables with packed events changed by other clients", () => {
  it("Packed events have the current columns after the table changed, and writes succeed", async () => {
    await db.run(`alter table changing drop column a; insert into changing (id) select generate_series(1, 150)`);
    expect(await db.packs()).toEqual([]);
    expect((await db.events())[0]?.new).toEqual({ id: expect.any(Number), b: null });
    await db.run(
      "alter table changing add column c integer; insert into changing (id) select generate_series(201, 350)",
    );
    expect((await db.events())[0]?.new).toEqual({ id: expect.any(Number), b: null, c: null });
  });
});

describe("Values in packed events", () => {
  const kinds: readonly (readonly [string, fc.Arbitrary<string | null>])[] = [
    ["small", fc.integer({ min: -32768, max: 32767 }).map(String)],
    ["big", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
    ["n", fc.constantFrom("0", "1.50", "-0.000", "NaN", "12345678901234567890.123456789")],
    ["r", fc.constantFrom("0", "-0", "NaN", "Infinity", "1e-30", "3.4e38")],
    ["d", fc.double().map(String)],
    ["money", fc.constantFrom("1", "-12.34")],
    ["flag", fc.boolean().map(String)],
    ["t", fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""))],
    ["v", fc.constantFrom("", "null", '"', "\\u0000", "a\nb\u2028")],
    ["c", fc.constantFrom("a", "ab ")],
    ["ci", fc.constantFrom("A", "a")],
    ["b", fc.constantFrom("\\x", "\\x00ff")],
    ["day", fc.constantFrom("2026-01-01", "infinity", "0044-03-15 BC")],
    ["at", fc.constantFrom("10:00", "23:59:59.999999")],
    ["stamp", fc.constantFrom("2026-01-01", "-infinity")],
    ["zoned", fc.constantFrom("2026-01-01 00:00+00", "2026-07-01 00:00+05:30")],
    ["span", fc.constantFrom("1 day", "-3 months 4.5 seconds")],
    ["u", fc.uuid()],
    ["j", fc.constantFrom("null", '{"b":1, "a":  [1.0]}', '"\\u0000"', '{"a":{"x":1e400000}}', '["\\ud800"]')],
    ["jb", fc.json().map((text) => text.replaceAll("\\u0000", "").replace(/\\ud[89a-f]../gi, ""))],
    ["x", fc.constantFrom("<a/>", "<a>&amp;</a>")],
    ["p", fc.constantFrom("(1,2)")],
    ["net", fc.constantFrom("10.0.0.1", "::1/64")],
    ["bits", fc.constantFrom("", "101")],
    ["range", fc.constantFrom("[1,2]", "empty", "(,)")],
    ["store", fc.constantFrom("a=>1", 'a=>NULL, "b\\"c"=>"\\\\u0000"')],
    ["mood", fc.constantFrom("calm", "cross")],
    ["moods", fc.constantFrom("{calm,cross}", "{}", "{{calm},{cross}}")],
    ["pair", fc.constantFrom("(1,)", '(1,"[2]")')],
    ["pairs", fc.constantFrom('{"(1,)"}', "{NULL}")],
    ["positive", fc.constantFrom("1.0")],
    ['"quo""t\'e"', fc.constantFrom("quoted")],
    ["matrix", fc.constantFrom("{{1,2},{3,4}}", "[2:3]={1,2}")],
  ];
  const record = fc.record(
    Object.fromEntries(kinds.map(([name, value]) => [name, fc.option(value, { nil: null, freq: 5 })])),
  );

  it("Packed values equal values written one by one, for any type", async () => {
    const names = kinds.map(([name]) => name).join(", ");
    const places = kinds.map((_, n) => `$${n + 2}`).join(", ");
    await db.run("set timezone = 'Asia/Kolkata'; set datestyle = 'SQL, DMY'; set intervalstyle = 'postgres_verbose'");
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (values) => {
        await db.run("truncate kinds, engine_catalog.event_log, engine_catalog.packed_events");
        for (const [n, value] of values.entries()) {
          const insert = `insert into kinds (id, ${names}) values ($1, ${places})`;
          await db.client.query(insert, [n, ...kinds.map(([name]) => value[name])]);
        }
        const single = await db.events();
        // Insert the same rows together with other rows, because the events of few rows are not packed.
        await db.run(`create temp table again as select * from kinds; truncate kinds;
          insert into again (id) select generate_series(1000, 1100); insert into kinds select * from again`);
        expect(await db.packs()).toHaveLength(1);
        const packed = (await db.events()).filter((event) => Number(event.new?.id) < 1000);
        await db.run("drop table again");
        const byId = (events: readonly RecordedEvent[]) =>
          events.toSorted((a, b) => Number(a.new?.id) - Number(b.new?.id));
        expect(byId(packed)).toEqual(byId(single));
      }),
      { numRuns: 15 },
    );
    await db.run("reset timezone; reset datestyle; reset intervalstyle");
  });
});
