/**
 * Types of extensions are compared by their own operators, whatever the schema of the extension: a table whose
 * extensions are in `public` and a table whose extensions are outside the search path of the source's user return the
 * same results, to requests and through row filters.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

const extensions = ["citext", "hstore", "ltree", "cube", "seg", "isn"];

/** Comparisons by column. Column names sort by type. */
const comparisons: Readonly<Record<string, readonly (readonly [operator: string, value: unknown])[]>> = {
  email: [
    ["_eq", "BOSS@x.org"],
    ["_neq", "boss@X.org"],
    ["_gt", "B"],
    ["_gte", "boss@x.org"],
    ["_lt", "b"],
    ["_lte", "boss@x.org"],
    ["_in", ["BOSS@X.ORG", "nobody"]],
    ["_nin", ["BOSS@X.ORG", "nobody"]],
    ["_like", "BOSS%"],
    ["_nlike", "BOSS%"],
    ["_ilike", "BOSS%"],
    ["_nilike", "BOSS%"],
    ["_similar", "(BOSS|none)%"],
    ["_nsimilar", "(BOSS|none)%"],
    ["_regex", "^BOSS"],
    ["_nregex", "^BOSS"],
    ["_iregex", "^BOSS"],
    ["_niregex", "^BOSS"],
  ],
  address: [
    ["_eq", "BOSS@x.org"],
    ["_neq", "boss@X.org"],
    ["_in", ["BOSS@X.ORG"]],
    ["_nin", ["BOSS@X.ORG"]],
    ["_like", "BOSS%"],
  ],
  names: [
    ["_eq", ["BOSS", "B"]],
    ["_neq", ["BOSS", "B"]],
    ["_contains", ["BOSS"]],
    ["_contained_in", ["BOSS", "B", "C"]],
    ["_in", [["BOSS", "B"]]],
  ],
  span: [["_eq", "[A,B]"]],
  path: [
    ["_eq", "top.a"],
    ["_neq", "top.a"],
    ["_gt", "top"],
    ["_in", ["top", "none"]],
    ["_nin", ["top", "none"]],
    ["_ancestor", "top.a"],
    ["_ancestor_any", ["top.a", "x"]],
    ["_descendant", "top"],
    ["_descendant_any", ["top.a"]],
    ["_matches", "top.*"],
    ["_matches_any", ["*.a", "none"]],
    ["_matches_fulltext", "a"],
  ],
  tags: [
    ["_eq", "a=>1"],
    ["_neq", "a=>1"],
    ["_in", ["a=>1"]],
    ["_nin", ["a=>1"]],
  ],
  place: [
    ["_eq", "(1,2)"],
    ["_neq", "(1,2)"],
    ["_gt", "(1,2)"],
    ["_in", ["(1,2)"]],
  ],
  part: [
    ["_eq", "1 .. 2"],
    ["_neq", "1 .. 2"],
    ["_lt", "2"],
  ],
  book: [
    ["_eq", "0-393-04002-X"],
    ["_neq", "0-393-04002-X"],
    ["_nin", ["0-393-04002-X"]],
  ],
  area: [["_in", ["(1,1),(0,0)", "(9,9),(8,8)"]]],
  mood: [
    ["_eq", "high"],
    ["_neq", "high"],
    ["_gt", "low"],
    ["_in", ["high"]],
  ],
};

const cases = Object.entries(comparisons).flatMap(([column, list]) =>
  list.map(([operator, value]) => ({ column, operator, value })),
);

