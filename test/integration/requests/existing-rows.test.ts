/** Inserts that return existing rows: `return_existing` of `on_conflict`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table team (id serial primary key, name text not null unique, country text not null default 'de', hidden boolean not null default false);
     create unique index team_lower on team (lower(name), country);
     create table player (id serial primary key, name text not null, number integer, team_id integer references team,
       unique (team_id, number));
     create table setting (tenant text not null default 'x', name text not null, value text, primary key (tenant, name));
     create table slug (id serial primary key, title text, slug text generated always as (lower(title)) stored unique);
     create table update_log (text text);
     create function log_update() returns trigger language plpgsql as $$
       begin insert into update_log values (tg_table_name); return new; end $$;
     create trigger logged before update on team for each row execute function log_update();
     create table place (day date, name text, note text, primary key (day, name)) partition by range (day);
     create table place_24 partition of place for values from ('2024-01-01') to ('2025-01-01');`,
  );
  for (const table of ["team", "player", "setting", "slug", "place"])
    await server.metadata("pg_track_table", { table });
  await server.metadata("pg_create_object_relationship", {
    table: "player",
    name: "team",
    using: { foreign_key_constraint_on: "team_id" },
  });
  await server.metadata("pg_create_array_relationship", {
    table: "team",
    name: "players",
    using: { foreign_key_constraint_on: { table: "player", column: "team_id" } },
  });
  const role = "clerk";
  const permit = async (table: string, columns: readonly string[], check: object, filter: object) => {
    await server.metadata("pg_create_insert_permission", { table, role, permission: { columns, check } });
    await server.metadata("pg_create_select_permission", { table, role, permission: { columns, filter } });
  };
  await permit("team", ["id", "name", "country"], { name: { _nlike: "bad%" } }, { hidden: { _eq: false } });
  await permit("player", ["id", "name", "number", "team_id"], {}, {});
  await server.metadata("pg_create_insert_permission", {
    table: "team",
    role: "member",
    permission: { columns: ["name"], check: {} },
  });
  await server.metadata("pg_create_select_permission", {
    table: "team",
    role: "member",
    permission: { columns: ["id", "name"], filter: { _or: [{ hidden: { _eq: false } }, { players: {} }] } },
  });
  const blind = { role: "blind" };
  for (const table of ["team", "player"]) {
    const permission = { columns: ["name"], check: {} };
    await server.metadata("pg_create_insert_permission", { ...blind, table, permission });
    await server.metadata("pg_create_select_permission", {
      ...blind,
      table,
      permission: { columns: ["name"], filter: {} },
    });
  }
  await server.metadata("pg_create_insert_permission", {
    table: "team",
    role: "writer",
    permission: { columns: ["name"], check: {} },
  });
}, 60_000);

beforeEach(() =>
  query(
    server.databaseUrl,
    `truncate team, player, setting, slug, update_log, place restart identity;
     insert into team (name, hidden) values ('red', false), ('secret', true);
     select setval('team_id_seq', 100)`,
  ),
);

afterAll(() => server?.close());

const clerk = { "x-engine-role": "clerk" };
const run = (text: string, headers: Record<string, string> | undefined = clerk): Promise<unknown> =>
  server.graphql(text, headers);

const conflict = (constraint: string): string => `on_conflict: {constraint: ${constraint}, return_existing: true}`;
const teamOne = (name: string): string =>
  `mutation { insert_team_one(object: {name: "${name}"}, ${conflict("team_name_key")}) { id name country } }`;

describe("return_existing", () => {
  it("An insert returns the existing row without an update, or the inserted row", async () => {
    const red = { data: { insert_team_one: { id: 1, name: "red", country: "de" } } };
    expect(await run(teamOne("red"))).toEqual(red);
    expect(await run(teamOne("blue"))).toEqual({ data: { insert_team_one: { id: 101, name: "blue", country: "de" } } });
    expect(await query(server.databaseUrl, "select * from update_log")).toEqual([]);
  });

  it("An existing row that the role may not read is left out", async () => {
    expect(await run(teamOne("secret"))).toEqual({ data: { insert_team_one: null } });
    const many = `mutation { insert_team(objects: [{name: "secret"}, {name: "red"}], ${conflict("team_name_key")}) {
      affected_rows returning { name } changes { inserted old { name } new { name } } } }`;
    expect(await run(many)).toEqual({
      data: {
        insert_team: {
          affected_rows: 0,
          returning: [{ name: "red" }],
          changes: [{ inserted: false, old: { name: "red" }, new: { name: "red" } }],
        },
      },
    });
  });

  it("A response lists inserted rows, then existing ones, each once", async () => {
    const objects = ["red", "blue", "blue", "red", "green"].map((name) => `{name: "${name}"}`).join();
    const many = `mutation { insert_team(objects: [${objects}], ${conflict("team_name_key")}) {
      affected_rows returning { id name } changes { inserted new { name players { id } } } } }`;
    expect(await run(many)).toEqual({
      data: {
        insert_team: {
          affected_rows: 2,
          returning: [
            { id: 101, name: "blue" },
            { id: 102, name: "green" },
            { id: 1, name: "red" },
          ],
          changes: [
            { inserted: true, new: { name: "blue", players: [] } },
            { inserted: true, new: { name: "green", players: [] } },
            { inserted: false, new: { name: "red", players: [] } },
          ],
        },
      },
    });
  });

  it("Rows are found by an index with expressions, by defaults and by generated columns", async () => {
    expect(await run(`mutation { insert_team_one(object: {name: "RED"}, ${conflict("team_lower")}) { id } }`)).toEqual({
      data: { insert_team_one: { id: 1 } },
    });
    await query(
      server.databaseUrl,
      "insert into setting values ('x', 'color', 'red'); insert into slug (title) values ('Hello')",
    );
    expect(
      await run(
        `mutation { insert_setting(objects: [{name: "color"}, {name: "size"}], ${conflict("setting_pkey")}) {
           affected_rows returning { name value } }
           insert_slug_one(object: {title: "HELLO"}, ${conflict("slug_slug_key")}) { title } }`,
        {},
      ),
    ).toEqual({
      data: {
        insert_setting: {
          affected_rows: 1,
          returning: [
            { name: "size", value: null },
            { name: "color", value: "red" },
          ],
        },
        insert_slug_one: { title: "Hello" },
      },
    });
  });

  it("Columns may have the names of the statement's own columns", async () => {
    await query(
      server.databaseUrl,
      `create table if not exists entry (n integer primary key, ok text, shown text, existing text, inserted text, text text, place integer);
       insert into entry values (1, 'a', 'b', 'c', 'd', 'e', 7) on conflict do nothing`,
    );
    await server.metadata("pg_track_table", { table: "entry" });
    const columns = "n ok shown existing inserted text place";
    const text = `mutation { insert_entry(objects: [{n: 1, ok: "y"}, {n: 2, ok: "x"}], ${conflict("entry_pkey")}) {
      affected_rows returning { ${columns} } changes { inserted old { text } new { ${columns} } } } }`;
    const old = { n: 1, ok: "a", shown: "b", existing: "c", inserted: "d", text: "e", place: 7 };
    const added = { n: 2, ok: "x", shown: null, existing: null, inserted: null, text: null, place: null };
    expect(await run(text, {})).toEqual({
      data: {
        insert_entry: {
          affected_rows: 1,
          returning: [added, old],
          changes: [
            { inserted: true, old: null, new: added },
            { inserted: false, old: { text: "e" }, new: old },
          ],
        },
      },
    });
  });

  it("Rows of which no column is selected are counted", async () => {
    const text = `mutation { insert_team(objects: [{name: "red"}, {name: "blue"}], ${conflict("team_name_key")}) {
      affected_rows returning { __typename } } }`;
    const returning = [{ __typename: "team" }, { __typename: "team" }];
    expect(await run(text)).toEqual({ data: { insert_team: { affected_rows: 1, returning } } });
    expect(await run(text.replace("returning { __typename }", ""))).toEqual({
      data: { insert_team: { affected_rows: 0 } },
    });
  });

  it("Every row with NULL in the key is inserted", async () => {
    const objects = [1, 2, 3].map((i) => `{name: "p${i}", number: ${i === 3 ? 7 : "null"}, team_id: 1}`).join();
    const text = `mutation { insert_player(objects: [${objects}], ${conflict("player_team_id_number_key")}) {
      affected_rows returning { name } } }`;
    const names = (...all: string[]) => all.map((name) => ({ name }));
    expect(await run(text)).toEqual({
      data: { insert_player: { affected_rows: 3, returning: names("p1", "p2", "p3") } },
    });
    expect(await run(text)).toEqual({
      data: { insert_player: { affected_rows: 2, returning: names("p1", "p2", "p3") } },
    });
  });

  it("The check is evaluated for inserted rows only", async () => {
    await query(server.databaseUrl, "insert into team (name) values ('bad old')");
    expect(await run(teamOne("bad old"))).toMatchObject({ data: { insert_team_one: { name: "bad old" } } });
    expect(await run(teamOne("bad new"))).toMatchObject({ errors: [{ extensions: { code: "permission-error" } }] });
  });

  it("Existing rows of partitioned tables are found", async () => {
    const text = `mutation { insert_place_one(object: {day: "2024-05-05", name: "A"}, ${conflict("place_pkey")}) { name } }`;
    for (let i = 0; i < 2; i++) expect(await run(text, {})).toEqual({ data: { insert_place_one: { name: "A" } } });
  });

  it("Parents and nested rows take the key of an existing row", async () => {
    const text = (team: string) => `mutation { insert_player_one(object: {name: "Kim", team: {
      data: {name: "${team}"}, ${conflict("team_name_key")}}}) { team { id name } } }`;
    const named = (team: object) => ({ data: { insert_player_one: { team } } });
    expect(await run(text("red"))).toEqual(named({ id: 1, name: "red" }));
    expect(await run(text("blue"))).toEqual(named({ id: 101, name: "blue" }));
    expect(await run(text("blue"))).toEqual(named({ id: 101, name: "blue" }));
    expect(await run(text("secret"))).toMatchObject({
      errors: [{ message: expect.stringContaining("affects zero rows"), extensions: { code: "not-supported" } }],
    });
    const parent = (
      name: string,
    ) => `mutation { insert_team(objects: [{name: "${name}", players: {data: [{name: "Lee"}]}}],
      ${conflict("team_name_key")}) { affected_rows returning { id players { name } } changes { inserted old { id } } } }`;
    expect(await run(parent("red"))).toEqual({
      data: {
        insert_team: {
          affected_rows: 1,
          returning: [{ id: 1, players: [{ name: "Kim" }, { name: "Lee" }] }],
          changes: [{ inserted: false, old: { id: 1 } }],
        },
      },
    });
  });

  it("Columns of an existing row that the role may not read are not copied", async () => {
    const headers = { "x-engine-role": "blind" };
    const refused = {
      errors: [
        { message: expect.stringContaining("may not read all columns"), extensions: { code: "validation-failed" } },
      ],
    };
    const data = `{name: "red"}`;
    const parent = `{name: "Kim", team: {data: ${data}, ${conflict("team_name_key")}}}`;
    expect(await run(`mutation { insert_player_one(object: ${parent}) { name } }`, headers)).toMatchObject(refused);
    const child = `mutation { insert_team_one(object: {name: "red", players: {data: ${data}}}, ${conflict("team_name_key")}) { name } }`;
    expect(await run(child, headers)).toMatchObject(refused);
    const flat = `mutation { insert_team_one(object: ${data}, ${conflict("team_name_key")}) { name } }`;
    expect(await run(flat, headers)).toEqual({ data: { insert_team_one: { name: "red" } } });
  });

  it("An existing child is not moved to another parent", async () => {
    await query(server.databaseUrl, "insert into player (id, name, number, team_id) values (7, 'Kim', 1, 1)");
    const text = `mutation { insert_team_one(object: {name: "blue", players: {data: [{id: 7, name: "Lee"}],
      ${conflict("player_pkey")}}}) { players { id } } }`;
    expect(await run(text)).toEqual({ data: { insert_team_one: { players: [] } } });
    expect(await query(server.databaseUrl, "select name, team_id from player")).toEqual([{ name: "Kim", team_id: 1 }]);
  });

  it("Members that change rows, and roles that may not read rows, are refused", async () => {
    const one = (more: string, headers: Record<string, string> = {}) =>
      run(
        `mutation { insert_team_one(object: {name: "red"}, on_conflict: {constraint: team_name_key, ${more}}) { id } }`,
        headers,
      );
    const refused = (message: string) => ({
      errors: [{ message: expect.stringContaining(message), extensions: { code: "validation-failed" } }],
    });
    expect(await one("return_existing: true, update_columns: [country]")).toMatchObject(
      refused('leave out "update_columns"'),
    );
    expect(await one("return_existing: true, where: {}")).toMatchObject(refused('leave out "where"'));
    expect(
      await run(`mutation { insert_team(objects: {name: "red"}, ${conflict("team_name_key")}) { affected_rows } }`, {
        "x-engine-role": "writer",
      }),
    ).toMatchObject(refused("return_existing"));
  });

  it("50 concurrent writers insert a row once, and each returns it", { timeout: 120_000 }, async () => {
    // A second unique index would let PostgreSQL report its violation while the first row is being inserted.
    await query(server.databaseUrl, "drop index team_lower");
    for (let round = 0; round < 10; round++) {
      const text = (i: number): string => {
        const object = `{name: "round ${round}"}`;
        if (i % 3 === 0) return teamOne(`round ${round}`).replace(" country", "");
        if (i % 3 === 1) {
          return `mutation { insert_player_one(object: {name: "p", team: {data: ${object}, ${conflict("team_name_key")}}}) {
            team { id } } }`;
        }
        return `mutation { insert_team(objects: [${object}, {name: "red"}], ${conflict("team_name_key")}) { returning { name } } }`;
      };
      const answers = await Promise.all(
        // The row filter of a member depends on another table, so the statement cannot read the rows itself.
        Array.from({ length: 50 }, (_, i) => run(text(i), i % 6 === 0 ? { "x-engine-role": "member" } : clerk)),
      );
      const [row, ...others] = await query(server.databaseUrl, `select id from team where name = 'round ${round}'`);
      expect(others).toEqual([]);
      for (const [i, answer] of answers.entries()) {
        const data =
          i % 3 === 0
            ? { insert_team_one: { id: row?.id } }
            : i % 3 === 1
              ? { insert_player_one: { team: { id: row?.id } } }
              : { insert_team: { returning: expect.arrayContaining([{ name: "red" }, { name: `round ${round}` }]) } };
        expect(answer).toMatchObject({ data });
      }
    }
    expect(await query(server.databaseUrl, "select * from update_log")).toEqual([]);
  });
});
