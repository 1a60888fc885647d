/**
 * SQL triggers and values: every type, conditions, ordering keys, names that attempt SQL injection, unprivileged roles.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { everything, RecordingDatabase, trigger } from "../support/recorded-events.ts";

/** A type, a value, the same value in another form, and another value. */
const types: readonly (readonly [type: string, value: string, same: string | undefined, other: string])[] = [
  ["smallint", "1", "1", "2"],
  ["integer", "1", "1", "2"],
  ["bigint", "9007199254740993", "9007199254740993", "2"],
  ["numeric", "1.0", "1.00", "1.01"],
  ["numeric[]", "{1.0}", "{1.00}", "{1.01}"],
  ["positive", "1.0", "1.00", "2"],
  ["real", "0", "-0", "1"],
  ["double precision", "0", "-0", "NaN"],
  ["money", "1", "1.00", "2"],
  ["boolean", "t", "true", "f"],
  ["text", "a", "a", "A"],
  ["varchar(5)", "a", "a", "b"],
  ["character(5)", "a", "a ", "b"],
  ["citext", "a", "A", "b"],
  ["name", "a", "a", "b"],
  ["bytea", "\\x01", "\\x01", "\\x02"],
  ["date", "2026-01-01", "20260101", "2026-01-02"],
  ["time", "10:00", "10:00:00", "11:00"],
  ["timetz", "10:00+00", "10:00+00", "11:00+00"],
  ["timestamp", "2026-01-01", "2026-01-01 00:00", "2026-01-02"],
  ["timestamptz", "2026-01-01 00:00+00", "2026-01-01 01:00+01", "2026-01-02"],
  ["interval", "1 day", "24 hours", "2 days"],
  [
    "uuid",
    "00000000-0000-4000-8000-000000000001",
    "{00000000-0000-4000-8000-000000000001}",
    "00000000-0000-4000-8000-000000000002",
  ],
  ["json", '{"a": 1}', '{"a": 1}', '{"a":  1}'],
  ["jsonb", '{"a": 1.0}', '{"a":1.00}', '{"a": 2}'],
  ["xml", "<a/>", "<a/>", "<b/>"],
  ["point", "(1,2)", "1,2", "(1,3)"],
  ["line", "{1,2,3}", "{1,2,3}", "{1,2,4}"],
  ["lseg", "[(1,2),(3,4)]", "1,2,3,4", "[(1,2),(3,5)]"],
  ["box", "(3,4),(1,2)", "(1,2),(3,4)", "(3,4),(1,1)"],
  ["path", "[(1,2),(3,4)]", "[(1,2),(3,4)]", "((1,2),(3,4))"],
  ["polygon", "((1,2),(3,4))", "((1,2),(3,4))", "((1,2),(3,5))"],
  ["circle", "<(1,2),3>", "((1,2),3)", "<(1,2),4>"],
  ["inet", "10.0.0.1", "10.0.0.1/32", "10.0.0.2"],
  ["cidr", "10.0.0.0/8", "10/8", "11/8"],
  ["macaddr", "08:00:2b:01:02:03", "08-00-2b-01-02-03", "08:00:2b:01:02:04"],
  ["bit(3)", "101", "101", "111"],
  ["bit varying", "101", "101", "1"],
  ["tsvector", "a b", "b a", "a c"],
  ["tsquery", "a & b", "a & b", "a | b"],
  ["int4range", "[1,2]", "[1,3)", "[1,4)"],
  ["numrange", "[1.0,2.0]", "[1.00,2.00]", "[1,3]"],
  ["oid", "1", "1", "2"],
  ["regclass", "pg_class", "pg_catalog.pg_class", "pg_type"],
  ["pg_lsn", "0/1", "0/01", "0/2"],
  ["jsonpath", "$.a", "$.a", "$.b"],
  ["hstore", "a=>1", '"a"=>"1"', "a=>2"],
  ["mood", "calm", "calm", "cross"],
  ["mood[]", "{calm}", "{calm}", "{cross}"],
  ["pair", "(1,2)", "(1,2)", "(1,3)"],
  ["pair[]", '{"(1,2)"}', '{"(1,2)"}', '{"(1,3)"}'],
];