/** Returns SQL that creates the tables. @param place the schema of extensions and of an enum */
const schema = (place: string): string => `
  create schema if not exists ${place};
  ${extensions.map((name) => `create extension ${name} schema ${place};`).join("\n")}
  set search_path = ${place}, public;
  create type ${place}.mood as enum ('low', 'high');
  create type ${place}.citext_range as range (subtype = ${place}.citext);
  create domain public.address as ${place}.citext;
  create table public.acct (
    email ${place}.citext primary key, alias ${place}.citext, address public.address, names ${place}.citext[], span ${place}.citext_range,
    path ${place}.ltree, tags ${place}.hstore, place ${place}.cube, part ${place}.seg, book ${place}.isbn,
    mood ${place}.mood, area box default '(1,1),(0,0)'
  );
  create table public.visit (id serial primary key, who ${place}.citext, at ${place}.ltree);
  create function public.accounts_of(who ${place}.citext) returns setof public.acct language sql stable
    set search_path = ${place}, public as $$ select * from public.acct where email = who $$;
  insert into public.acct (email, address, names, span, path, tags, place, part, book, mood) values
    ('Boss@x.org', 'Boss@x.org', '{Boss,b}', '[a,b]', 'top', 'a=>1', '(1,2)', '1 .. 2', '0-393-04002-X', 'high'),
    ('a@x.org', 'a@x.org', '{c}', '[c,d]', 'top.a', 'b=>2', '(3,4)', '3', '0-13-014329-4', 'low'),
    ('C@x.org', null, null, null, null, null, null, null, null, null);
  update public.acct set alias = upper(email::text);
  insert into public.visit (who, at) values ('BOSS@X.ORG', 'top'), ('boss@x.org', 'top.a'), ('A@x.org', 'top.b');
  create user reader_PLACE password 'reader';
  grant usage on schema ${place} to reader_PLACE;
  grant all on all tables in schema public to reader_PLACE;
  grant all on all sequences in schema public to reader_PLACE;`;

const acct = { schema: "public", name: "acct" };
const visit = { schema: "public", name: "visit" };
const visits = {
  remote_table: visit,
  column_mapping: { email: "who" },
};

function source(name: string, url: string) {
  const filters = cases.flatMap(({ column, operator, value }, i) => [
    { role: `fixed_${i}`, permission: { columns: ["email"], filter: { [column]: { [operator]: value } } } },
    ...(Array.isArray(value)
      ? []
      : [
          {
            role: `session_${i}`,
            permission: { columns: ["email"], filter: { [column]: { [operator]: "X-Engine-Value" } } },
          },
        ]),
  ]);
  return {
    name,
    kind: "postgres",
    configuration: { connection_info: { database_url: url } },
    customization: { root_fields: { prefix: `${name}_` }, type_names: { prefix: `${name}_` } },
    tables: [
      {
        table: acct,
        array_relationships: [{ name: "visits", using: { manual_configuration: visits } }],
        select_permissions: [
          ...filters,
          {
            role: "visited",
            permission: { columns: ["email"], filter: { visits: { at: { _eq: "top" } } } },
          },
          {
            role: "listed",
            permission: { columns: ["email"], filter: { email: { _in: "X-Engine-Emails" } } },
          },
          {
            role: "unlisted",
            permission: { columns: ["email"], filter: { email: { _nin: "X-Engine-Emails" } } },
          },
          {
            role: "compared",
            permission: { columns: ["email"], filter: { email: { _ceq: "alias" } } },
          },
        ],
      },
      {
        table: visit,
        select_permissions: [
          { role: "guest", permission: { columns: ["who", "at"], filter: { who: { _eq: "X-Engine-Email" } } } },
        ],
        insert_permissions: [
          {
            role: "guest",
            permission: {
              columns: [],
              check: { who: { _eq: "BOSS@x.org" } },
              set: { who: "X-Engine-Email", at: "top.preset" },
            },
          },
        ],
        remote_relationships: ["near", "far"].map((other) => ({
          name: `account_in_${other}`,
          definition: {
            to_source: { source: other, table: acct, relationship_type: "object", field_mapping: { who: "email" } },
          },
        })),
        object_relationships: [
          {
            name: "account",
            using: { manual_configuration: { remote_table: acct, column_mapping: { who: "email" } } },
          },
        ],
      },
    ],
    functions: [{ function: { schema: "public", name: "accounts_of" } }],
  };
}

let server: TestServer;
const databases: TestDatabase[] = [];
const users: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  const sources = [];
  for (const [name, place] of [
    ["near", "public"],
    ["far", "ext"],
  ] as const) {
    const database = await createDatabase(name);
    databases.push(database);
    const user = `reader_${database.name}`;
    users.push(user);
    await query(database.url, schema(place).replaceAll("reader_PLACE", user));
    const url = new URL(database.url);
    url.username = user;
    url.password = "reader";
    sources.push(source(name, url.href));
  }
  await server.metadata("replace_metadata", { version: 3, sources });
}, 120_000);

afterAll(async () => {
  await server.close();
  const url = databases[0]?.url ?? "";
  const server_ = new URL(url);
  server_.pathname = "/postgres";
  for (const database of databases) await database.drop();
  for (const user of users) await query(server_.href, `drop user if exists "${user}"`);
});

