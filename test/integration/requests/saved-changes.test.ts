/** `return_existing` and `changes`: each way to send an operation, live or to an artifact, has the same response. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const rows = `
  truncate team, player, place;
  insert into team values (1, 'red', 'de', false), (2, 'black', 'fr', true), (3, 'it''s "c", (d)\\', null, false);
  insert into player values (1, 'Kim', 1);
  insert into place values ('2024-01-01', 'home', 'old');
  alter sequence team_id_seq restart with 100;`;

const on = (constraint: string) => `on_conflict: { constraint: ${constraint}, return_existing: true }`;
const changes = "affected_rows changes { inserted old { id name country } new { name country players { name } } }";

interface Case {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Absent: admin. */
  readonly role?: string;
  readonly response: object;
}

const red = { id: 1, name: "red", country: "de" };
const quoted = 'it\'s "c", (d)\\';
const kim = { name: "Kim" };
const shown = (name: string, country: string | null, ...players: readonly object[]) => ({ name, country, players });
const change = (inserted: boolean, old: object | null, after: object | null) => ({ inserted, old, new: after });
const changed = (affected_rows: number, ...changes: readonly object[]) => ({ affected_rows, changes });

/** By name. */
const cases: Readonly<Record<string, Case>> = {
  found: {
    text: `mutation ($name: String!) { insert_team_one(object: { name: $name }, ${on("team_name_key")}) { id name } }`,
    variables: { name: "red" },
    response: { data: { insert_team_one: { id: 1, name: "red" } } },
  },
  inserted: {
    text: `mutation ($teams: [team_insert_input!]!) { insert_team(objects: $teams, ${on("team_name_key")}) { ${changes} returning { id } } }`,
    variables: { teams: [{ name: "red" }, { name: "blue" }, { name: "blue" }] },
    response: {
      data: {
        insert_team: {
          ...changed(1, change(true, null, shown("blue", null)), change(false, red, shown("red", "de", kim))),
          returning: [{ id: 100 }, { id: 1 }],
        },
      },
    },
  },
  met: {
    text: `mutation ($name: String!) { insert_team(objects: [{ name: $name }], ${on("team_lower")}) { ${changes} } }`,
    variables: { name: "BLACK" },
    response: {
      data: { insert_team: changed(0, change(false, { id: 2, name: "black", country: "fr" }, shown("black", "fr"))) },
    },
  },
  hidden: {
    text: `mutation ($name: String!) { insert_team(objects: [{ name: $name }], ${on("team_lower")}) { ${changes} } }`,
    variables: { name: "BLACK" },
    role: "user",
    response: { data: { insert_team: changed(0) } },
  },
  flag: {
    text: `mutation ($flag: Boolean) { insert_team_one(object: { name: "red" },
      on_conflict: { constraint: team_name_key, return_existing: $flag }) { id } }`,
    variables: { flag: false },
    response: { data: { insert_team_one: null } },
  },
  parent: {
    text: `mutation ($name: String!) { insert_player_one(object: { id: 9, team: { data: { name: $name }, ${on("team_name_key")} } }) {
      team { name players { id } } } }`,
    variables: { name: "red" },
    response: { data: { insert_player_one: { team: { name: "red", players: [{ id: 1 }, { id: 9 }] } } } },
  },
  refused: {
    text: `mutation ($name: String!) { insert_player_one(object: { id: 9, team: { data: { name: $name }, ${on("team_name_key")} } }) { id } }`,
    variables: { name: "red" },
    role: "user",
    response: {
      errors: [
        {
          message: expect.stringContaining("cannot be joined with existing rows"),
          extensions: { code: "validation-failed", path: "$.selectionSet.insert_player_one.args.object" },
        },
      ],
    },
  },
  upsert: {
    text: `mutation ($teams: [team_insert_input!]!) { insert_team(objects: $teams,
      on_conflict: { constraint: team_name_key, update_columns: [country] }) { ${changes} } }`,
    variables: {
      teams: [
        { name: "black", country: "it" },
        { name: "white", country: "at" },
      ],
    },
    role: "user",
    response: {
      data: {
        insert_team: changed(2, change(false, null, shown("black", "it")), change(true, null, shown("white", "at"))),
      },
    },
  },
  partitioned: {
    text: `mutation ($note: String) { insert_place(objects: [{ day: "2024-01-01", name: "home", note: $note },
      { day: "2024-01-02", name: "away" }], on_conflict: { constraint: place_pkey, update_columns: [note] }) {
      changes { inserted old { note } new { name note } } } }`,
    variables: { note: "new" },
    response: {
      data: {
        insert_place: {
          changes: [
            change(false, { note: "old" }, { name: "home", note: "new" }),
            change(true, null, { name: "away", note: null }),
          ],
        },
      },
    },
  },
  update: {
    text: `mutation ($country: String) { update_team(where: {}, _set: { country: $country, is_hidden: false }) { ${changes} } }`,
    variables: { country: "es" },
    role: "user",
    response: {
      data: {
        update_team: changed(
          3,
          change(false, red, shown("red", "es", kim)),
          change(false, null, shown("black", "es")),
          change(false, { id: 3, name: quoted, country: null }, shown(quoted, "es")),
        ),
      },
    },
  },
  several: {
    text: `mutation ($country: String) { update_team_many(updates: [{ where: { id: { _eq: 1 } }, _set: { country: $country } },
      { where: { id: { _eq: 9 } }, _set: { country: $country } }]) { ${changes} } }`,
    variables: { country: "es" },
    response: { data: { update_team_many: [changed(1, change(false, red, shown("red", "es", kim))), changed(0)] } },
  },
  related: {
    text: `mutation ($name: String) { update_team(where: { id: { _eq: 1 } }, _set: { country: "es" },
      _related: { players: { insert: { data: [{ id: 8, name: $name }] } } }) { ${changes} } }`,
    variables: { name: "Lee" },
    response: { data: { update_team: changed(2, change(false, red, shown("red", "es", kim, { name: "Lee" }))) } },
  },
  deleted: {
    text: `mutation ($id: Int!) { delete_team(where: { id: { _gt: $id } }) { ${changes} } }`,
    variables: { id: 1 },
    role: "user",
    response: {
      data: {
        delete_team: changed(2, change(false, null, null), change(false, { id: 3, name: quoted, country: null }, null)),
      },
    },
  },
};