const hostile = `a"b'c$engine$; drop table victim; -- */ \${x} \\ ü`;
const quoted = `"${hostile.replaceAll('"', '""')}"`;

const schema = `
  create extension if not exists citext;
  create extension if not exists hstore;
  create type mood as enum ('calm', 'cross');
  create type pair as (a integer, b numeric);
  create domain positive as numeric check (value > 0);
  create table victim (id integer);
  ${types.map(([type], i) => `create table value_${i} (id integer primary key, v ${type}, changed integer, unwatched integer);`).join("\n")}
  create table every_type (id integer primary key, ${types.map(([type], i) => `v_${i} ${type}`).join(", ")});
  create schema ${quoted};
  create table ${quoted}.${quoted} (${quoted} text primary key, changed text, session_variables text, "new" text);
  comment on table ${quoted}.${quoted} is '*/ $engine$';
  create table thing (id integer primary key, a integer, b integer, c text);
  create table ordered (id integer primary key, n numeric, t text);
  create table poor (id integer primary key, n numeric);
`;

let db: RecordingDatabase;

beforeAll(async () => {
  db = await RecordingDatabase.open(schema);
});

afterAll(() => db?.close());

describe("Recorded values of every type", () => {
  it("Every type is recorded, and an update is recorded only if the value changes", async () => {
    const watched = {
      insert: { columns: "*" },
      update: { columns: ["v"], payload: ["id", "v"] },
      delete: { columns: "*" },
    };
    const tables = types.map((_, i) => ({ table: `value_${i}`, event_triggers: [trigger(`value_${i}`, watched)] }));
    const all = { table: "every_type", event_triggers: [trigger("every_type", everything)] };
    expect(await db.install([...tables, all])).toEqual([]);
    const found: unknown[] = [];
    for (const [i, [type, value, same, other]] of types.entries()) {
      const set = (text: string | undefined) => db.client.query(`update value_${i} set v = $1::text::${type}`, [text]);
      await db.client.query(`insert into value_${i} (id, v) values (1, $1::text::${type})`, [value]);
      await db.client.query(`update value_${i} set unwatched = 1, changed = 1`);
      if (same !== undefined) await set(same);
      await set(other);
      await db.client.query(`update value_${i} set v = null`);
      await set(value);
      await db.client.query(`delete from value_${i}`);
      found.push([type, (await db.events()).map(({ op, new: fresh }) => [op, Object.keys(fresh ?? {}).length])]);
    }
    const expected = [
      ["INSERT", 4],
      ["UPDATE", 2],
      ["UPDATE", 2],
      ["UPDATE", 2],
      ["DELETE", 0],
    ];
    expect(found).toEqual(types.map(([type]) => [type, expected]));
    const columns = types.map((_, i) => `v_${i}`);
    const values = (which: 1 | 2) => types.map((row) => row[which] ?? row[1]);
    const parameters = types.map(([type], i) => `$${i + 1}::text::${type}`);
    await db.client.query(`insert into every_type values (1, ${parameters.join(", ")})`, values(1));
    const assignments = columns.map((column, i) => `${column} = ${parameters[i]}`);
    await db.client.query(`update every_type set ${assignments.join(", ")}`, values(2));
    expect((await db.events()).map(({ op }) => op)).toEqual(["INSERT"]);
  });

  it("Recorded values are the database's JSON of each type", async () => {
    await db.client.query(`insert into every_type (id, v_2, v_20, v_23, v_49) values
      (2, 9007199254740993, '2026-01-01 00:00+00', '{"a": [1]}', '(1,2.50)')`);
    const { rows } =
      await db.client.query(`select payload #>> '{data,new,v_2}' as big, payload #> '{data,new,v_23}' as json,
      payload #> '{data,new,v_49}' as pair from engine_catalog.event_log`);
    expect(rows).toEqual([{ big: "9007199254740993", json: { a: [1] }, pair: { a: 1, b: 2.5 } }]);
    await db.events();
  });
});

