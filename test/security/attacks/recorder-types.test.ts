/** Types, casts and operators of unprivileged database users cannot exploit the recorders of event triggers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { unansweredTrigger as trigger } from "../../support/event-tables.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const attacker = `mallory_${process.pid}`;
const everything = { insert: { columns: "*" }, update: { columns: "*" }, delete: { columns: "*" } };
let engine: TestServer;

/** Returns a function of the attacker that records the role it ran as. */
const trap = (name: string, parameters: string, returns: string, answer: string) => `
  create function foreign_types.${name}(${parameters}) returns ${returns} language plpgsql as $$
    begin insert into foreign_types.trapped values ('${name}', current_user); return ${answer}; end $$;`;

beforeAll(async () => {
  engine = await startTestServer({ sealed: false, environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true" } });
  await query(
    engine.databaseUrl,
    `create role ${attacker};
     create schema foreign_types authorization ${attacker};
     grant create on schema public to ${attacker};
     create domain price as numeric;
     create table priced (id integer primary key, cost price);
     create table plain (id integer primary key, cost numeric);
     set role ${attacker};
     create table foreign_types.trapped (name text, as_user text);
     create type foreign_types.mood as enum ('calm', 'odd "\\ text');
     create type foreign_types.span as range (subtype = integer);
     create type foreign_types.geometry as enum ('dot');
     create type foreign_types.pair as (mood foreign_types.mood);
     ${["mood", "span", "geometry"]
       .flatMap((type) => [
         trap(`json_of_${type}`, `foreign_types.${type}`, "json", `'"stolen"'`),
         `create cast (foreign_types.${type} as json) with function foreign_types.json_of_${type};`,
         trap(`text_of_${type}`, `foreign_types.${type}`, "text", "'stolen'"),
         `create cast (foreign_types.${type} as text) with function foreign_types.text_of_${type};`,
       ])
       .join("\n")}
     ${trap("st_asgeojson", "foreign_types.geometry, integer, integer", "text", `'"stolen"'`)}
     ${["price", "plain"]
       .flatMap((type) => [
         trap(`equal_${type}`, `public.${type}, public.${type}`, "boolean", "false"),
         `create operator public.= (
            function = foreign_types.equal_${type}, leftarg = public.${type}, rightarg = public.${type});`,
       ])
       .join("\n")}
     grant usage on schema foreign_types to public;
     reset role;
     create table feeling (
       id integer primary key, mood foreign_types.mood, moods foreign_types.mood[], span foreign_types.span,
       place foreign_types.geometry);
     create table paired (id integer primary key, pair foreign_types.pair);`,
  );
  for (const table of ["feeling", "paired", "priced", "plain"]) await engine.metadata("pg_track_table", { table });
  for (const table of ["feeling", "priced", "plain"]) {
    await engine.metadata("pg_create_event_trigger", trigger(`of_${table}`, { table, ...everything }));
  }
});

afterAll(async () => {
  await query(engine.databaseUrl, `drop owned by ${attacker} cascade; drop role ${attacker}`);
  await engine.close();
});

const trapped = () => query(engine.databaseUrl, "select * from foreign_types.trapped");

async function payloads(table: string): Promise<unknown[]> {
  await query(engine.databaseUrl, "select engine_catalog.unpack_all_events()");
  const rows = await query(
    engine.databaseUrl,
    "select payload->'data' as data from engine_catalog.event_log where table_name = $1 order by created_at, id",
    [table],
  );
  return rows.map(({ data }) => data);
}

describe("Hostile owners of column types", () => {
  const row = {
    mood: 'odd "\\ text',
    moods: ["calm", null, 'odd "\\ text'],
    span: "[1,2]",
    place: "dot",
  };
  const values = `'odd "\\ text', array['calm', null, 'odd "\\ text']::foreign_types.mood[], '[1,2]', 'dot'`;

  it("A recorder calls no cast or function of a type's owner and delivers values as PostgreSQL writes them", async () => {
    await query(engine.databaseUrl, `insert into feeling values (1, ${values})`);
    await query(engine.databaseUrl, "update feeling set mood = null, moods = null, span = null, place = null");
    const nothing = { id: 1, mood: null, moods: null, span: null, place: null };
    expect(await payloads("feeling")).toEqual([
      { old: null, new: { id: 1, ...row } },
      { old: { id: 1, ...row }, new: nothing },
    ]);
    expect(await trapped()).toEqual([]);
  });

  it("A recorder of multi-row statements calls no function of a type's owner", async () => {
    await query(engine.databaseUrl, "truncate engine_catalog.event_log");
    await query(engine.databaseUrl, `insert into feeling select n, ${values} from generate_series(1000, 1200) n`);
    const all = await payloads("feeling");
    expect(all).toHaveLength(201);
    expect(all).toContainEqual({ old: null, new: { id: 1100, ...row } });
    expect(await trapped()).toEqual([]);
  });

  it("A recorder of ordered events calls no function of a type's owner", async () => {
    await query(engine.databaseUrl, "create table ordered (id integer primary key, mood foreign_types.mood)");
    await engine.metadata("pg_track_table", { table: "ordered" });
    const ordered = { table: "ordered", ...everything, ordering: { key: ["mood"] } };
    await engine.metadata("pg_create_event_trigger", trigger("of_ordered", ordered));
    await query(engine.databaseUrl, "insert into ordered values (1, 'calm')");
    expect(await payloads("ordered")).toEqual([{ old: null, new: { id: 1, mood: "calm" } }]);
    expect(await trapped()).toEqual([]);
  });

  it("A composite type is refused in an event payload, because its owner controls its fields", async () => {
    const args = trigger("of_paired", { table: "paired", ...everything });
    const { status, json } = await engine.post("/v1/metadata", { type: "pg_create_event_trigger", args });
    expect({ status, ...json }).toMatchObject({
      status: 400,
      error: expect.stringContaining("the composite type foreign_types.pair of column"),
    });
    const others = { table: "paired", insert: { columns: ["id"], payload: ["id"] } };
    await engine.metadata("pg_create_event_trigger", trigger("of_paired", others));
  });
});

describe("Hostile operators in the search path", () => {
  it.each(["plain", "priced"])("A recorder calls no operator of another user to detect a change: %s", async (table) => {
    await query(engine.databaseUrl, `insert into ${table} values (1, 1.0), (2, null)`);
    await query(engine.databaseUrl, "truncate engine_catalog.event_log");
    await query(engine.databaseUrl, `update ${table} set cost = 1.00 where id = 1`);
    await query(engine.databaseUrl, `update ${table} set cost = null where id = 2`);
    expect(await payloads(table)).toEqual([]);
    await query(engine.databaseUrl, `update ${table} set cost = 2 where id = 2`);
    expect(await payloads(table)).toEqual([{ old: { id: 2, cost: null }, new: { id: 2, cost: 2 } }]);
    expect(await trapped()).toEqual([]);
  });
});