const graphql = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(graphql).join(", ")}]` : JSON.stringify(value);

/** Returns the result of each source for one query, without the name of the source. */
async function answers(
  text: (name: string) => string,
  headers: Record<string, string> = {},
  path = "/v1/graphql",
): Promise<readonly unknown[]> {
  const found = [];
  for (const name of ["near", "far"]) {
    const { json } = await server.post(path, { query: text(name) }, headers);
    found.push(JSON.parse(JSON.stringify(json).replaceAll(`${name}_`, "")));
  }
  return found;
}

const as = (role: string, more: Record<string, string> = {}) => ({ "x-engine-role": role, ...more });

describe("Types of extensions outside of the search path", () => {
  it.each(cases)(
    "A type outside of the search path compares $column by $operator as inside of it",
    async ({ column, operator, value }) => {
      const literal = graphql(value);
      const [near, far] = await answers(
        (name) =>
          `{ rows: ${name}_acct(where: {${column}: {${operator}: ${literal}}}, order_by: {email: asc}) { email } }`,
      );
      expect(near).toHaveProperty("data");
      expect(far).toEqual(near);
    },
  );

  it.each(cases)(
    "A type outside of the search path filters rows by $operator of $column as inside of it",
    async ({ column, operator, value }) => {
      const i = cases.findIndex((each) => each.column === column && each.operator === operator);
      const rows = (name: string) => `{ rows: ${name}_acct { email } }`;
      const [near, far] = await answers(rows, as(`fixed_${i}`));
      expect(near).toHaveProperty("data");
      expect(far).toEqual(near);
      const results = await answers(
        (name) => `{ rows: ${name}_acct(where: {${column}: {${operator}: ${graphql(value)}}}) { email } }`,
      );
      expect(results).toEqual([near, far]);
      if (!Array.isArray(value)) {
        expect(await answers(rows, as(`session_${i}`, { "x-engine-value": String(value) }))).toEqual([near, far]);
      }
    },
  );

  it("A type outside of the search path has the case-insensitive equality of its extension", async () => {
    const role = (operator: string) =>
      as(`fixed_${cases.findIndex((each) => each.column === "email" && each.operator === operator)}`);
    const rows = (name: string) => `{ rows: ${name}_acct { email } }`;
    const boss = { data: { rows: [{ email: "Boss@x.org" }] } };
    const others = { data: { rows: [{ email: "a@x.org" }, { email: "C@x.org" }] } };
    expect(await answers(rows, role("_eq"))).toEqual([boss, boss]);
    expect(await answers(rows, role("_neq"))).toEqual([others, others]);
    expect(await answers(rows, role("_nin"))).toEqual([others, others]);
    expect(await answers(rows, as("visited"))).toEqual([boss, boss]);
    const all = { data: { rows: [...boss.data.rows, ...others.data.rows] } };
    expect(await answers(rows, as("compared"))).toEqual([all, all]);
  });

  it.each([
    [
      "joins relationships",
      (s: string) =>
        `{ rows: ${s}_acct(order_by: {email: asc}) { email visits(order_by: {id: asc}) { id account { email } } } }`,
    ],
    [
      "filters by relationships",
      (s: string) => `{ rows: ${s}_visit(where: {account: {email: {_eq: "BOSS@x.org"}}}) { id } }`,
    ],
    ["orders", (s: string) => `{ rows: ${s}_acct(order_by: {email: desc}) { email } }`],
    [
      "orders by relationships",
      (s: string) => `{ rows: ${s}_visit(order_by: [{account: {email: asc}}, {id: asc}]) { id } }`,
    ],
    [
      "orders by aggregates",
      (s: string) => `{ rows: ${s}_acct(order_by: [{visits_aggregate: {max: {who: desc}}}, {email: asc}]) { email } }`,
    ],
    [
      "finds distinct rows",
      (s: string) => `{ rows: ${s}_visit(distinct_on: who, order_by: [{who: asc}, {id: asc}]) { id } }`,
    ],
    [
      "aggregates",
      (s: string) =>
        `{ rows: ${s}_visit_aggregate { aggregate { count(columns: who, distinct: true) min { who } max { who } } } }`,
    ],
    ["finds rows by their key", (s: string) => `{ rows: ${s}_acct_by_pk(email: "BOSS@X.org") { email path tags } }`],
    ["takes arguments of functions", (s: string) => `{ rows: ${s}_accounts_of(args: {who: "BOSS@X.ORG"}) { email } }`],
    [
      "updates rows found by their key",
      (s: string) =>
        `mutation { rows: ${s}_update_acct_by_pk(pk_columns: {email: "BOSS@X.org"}, _set: {path: "top"}) { email path } }`,
    ],
    [
      "upserts",
      (s: string) =>
        `mutation { rows: ${s}_insert_acct_one(object: {email: "BOSS@X.org", path: "top"}, on_conflict: {constraint: acct_pkey, update_columns: [path], where: {email: {_eq: "boss@x.org"}}}) { email path } }`,
    ],
  ])("A type outside of the search path %s as inside of it", async (_, text) => {
    const [near, far] = await answers(text);
    expect(near).toHaveProperty("data");
    expect(far).toEqual(near);
  });

  it("A type outside of the search path pages by Relay cursors as inside of it", async () => {
    const page = (after: string) => (s: string) =>
      `{ rows: ${s}_acct_connection(first: 1, order_by: {email: asc}${after}) { edges { node { email } } pageInfo { endCursor hasNextPage } } }`;
    const read = async (after: string) => {
      const [near, far] = await answers(page(after), {}, "/v1beta1/relay");
      expect(near).toHaveProperty("data");
      expect(far).toEqual(near);
      return (near as { data: { rows: { pageInfo: { endCursor: string }; edges: unknown[] } } }).data.rows;
    };
    const first = await read("");
    const second = await read(`, after: ${JSON.stringify(first.pageInfo.endCursor)}`);
    expect(second.edges).toEqual([{ node: { email: "Boss@x.org" } }]);
    const distinct = (s: string) => `{ rows: ${s}_acct_connection(distinct_on: email) { edges { node { email } } } }`;
    const [near, far] = await answers(distinct, {}, "/v1beta1/relay");
    expect(near).toHaveProperty("data");
    expect(far).toEqual(near);
  });

  it.each([
    ["_in", "listed", ["Boss@x.org"]],
    ["_nin", "unlisted", ["a@x.org", "C@x.org"]],
  ])(
    "A type outside of the search path accepts a list session variable for %s as inside of it",
    async (_, role, emails) => {
      const headers = as(role, { "x-engine-emails": '{"BOSS@X.ORG",nobody}' });
      const rows = await answers((name) => `{ rows: ${name}_acct { email } }`, headers);
      const expected = { data: { rows: emails.map((email) => ({ email })) } };
      expect(rows).toEqual([expected, expected]);
    },
  );

  it("A type outside of the search path is preset and checked as inside of it", async () => {
    const insert = (name: string) => `mutation { rows: ${name}_insert_visit_one(object: {}) { who at } }`;
    const made = await answers(insert, as("guest", { "x-engine-email": "bOSS@X.org" }));
    const expected = { data: { rows: { who: "bOSS@X.org", at: "top.preset" } } };
    expect(made).toEqual([expected, expected]);
    const refused = await answers(insert, as("guest", { "x-engine-email": "a@x.org" }));
    expect(refused[0]).toHaveProperty("errors.0.extensions.code", "permission-error");
    expect(refused[1]).toEqual(refused[0]);
  });

  it.each(["near", "far"])(
    "A type outside of the search path joins rows of the source %s as inside of it",
    async (other) => {
      const found = await answers(
        (name) =>
          `{ rows: ${name}_visit(where: {id: {_lte: 3}}, order_by: {id: asc}) { id account_in_${other} { email } } }`,
      );
      expect(found[0]).toHaveProperty("data");
      expect(found[1]).toEqual(found[0]);
    },
  );

  it.each([
    ["email", '"B"', ["Boss@x.org", "C@x.org"]],
    ["path", '"top"', ["a@x.org"]],
  ])("A type outside of the search path orders a stream by %s as inside of it", async (column, from, emails) => {
    for (const name of ["near", "far"]) {
      const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
      const seen: unknown[] = [];
      try {
        client.send({ type: "connection_init" });
        while (((await client.next()) as { type: string }).type !== "connection_ack");
        const query = `subscription { rows: ${name}_acct_stream(batch_size: 1, cursor: {initial_value: {${column}: ${from}}}) { email } }`;
        client.send({ type: "subscribe", id: "1", payload: { query } });
        while (seen.length < emails.length) {
          const message = (await client.next()) as { type: string; payload?: { data: { rows: unknown[] } } };
          if (message.type === "ping") continue;
          expect(message.type).toBe("next");
          seen.push(...(message.payload?.data.rows ?? []));
        }
      } finally {
        client.ws.terminate();
      }
      expect(seen).toEqual(emails.map((email) => ({ email })));
    }
  });
});