let live: TestServer;
let sealed: TestServer;

beforeAll(async () => {
  live = await startTestServer({ sealed: false });
  await query(
    live.databaseUrl,
    `create table team (id serial primary key, name text not null unique, country text, is_hidden boolean not null default false);
     create unique index team_lower on team (lower(name));
     create table player (id int primary key, name text, team_id int references team);
     create table place (day date, name text, note text, primary key (day, name)) partition by range (day);
     create table place_24 partition of place for values from ('2024-01-01') to ('2025-01-01');`,
  );
  const table = (name: string) => ({ schema: "public", name });
  const all = { columns: "*", filter: {} };
  const one = (permission: object) => [{ role: "user", permission }];
  const queries = Object.entries(cases).map(([name, { text }]) => ({ name, query: text }));
  await live.metadata("replace_metadata", {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
        tables: [
          {
            table: table("team"),
            array_relationships: [
              { name: "players", using: { foreign_key_constraint_on: { table: table("player"), column: "team_id" } } },
            ],
            select_permissions: one({
              columns: ["id", "name", "country"],
              filter: { is_hidden: { _eq: false } },
            }),
            insert_permissions: one({ columns: ["name", "country"], check: {} }),
            update_permissions: one({ columns: ["country", "is_hidden"], filter: {} }),
            delete_permissions: one({ filter: {} }),
          },
          {
            table: table("player"),
            object_relationships: [{ name: "team", using: { foreign_key_constraint_on: "team_id" } }],
            select_permissions: one(all),
            insert_permissions: one({ columns: ["id", "name"], check: {} }),
          },
          { table: table("place") },
        ],
      },
    ],
    query_collections: [{ name: "saved", definition: { queries } }],
    rest_endpoints: queries.map(({ name }) => ({
      name,
      url: name,
      methods: ["POST"],
      definition: { query: { collection_name: "saved", query_name: name } },
    })),
  });
  sealed = await startTestServer({ on: live, sealed: true });
}, 120_000);

beforeEach(() => query(live.databaseUrl, rows));

afterAll(async () => {
  await sealed?.stop();
  await live?.close();
});

interface Way {
  readonly server: () => TestServer;
  readonly send: (server: TestServer, name: string, given: Case) => Promise<unknown>;
}

const headers = ({ role }: Case): Record<string, string> => (role === undefined ? {} : { "x-engine-role": role });
const bySavedText: Way["send"] = (server, _, given) => server.graphql(given.text, headers(given), given.variables);
const byOtherText: Way["send"] = (server, _, given) =>
  server.graphql(`${given.text} `, headers(given), given.variables);
const byRest: Way["send"] = async (server, name, given) => {
  const { json } = await server.post(`/api/rest/${name}`, given.variables, headers(given));
  if (json.data) return json;
  // The body of an error is the error itself.
  const { error, ...extensions } = json;
  return { errors: [{ message: error, extensions }] };
};

const ways: Readonly<Record<string, Way>> = {
  "the saved text, live": { server: () => live, send: bySavedText },
  "another text, live": { server: () => live, send: byOtherText },
  "REST, live": { server: () => live, send: byRest },
  "the saved text, to an artifact": { server: () => sealed, send: bySavedText },
  "another text, to an artifact": { server: () => sealed, send: byOtherText },
  "REST, to an artifact": { server: () => sealed, send: byRest },
};

const state = () =>
  query(
    live.databaseUrl,
    `select (select json_agg(t order by id) from team t) as team, (select json_agg(p order by id) from player p) as player,
       (select json_agg(p order by day) from place p) as place`,
  );

describe("Saved operations with existing rows and changes", () => {
  it.each(Object.entries(cases))(
    "Existing rows and changes have one response and one effect in each way: %s",
    async (name, given) => {
      const results: Record<string, unknown> = {};
      for (const [way, { server, send }] of Object.entries(ways)) {
        await query(live.databaseUrl, rows);
        results[way] = { response: await send(server(), name, given), state: await state() };
      }
      const [first, ...others] = Object.values(results);
      expect(others).toEqual(others.map(() => first));
      expect(first).toMatchObject({ response: given.response });
    },
  );

  it("The artifact itself serves existing rows and changes", () => {
    expect(sealed.sealing).toMatchObject({ built: 1, live: {} });
  });
});
