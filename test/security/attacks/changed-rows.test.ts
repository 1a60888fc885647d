/** `return_existing` and `changes` return no row, column or value that the role cannot select. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";
import { earlier } from "../../support/mcp.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table team (id int primary key default 7, name text not null unique, country text default 'de', code text not null default 'new code', is_hidden boolean not null default false);
  create unique index team_lower on team (lower(name));
  create table player (id int primary key, name text, team_id int references team);
  create table lodger (id int primary key, name text not null, rent int, note text, house int);
  create table tag (label text not null, code text);
  create unique index tag_lower on tag (lower(label));
  create table word (label text primary key, code text);
  create table ledger (day date, name text, pin text, primary key (day, name)) partition by range (day);
  create table ledger_24 partition of ledger for values from ('2024-01-01') to ('2025-01-01');
  create table diary (day date, name text, text text, primary key (day, name)) partition by range (day);
  create table diary_24 partition of diary for values from ('2024-01-01') to ('2025-01-01');
  create function keep_old() returns trigger language plpgsql as 'begin return null; end';
  create trigger keep_old before update on ledger for each row execute function keep_old();`;

const rows = `
  truncate team, player, lodger, tag, word, ledger, diary;
  insert into team values (1, 'red', 'de', 'r', false), (2, 'black', 'fr', 'b', true);
  insert into player values (1, 'Kim', null);
  insert into lodger values (1, 'Ada', 100, 'quiet', 1), (2, 'Bo', 250, 'loud', 1), (3, 'Cy', 300, 'late', 2);
  insert into tag values ('blue', 'hidden code');
  insert into word values ('known', 'a');
  insert into ledger values ('2024-01-01', 'safe', '1234');`;

const all = { columns: "*", filter: {} };
const [user, scout] = ["user", "scout"];
const inMyHouse = { house: { _eq: "X-Engine-House" } };
const select = (role: string, columns: readonly string[], filter: object = {}) => ({
  role,
  permission: { columns, filter },
});
const insert = (role: string, columns: "*" | readonly string[]) => ({ role, permission: { columns, check: {} } });
const update = (role: string, columns: readonly string[]) => ({ role, permission: { columns, filter: {} } });

const tables = [
  {
    table: "team",
    array_relationships: [
      { name: "players", using: { foreign_key_constraint_on: { table: "player", column: "team_id" } } },
    ],
    select_permissions: [
      select(user, ["name", "country"], { is_hidden: { _eq: false } }),
      select(scout, ["id", "name"]),
      select("batch", ["id", "name"]),
    ],
    insert_permissions: [
      insert(user, ["name", "country"]),
      insert(scout, ["name"]),
      { role: "batch", permission: { columns: ["name"], check: {}, backend_only: true } },
      insert("writer", ["name"]),
    ],
    update_permissions: [update(user, ["name", "country", "is_hidden"]), update("writer", ["name"])],
    delete_permissions: [{ role: user, permission: { filter: {} } }],
  },
  {
    table: "player",
    object_relationships: [{ name: "team", using: { foreign_key_constraint_on: "team_id" } }],
    select_permissions: [
      { role: user, permission: all },
      { role: scout, permission: all },
      { role: "batch", permission: all },
    ],
    insert_permissions: [insert(user, "*"), insert(scout, ["id", "name"]), insert("batch", "*")],
    update_permissions: [update(user, ["name", "team_id"])],
  },
  {
    table: "lodger",
    select_permissions: [
      select("tenant", ["id", "name", "rent"], { id: { _eq: "X-Engine-User-Id" } }),
      select("porter", ["name", "note"], inMyHouse),
    ],
    insert_permissions: [insert("porter", "*")],
    update_permissions: [update("porter", ["note", "house"])],
  },
  {
    table: "tag",
    select_permissions: [select(user, ["label"])],
    insert_permissions: [insert(user, "*")],
  },
  { table: "word", select_permissions: [{ role: user, permission: all }], insert_permissions: [insert(user, "*")] },
  {
    table: "ledger",
    select_permissions: [select(user, ["day", "name"])],
    insert_permissions: [insert(user, "*")],
    update_permissions: [update(user, ["pin"])],
  },
  {
    table: "diary",
    select_permissions: [{ role: user, permission: all }],
    insert_permissions: [insert(user, "*")],
    update_permissions: [update(user, ["text"])],
  },
];

const inherited_roles = [{ role_name: "both", role_set: ["tenant", "porter"] }];
const existing = (constraint: string) => `on_conflict: { constraint: ${constraint}, return_existing: true }`;
const replacing = (constraint: string, columns: string) =>
  `on_conflict: { constraint: ${constraint}, update_columns: [${columns}] }`;

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("changed_rows");
  engine = new TestEngine(database.url);
  await runSql(database.url, schema);
  const { inconsistencies } = await engine.track(tables, { inherited_roles });
  expect(inconsistencies).toEqual([]);
}, 60_000);

beforeEach(() => runSql(database.url, rows));

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

/** Returns the data of a mutation, or the code of its error. */
async function run(mutation: string, role = user, variables: Record<string, unknown> | null = null): Promise<unknown> {
  const session = { "x-engine-role": role, "x-engine-user-id": "1", "x-engine-house": "1" };
  const declared = Object.keys(variables ?? {}).map((name) => `$${name}: Boolean`);
  const variablesText = declared.length === 0 ? "" : `(${declared.join()})`;
  try {
    return await engine.ask(role, `mutation A${variablesText} { ${mutation} }`, session, variables);
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const players = () => runSql(database.url, "select id, team_id from player order by id");

describe("Attacks by return_existing", () => {
  it.each([
    ["team_name_key", "black", "red"],
    ["team_lower", "BLACK", "RED"],
  ])("It returns no hidden row and no hidden column: %s", async (constraint, hidden, shown) => {
    const on = existing(constraint);
    expect(await run(`insert_team_one(object: { name: "${hidden}" }, ${on}) { name }`)).toEqual({
      insert_team_one: null,
    });
    const row = { name: "red", country: "de" };
    const many = `insert_team(objects: [{ name: "${hidden}" }, { name: "${shown}" }], ${on}) {
      affected_rows returning { name country } changes { inserted old { name country } new { name country } } }`;
    expect(await run(many)).toEqual({
      insert_team: { affected_rows: 0, returning: [row], changes: [{ inserted: false, old: row, new: row }] },
    });
    for (const column of ["id", "code", "is_hidden"]) {
      expect(await run(`insert_team_one(object: { name: "${shown}" }, ${on}) { ${column} }`)).toBe("validation-failed");
    }
  });

  it("Keys that the role may not read are copied to no row", async () => {
    for (const name of ["red", "black", "new"]) {
      const team = `{ data: { name: "${name}" }, ${existing("team_name_key")} }`;
      const attempts = [
        `insert_player_one(object: { id: 9, team: ${team} }) { team_id }`,
        `insert_team_one(object: { name: "${name}", players: { data: { id: 9 } } }, ${existing("team_name_key")}) { name }`,
        `update_player_by_pk(pk_columns: { id: 1 }, _related: { team: { insert: ${team} } }) { team_id }`,
      ];
      for (const attempt of attempts) expect(await run(attempt)).toBe("validation-failed");
    }
    expect(await players()).toEqual([{ id: 1, team_id: null }]);
  });

  it("Rows are joined to an existing row only if the role may set the columns of the relationship", async () => {
    const child = `insert_team_one(object: { name: "red", players: { data: { id: 9 } } }, ${existing("team_name_key")}) { name }`;
    const parent = `insert_player_one(object: { id: 9, team: { data: { name: "red" }, ${existing("team_name_key")} } }) { id }`;
    for (const attempt of [child, parent]) expect(await run(attempt, scout)).toBe("validation-failed");
    expect(await players()).toEqual([{ id: 1, team_id: null }]);
    // A new row may be joined without the permission.
    const inserted = 'insert_player_one(object: { id: 9, team: { data: { name: "new" } } }) { team_id }';
    expect(await run(inserted, scout)).toEqual({ insert_player_one: { team_id: 7 } });
  });

  it("Backend-only and absent permissions do not become available", async () => {
    const on = existing("team_name_key");
    const one = `insert_team_one(object: { name: "red" }, ${on}) { name }`;
    const nested = `insert_player_one(object: { id: 9, team: { data: { name: "red" }, ${on} } }) { id }`;
    for (const attempt of [one, nested]) expect(await run(attempt, "batch")).toBe("validation-failed");
    expect(await run(`insert_team(objects: [{ name: "red" }], ${on}) { affected_rows }`, "writer")).toBe(
      "validation-failed",
    );
  });

  it("Values of a flag do not share a plan", async () => {
    const text = `insert_team_one(object: { name: "red" }, on_conflict: { constraint: team_name_key, return_existing: $flag }) { name }`;
    for (const flag of [true, false, true, null]) {
      expect(await run(text, user, { flag })).toEqual({ insert_team_one: flag ? { name: "red" } : null });
    }
  });

  it("A row that one field has found is not returned by the next one", async () => {
    const found = `a: insert_tag(objects: [{ label: "BLUE" }], ${existing("tag_lower")}) { returning { label } }`;
    const a = { returning: [{ label: "blue" }] };
    for (const [objects, returning] of [
      ["[]", []],
      ['[{ label: "known" }]', [{ label: "known", code: "a" }]],
    ]) {
      const next = `b: insert_word(objects: ${objects}, ${existing("word_pkey")}) { returning { label code } }`;
      expect(await run(`${found} ${next}`)).toEqual({ a, b: { returning } });
    }
  });

  it("A role of several select permissions gets the columns that each row's permissions list", async () => {
    const objects = [1, 2, 3].map((id) => `{ id: ${id}, name: "x" }`).join();
    const text = `insert_lodger(objects: [${objects}], ${existing("lodger_pkey")}) { returning { id name rent note } }`;
    expect(await run(text, "both")).toEqual({
      insert_lodger: {
        returning: [
          { id: 1, name: "Ada", rent: 100, note: "quiet" },
          { id: null, name: "Bo", rent: null, note: "loud" },
        ],
      },
    });
  });
});

describe("Attacks by changes", () => {
  it("A row that leaves or enters the filter shows no state that the filter excluded", async () => {
    const shown = "changes { old { name country } new { name } }";
    const set = (id: string, values: string) =>
      `update_team(where: { name: { _eq: "${id}" } }, _set: ${values}) { ${shown} }`;
    const entering = { changes: [{ old: null, new: { name: "black" } }] };
    const leaving = { changes: [{ old: { name: "red", country: "de" }, new: { name: "red" } }] };
    expect(
      await run(`a: ${set("red", "{ is_hidden: true }")} b: ${set("black", "{ is_hidden: false }")}
        c: ${set("red", '{ country: "it" }')}
        d: insert_team(objects: [{ name: "red", country: "fr" }], ${replacing("team_name_key", "country")}) { ${shown} }
        e: delete_team(where: { name: { _eq: "red" } }) { ${shown} }`),
    ).toEqual({
      a: leaving,
      b: entering,
      c: { changes: [{ old: null, new: { name: "red" } }] },
      d: { changes: [{ old: null, new: { name: "red" } }] },
      e: { changes: [{ old: null, new: null }] },
    });
  });

  it("Columns without permission do not exist in old and new", async () => {
    for (const column of ["id", "code", "is_hidden"]) {
      for (const state of ["old", "new"]) {
        const selection = `{ changes { ${state} { ${column} } } }`;
        const attempts = [
          `update_team(where: {}, _set: { country: "it" }) ${selection}`,
          `insert_team(objects: [{ name: "red" }], ${replacing("team_name_key", "country")}) ${selection}`,
          `delete_team(where: {}) ${selection}`,
        ];
        for (const attempt of attempts) expect(await run(attempt)).toBe("validation-failed");
      }
    }
    const changes = 'update_team(where: { name: { _eq: "red" } }, _set: { name: "x" }) { changes { inserted } }';
    expect(await run(changes, "writer")).toBe("validation-failed");
  });

  it("A role of several select permissions gets the columns that the permissions of each state list", async () => {
    const shown = "changes { old { id name rent note } new { id name rent note } }";
    const ada = { id: 1, name: "Ada", rent: 100 };
    const [bo, cy] = ["Bo", "Cy"].map((name) => ({ id: null, name, rent: null }));
    // Ada leaves the house: her note is hidden after the update. Cy enters it: the note is hidden before the update.
    expect(
      await run(
        `a: update_lodger(where: { name: { _eq: "Ada" } }, _set: { house: 2 }) { ${shown} }
         b: update_lodger(where: { name: { _eq: "Bo" } }, _set: { note: "new" }) { ${shown} }
         c: insert_lodger(objects: [{ id: 3, name: "x", house: 1 }], ${replacing("lodger_pkey", "house")}) { ${shown} }`,
        "both",
      ),
    ).toEqual({
      a: { changes: [{ old: { ...ada, note: "quiet" }, new: { ...ada, note: null } }] },
      b: { changes: [{ old: { ...bo, note: "loud" }, new: { ...bo, note: "new" } }] },
      c: { changes: [{ old: null, new: { ...cy, note: "late" } }] },
    });
  });

  it("The row of an update that a trigger prevented is not the old row of another row", async () => {
    const conflict = '{ day: "2024-01-01", name: "safe", pin: "x" }';
    const changed = (objects: string) =>
      `insert_ledger(objects: [${objects}], ${replacing("ledger_pkey", "pin")}) { changes { inserted old { name } } }`;
    const isNew = { inserted: true, old: null };
    expect(
      await run(
        `a: ${changed(conflict)}
         b: insert_diary(objects: [{ day: "2024-01-01", name: "n" }], ${replacing("diary_pkey", "text")}) {
           changes { inserted old { text } } }
         c: ${changed(`${conflict}, { day: "2024-01-02", name: "n" }`)}`,
      ),
    ).toEqual({ a: { changes: [] }, b: { changes: [isNew] }, c: { changes: [isNew] } });
  });
});

describe("Attacks by endpoint", () => {
  const one = `mutation one($name: String!) { insert_team_one(object: { name: $name }, ${existing("team_name_key")}) { name } }`;
  const many = `mutation many($name: String!) { insert_team(objects: [{ name: $name }], ${replacing("team_name_key", "name")}) {
    changes { inserted old { name country } new { name players { id } } } } }`;
  const texts = { one, many };
  const metadata = {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
        tables: tables.map(({ table, ...rest }) => ({ ...rest, table: { schema: "public", name: table } })),
      },
    ],
    inherited_roles,
    query_collections: [
      { name: "saved", definition: { queries: Object.entries(texts).map(([name, query]) => ({ name, query })) } },
    ],
    allowlist: [{ collection: "saved", scope: { global: true } }],
    rest_endpoints: Object.keys(texts).map((name) => ({
      name,
      url: name,
      methods: ["POST"],
      definition: { query: { collection_name: "saved", query_name: name } },
    })),
    agent_tools: Object.keys(texts).map((name) => ({
      name,
      definition: { query: { collection_name: "saved", query_name: name } },
    })),
  };

  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      sealed: false,
      environment: {
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,mcp",
        ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
        ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true",
      },
    });
    await runSql(server.databaseUrl, schema);
    await server.metadata("replace_metadata", metadata);
  }, 60_000);
  beforeEach(() => runSql(server.databaseUrl, rows));
  afterAll(() => server?.close());

  type Send = (name: keyof typeof texts, value: string, headers?: Record<string, string>) => Promise<unknown>;
  const headers = { "x-engine-role": user, "x-engine-user-id": "1" };
  const graphql: Send = async (name, value, more) =>
    (await server.post("/v1/graphql", { query: texts[name], variables: { name: value } }, { ...headers, ...more }))
      .json;
  const rest: Send = async (name, value, more) => {
    const { json } = await server.post(`/api/rest/${name}`, { name: value }, { ...headers, ...more });
    return json.data ? json : { errors: [{ extensions: json }] };
  };
  const tool: Send = async (name, value, more) => {
    const message = earlier("tools/call", { name, arguments: { name: value, confirm: true } });
    const { json } = await server.post("/mcp", message.body, { ...message.headers, ...headers, ...more });
    if (json.error) return { errors: [{ extensions: json.error.data }] };
    const { isError, structuredContent, content } = json.result;
    return isError
      ? { errors: [{ extensions: { code: /^code: (.*)$/m.exec(content[0].text)?.[1] } }] }
      : { data: structuredContent };
  };
  const endpoints = [
    ["GraphQL", graphql],
    ["REST", rest],
    ["tool", tool],
  ] as const;
  const refused = (code: string) => ({ errors: [{ extensions: { code } }] });

  it.each(endpoints)("It returns no hidden row: %s", async (_, send) => {
    expect(await send("one", "black")).toEqual({ data: { insert_team_one: null } });
    expect(await send("one", "red")).toEqual({ data: { insert_team_one: { name: "red" } } });
    const changed = { inserted: false, old: null, new: { name: "black", players: [] } };
    expect(await send("many", "black")).toEqual({ data: { insert_team: { changes: [changed] } } });
  });

  it.each(endpoints)("Limits of depth, nodes and rate hold: %s", async (name, send) => {
    for (const [limit, code] of [
      ["depth_limit", "depth-limit-exceeded"],
      ["node_limit", "node-limit-exceeded"],
    ] as const) {
      await server.metadata("set_api_limits", { [limit]: { global: 3 } });
      expect(await send("one", "red")).toMatchObject({ data: {} });
      expect(await send("many", "red")).toMatchObject(refused(code));
    }
    await server.metadata("set_api_limits", {
      rate_limit: { global: { max_reqs_per_min: 1, unique_params: ["x-engine-user-id"] } },
    });
    expect(await send("one", "red", { "x-engine-user-id": name })).toMatchObject({ data: {} });
    expect(await send("one", "red", { "x-engine-user-id": name })).toMatchObject(refused("rate-limit-exceeded"));
    await server.metadata("remove_api_limits", {});
  });

  it("The allow-list admits no other operation with the same fields", async () => {
    for (const text of Object.values(texts)) {
      const query = text.replace("{ name", "{ renamed: name");
      const { json } = await server.post("/v1/graphql", { query, variables: { name: "red" } }, headers);
      expect(json).toMatchObject(refused("validation-failed"));
    }
  });
});