describe("Trigger conditions", () => {
  type Row = { readonly a: number | null; readonly b: number | null; readonly c: string | null };
  type Exp = Readonly<Record<string, unknown>>;

  /** Evaluates a condition in three-valued logic. */
  const evaluate = (expression: Exp, row: Row): boolean | null =>
    all(
      Object.entries(expression).map(([key, value]) => {
        if (key === "_and") return all((value as Exp[]).map((item) => evaluate(item, row)));
        if (key === "_or") return any((value as Exp[]).map((item) => evaluate(item, row)));
        if (key === "_not") return not(evaluate(value as Exp, row));
        const [[operator = "", operand] = []] = Object.entries(value as Exp);
        return compare(row[key as keyof Row], operator, operand);
      }),
    );
  const all = (values: readonly (boolean | null)[]) =>
    values.includes(false) ? false : values.includes(null) ? null : true;
  const any = (values: readonly (boolean | null)[]) =>
    values.includes(true) ? true : values.includes(null) ? null : false;
  const not = (value: boolean | null) => (value === null ? null : !value);

  function compare(left: number | string | null, operator: string, right: unknown): boolean | null {
    if (operator === "_is_null") return (left === null) === right;
    if (left === null) return null;
    const operand = right as typeof left;
    switch (operator) {
      case "_eq":
        return left === operand;
      case "_neq":
        return left !== operand;
      case "_gt":
        return left > operand;
      case "_lte":
        return left <= operand;
      default:
        return (right as unknown[]).includes(left);
    }
  }

  const number = fc.integer({ min: 0, max: 3 });
  const text = fc.constantFrom("x", "o'y", "$engine$");
  const comparison = (value: fc.Arbitrary<number | string>) =>
    fc.oneof(
      fc.record({ _is_null: fc.boolean() }),
      ...["_eq", "_neq", "_gt", "_lte"].map((operator) => value.map((operand) => ({ [operator]: operand }))),
      fc.array(value, { minLength: 1, maxLength: 2 }).map((list) => ({ _in: list })),
    );
  const { expression } = fc.letrec<{ expression: Exp }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.oneof(
        comparison(number).map((a) => ({ a })),
        comparison(number).map((b) => ({ b })),
        comparison(text).map((c) => ({ c })),
      ),
      fc.array(tie("expression"), { maxLength: 2 }).map((_and) => ({ _and })),
      fc.array(tie("expression"), { maxLength: 2 }).map((_or) => ({ _or })),
      tie("expression").map((_not) => ({ _not })),
    ),
  }));
  const { change } = fc.letrec<{ change: Exp }>((tie) => ({
    change: fc.oneof(
      { maxDepth: 2 },
      fc.oneof(
        expression.map((old) => ({ old })),
        expression.map((fresh) => ({ new: fresh })),
        fc.tuple(expression, expression).map(([old, fresh]) => ({ old, new: fresh })),
      ),
      fc.array(tie("change"), { maxLength: 2 }).map((_and) => ({ _and })),
      fc.array(tie("change"), { maxLength: 2 }).map((_or) => ({ _or })),
      tie("change").map((_not) => ({ _not })),
    ),
  }));

  const meets = (condition: Exp, old: Row | null, fresh: Row | null): boolean | null =>
    all(
      Object.entries(condition).map(([key, value]) => {
        if (key === "old") return old === null ? false : evaluate(value as Exp, old);
        if (key === "new") return fresh === null ? false : evaluate(value as Exp, fresh);
        if (key === "_and") return all((value as Exp[]).map((item) => meets(item, old, fresh)));
        if (key === "_or") return any((value as Exp[]).map((item) => meets(item, old, fresh)));
        return not(meets(value as Exp, old, fresh));
      }),
    );

  const row: fc.Arbitrary<Row> = fc.record({ a: fc.option(number), b: fc.option(number), c: fc.option(text) });

  it("A condition selects the same changes in row triggers and statement triggers", async () => {
    await fc.assert(
      fc.asyncProperty(change, row, row, fc.boolean(), async (condition, before, after, perRow) => {
        const options = { condition, ...(perRow && { trigger_on_replication: true }) };
        await db.run("drop table thing; create table thing (id integer primary key, a integer, b integer, c text)");
        expect(await db.install([{ table: "thing", event_triggers: [trigger("thing", everything, options)] }])).toEqual(
          [],
        );
        const write = (sql: string, { a, b, c }: Row) => db.client.query(sql, [a, b, c]);
        await write("insert into thing values (1, $1, $2, $3)", before);
        await write("update thing set a = $1, b = $2, c = $3", after);
        await db.run("delete from thing");
        const changes = JSON.stringify(before) !== JSON.stringify(after);
        expect((await db.events()).map(({ op }) => op)).toEqual([
          ...(meets(condition, null, before) === true ? ["INSERT"] : []),
          ...(changes && meets(condition, before, after) === true ? ["UPDATE"] : []),
          ...(meets(condition, after, null) === true ? ["DELETE"] : []),
        ]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("A condition compares dates with the day of its evaluation", async () => {
    await db.run("create table due (id integer primary key, at timestamptz)");
    const options = { condition: { new: { at: { _lte: "now" } } }, trigger_on_replication: true };
    expect(await db.install([{ table: "due", event_triggers: [trigger("due", everything, options)] }])).toEqual([]);
    await db.run("insert into due values (1, now()), (2, now() + interval '1 hour')");
    expect((await db.events()).map(({ new: fresh }) => fresh?.id)).toEqual([1]);
  });
});

describe("Ordering keys", () => {
  it("An ordering key is equal for equal values, different for others and bounded in length", async () => {
    const options = { ordering: { key: ["n", "t"] } };
    expect(await db.install([{ table: "ordered", event_triggers: [trigger("ordered", everything, options)] }])).toEqual(
      [],
    );
    const long = "ü".repeat(5000);
    await db.client.query("insert into ordered values (1, 1.0, $1), (2, 1, $1), (3, 1, $1 || 'x'), (4, 1, 'a')", [
      long,
    ]);
    const keys = (await db.events()).map(({ key }) => key ?? "");
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[3]).toBe('[1, "a"]');
    for (const key of keys) expect(key.length).toBeLessThanOrEqual(300);
  });
});

describe("Roles without privileges on engine_catalog", () => {
  it("A role without privileges on engine_catalog can write the table but not events", async () => {
    const role = `poor_${process.pid}`;
    expect(await db.install([{ table: "poor", event_triggers: [trigger("poor", everything)] }])).toEqual([]);
    await db.run(`drop role if exists ${role}; create role ${role} login password 'p';
      grant select, insert, update, delete on poor to ${role}; grant create on schema public to ${role}`);
    try {
      const url = new URL(db.database.url);
      url.username = role;
      url.password = "p";
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      try {
        await client.query(`
          create function public.to_jsonb(anyelement) returns jsonb language sql as $$ select '"forged"'::jsonb $$;
          create function pg_temp.jsonb_build_object(text, text) returns jsonb language sql as $$ select '{}'::jsonb $$;
          create temp table event_log (id integer);
          set search_path = pg_temp, public;
          insert into public.poor values (1, 1), (2, 2); update public.poor set n = 3 where id = 1; delete from public.poor`);
        await expect(client.query("insert into engine_catalog.event_log (id) values ('x')")).rejects.toThrow(
          /permission/,
        );
        await expect(client.query('select engine_catalog."notify_engine_poor_INSERT"()')).rejects.toThrow(/permission/);
      } finally {
        await client.end();
      }
      expect((await db.events()).map(({ op, new: fresh }) => [op, fresh?.id ?? null])).toEqual([
        ["INSERT", 1],
        ["INSERT", 2],
        ["UPDATE", 1],
        ["DELETE", null],
        ["DELETE", null],
      ]);
    } finally {
      await query(db.database.url, `drop owned by ${role} cascade; drop role ${role}`);
    }
  });
});

describe("Hostile names in recorders", () => {
  it("Hostile names stay names in every kind of recorder", async () => {
    const table = { schema: hostile, name: hostile };
    const condition = { new: { [hostile]: { _neq: hostile } } };
    const reasons = await db.install([
      {
        table,
        configuration: { custom_name: "hostile", column_config: { [hostile]: { custom_name: "h" } } },
        event_triggers: [
          trigger(hostile, everything),
          trigger(
            "row",
            { update: { columns: [hostile], payload: [hostile] }, insert: { columns: "*" } },
            {
              condition,
              ordering: { key: [hostile] },
              trigger_on_replication: true,
            },
          ),
          trigger("statement", { insert: { columns: "*", payload: [hostile, "changed"] } }, { condition }),
        ],
      },
    ]);
    expect(reasons).toEqual([]);
    await db.client.query(`insert into ${quoted}.${quoted} values ('1', 'c', 's', 'n'), ($1, null, null, null)`, [
      hostile,
    ]);
    const events = await db.events();
    const whole = { [hostile]: "1", changed: "c", session_variables: "s", new: "n" };
    expect(events.filter(({ trigger: name }) => name === hostile)).toEqual([
      expect.objectContaining({ table: `${hostile}.${hostile}`, new: whole }),
      expect.objectContaining({ new: expect.objectContaining({ [hostile]: hostile }) }),
    ]);
    expect(
      events
        .filter(({ trigger: name }) => name !== hostile)
        .map(({ trigger: name, new: fresh, key }) => [name, fresh, key]),
    ).toEqual(
      expect.arrayContaining([
        ["row", whole, '["1"]'],
        ["statement", { [hostile]: "1", changed: "c" }, null],
      ]),
    );
    expect(events).toHaveLength(4);
    expect(await query(db.database.url, "select to_regclass('victim') is not null as alive")).toEqual([
      { alive: true },
    ]);
  });
});

describe("Generated columns in events", () => {
  const sum = { new: { total: { _gt: 10 } } };
  let generated: RecordingDatabase;

  beforeAll(async () => {
    generated = await RecordingDatabase.open(`do $do$ begin execute replace($$
      create table line (
        id integer primary key, price numeric, count integer, total numeric(8, 2) generated always as (price * count / 3.0) VIRTUAL,
        tg_op text generated always as ('op ' || id) VIRTUAL)
      $$, 'VIRTUAL', case when current_setting('server_version_num')::integer < 180000 then 'stored' else 'virtual' end);
    end $do$`);
    const payload = ["id", "total"];
    const reasons = await generated.install([
      {
        table: "line",
        event_triggers: [
          trigger("all", everything),
          trigger("some", { insert: { columns: "*", payload }, update: { columns: ["total"], payload } }),
          trigger(
            "large",
            { insert: { columns: "*", payload }, update: { columns: ["price"], payload } },
            { condition: sum },
          ),
          trigger("ordered", { delete: { columns: "*", payload } }, { ordering: { key: ["total"] } }),
        ],
      },
    ]);
    expect(reasons).toEqual([]);
  });
  afterAll(() => generated?.close());

  it("Row events contain the values of generated columns", async () => {
    await generated.run("insert into line (id, price, count) values (1, 10, 1)");
    const first = { id: 1, price: 10, count: 1, total: 3.33, tg_op: "op 1" };
    const inserted = await generated.events();
    expect(inserted.map(({ trigger: name, new: row }) => [name, row])).toEqual([
      ["all", first],
      ["some", { id: 1, total: 3.33 }],
    ]);
    await generated.run("update line set price = 100");
    const updated = await generated.events();
    expect(updated.map(({ trigger: name, old, new: row }) => [name, old, row])).toEqual([
      ["all", first, { ...first, price: 100, total: 33.33 }],
      ["large", { id: 1, total: 3.33 }, { id: 1, total: 33.33 }],
      ["some", { id: 1, total: 3.33 }, { id: 1, total: 33.33 }],
    ]);
    await generated.run("update line set price = 50, count = 2; delete from line");
    const others = await generated.events();
    expect(others.map(({ trigger: name, op, key }) => [name, op, key === null])).toEqual([
      ["all", "UPDATE", true],
      ["large", "UPDATE", true],
      ["all", "DELETE", true],
      ["ordered", "DELETE", false],
    ]);
    expect(others.at(-1)?.old).toEqual({ id: 1, total: 33.33 });
  });

  it("Packed events contain the values of generated columns", async () => {
    await generated.run("insert into line (id, price, count) select n, n, 3 from generate_series(1, 300) n");
    const events = await generated.events();
    const of = (name: string) => events.filter((event) => event.trigger === name);
    expect(of("all").every(({ new: row }) => row?.total === row?.id && row?.tg_op === `op ${row?.id}`)).toBe(true);
    expect([of("all").length, of("some").length, of("large").length]).toEqual([300, 300, 290]);
  });
});
