/** Groups of rows on a real database: keys, errors, live queries, saved operations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table town (id int primary key, name text not null);
  create table visit (
    id int primary key, town_id int references town, at timestamptz not null, day date, local timestamp, opens time,
    spent numeric not null, weight float8, data jsonb, raw json, done boolean not null default false
  );
  insert into town values (1, 'Lyon'), (2, 'Nice');
  insert into visit values
    (1, 1, '2024-12-31 23:30Z', '2024-12-30', '2024-02-29 01:05', '08:30', 12.5, 0.1, '{"a": {"b": 1}}', '{"a": 1}', false),
    (2, 1, '2025-01-01 00:10Z', '2027-01-03', '2024-02-29 01:40', '08:45', 19, 0.2, '{"a": {"b": 1}}', '{"a": 2}', true),
    (3, 2, '2025-06-01 12:00Z', null, null, null, 3, null, null, null, false),
    (4, null, '2025-06-02 12:00Z', null, null, null, -0.5, null, '{"a": {"b": "x"}}', null, false);
`;

const environment = { ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50" };
const saved = `query Towns($least: Int!, $zone: String, $width: Float, $fraction: Float!, $least_spent: numeric!) {
  visit_group(
    by: [{ column: at, part: year, time_zone: $zone }, { column: spent, width: $width }]
    having: { count: { predicate: { _gte: $least } } }
  ) { key { year: _part(column: at, part: year) from: _bucket(column: spent) }
    aggregate(filter: { spent: { _gte: $least_spent } }) { count percentile_cont(column: spent, fraction: $fraction) }
  }
}`;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment });
  await query(server.databaseUrl, schema);
  await server.metadata("bulk", [
    { type: "pg_track_tables", args: { tables: [{ table: "town" }, { table: "visit" }] } },
    {
      type: "pg_create_object_relationship",
      args: { table: "visit", name: "town", using: { foreign_key_constraint_on: "town_id" } },
    },
    {
      type: "pg_create_array_relationship",
      args: {
        table: "town",
        name: "visits",
        using: { foreign_key_constraint_on: { table: "visit", column: "town_id" } },
      },
    },
    {
      type: "create_query_collection",
      args: { name: "saved", definition: { queries: [{ name: "towns", query: saved }] } },
    },
    {
      type: "create_rest_endpoint",
      args: {
        name: "towns",
        url: "towns",
        methods: ["GET"],
        definition: { query: { collection_name: "saved", query_name: "towns" } },
      },
    },
  ]);
});

afterAll(() => server.close());

const ask = async (text: string, variables?: unknown) => server.graphql(text, {}, variables);

/** Returns the keys of groups under one response key. */
async function keysOf(by: string, key: string, more = ""): Promise<unknown> {
  return ask(`{ visit_group(by: ${by} ${more}) { key { ${key} } aggregate { count } } }`);
}

const groups = (...found: readonly (readonly [unknown, number])[]) => ({
  data: { visit_group: found.map(([k, count]) => ({ key: { k }, aggregate: { count } })) },
});

describe("Groups in requests", () => {
  it.each<[string, string, ...(readonly [number, number])[]]>([
    ["year", "", [2024, 1], [2025, 3]],
    ["year", ', time_zone: "Europe/Paris"', [2025, 4]],
    ["month", ', time_zone: "America/New_York"', [6, 2], [12, 2]],
    ["hour", ', time_zone: "Europe/Paris"', [0, 1], [1, 1], [14, 2]],
  ])("Moments are grouped by %s%s", async (part, zone, ...expected) => {
    const found = await keysOf(`{ column: at, part: ${part}${zone} }`, `k: _part(column: at, part: ${part})`);
    expect(found).toEqual(groups(...expected));
  });

  it.each<[string, string, ...(readonly [number, number])[]]>([
    ["day", "iso_year", [2025, 1], [2026, 1]],
    ["day", "week", [1, 1], [53, 1]],
    ["day", "day_of_week", [1, 1], [7, 1]],
    ["day", "day_of_year", [3, 1], [365, 1]],
    ["local", "quarter", [1, 2]],
    ["local", "minute", [5, 1], [40, 1]],
    ["opens", "hour", [8, 2]],
  ])("%s is grouped by %s", async (column, part, ...expected) => {
    const key = `k: _part(column: ${column}, part: ${part})`;
    const found = await keysOf(`{ column: ${column}, part: ${part} }`, key, "where: { id: { _lt: 3 } }");
    expect(found).toEqual(groups(...expected));
  });

  it.each<[string, string, ...(readonly [string, number])[]]>([
    ["year", "", ["2024-01-01T00:00:00+00:00", 1], ["2025-01-01T00:00:00+00:00", 3]],
    ["year", "Europe/Paris", ["2024-12-31T23:00:00+00:00", 4]],
    ["week", "", ["2024-12-30T00:00:00+00:00", 2], ["2025-05-26T00:00:00+00:00", 1], ["2025-06-02T00:00:00+00:00", 1]],
    [
      "day",
      "Europe/Paris",
      ["2024-12-31T23:00:00+00:00", 2],
      ["2025-05-31T22:00:00+00:00", 1],
      ["2025-06-01T22:00:00+00:00", 1],
    ],
  ])("Moments are truncated to a %s in a time zone: '%s'", async (unit, zone, ...expected) => {
    const found = await keysOf(`{ column: at, truncate: ${unit}, time_zone: ${zone ? `"${zone}"` : null} }`, "k: at");
    expect(found).toEqual({
      data: { visit_group: expected.map(([k, count]) => ({ key: { k }, aggregate: { count } })) },
    });
  });

  it.each<[string, string, ...(readonly [string, number])[]]>([
    ["day", "week", ["2024-12-30", 1], ["2026-12-28", 1]],
    ["day", "quarter", ["2024-10-01", 1], ["2027-01-01", 1]],
    ["local", "hour", ["2024-02-29T01:00:00", 2]],
    ["local", "minute", ["2024-02-29T01:05:00", 1], ["2024-02-29T01:40:00", 1]],
    ["opens", "hour", ["08:00:00", 2]],
  ])("%s is truncated to a %s, and has its own type", async (column, unit, ...expected) => {
    const found = await keysOf(`{ column: ${column}, truncate: ${unit} }`, `k: ${column}`, "where: { id: { _lt: 3 } }");
    expect(found).toEqual({
      data: { visit_group: expected.map(([k, count]) => ({ key: { k }, aggregate: { count } })) },
    });
  });

  it("The two hours before and after clocks are set back are different groups, and infinity is a group", async () => {
    await query(
      server.databaseUrl,
      `insert into visit (id, at, spent) values (20, '2025-10-26 00:10Z', 0), (21, '2025-10-26 00:50Z', 0),
         (22, '2025-10-26 01:20Z', 0), (23, 'infinity', 0)`,
    );
    try {
      const by = '{ column: at, truncate: hour, time_zone: "Europe/Paris" }';
      const found = await keysOf(by, "at", "where: { id: { _gte: 20 } }, order_by: { key: { at: desc } }");
      const keys = [
        ["infinity", 1],
        ["2025-10-26T01:00:00+00:00", 1],
        ["2025-10-26T00:00:00+00:00", 2],
      ];
      expect(found).toEqual({
        data: { visit_group: keys.map(([at, count]) => ({ key: { at }, aggregate: { count } })) },
      });
    } finally {
      await query(server.databaseUrl, "delete from visit where id >= 20");
    }
  });

  it("Numbers are grouped by buckets, below zero too, and JSON by a path", async () => {
    expect(await keysOf("{ column: spent, width: 10 }", "k: _bucket(column: spent)")).toEqual(
      groups([-10, 1], [0, 1], [10, 2]),
    );
    const found = await keysOf('{ column: data, path: "$.a.b" }', 'k: _at(column: data, path: "$.a.b")');
    expect(found).toEqual(groups(["x", 1], [1, 2], [null, 1]));
    const raw = await keysOf('{ column: raw, path: "a" }', 'k: _at(column: raw, path: "a")');
    expect(raw).toEqual(groups([1, 1], [2, 1], [null, 2]));
  });

  it("Groups of related rows have the order, page and conditions of the request", async () => {
    const text = `query ($path: String!) { town(order_by: { id: asc }) { name visits_group(
      by: { column: data, path: $path }, having: { _or: [{ sum: { spent: { _gt: 30 } } }, { max: { id: { _eq: 3 } } }] }
      order_by: { key: { _at: { column: data, path: $path, order: desc } } }, limit: 1
    ) { key { _at(column: data, path: $path) } nodes(order_by: { id: desc }, limit: 1) { id town { name } } } } }`;
    expect(await ask(text, { path: "$.a.b" })).toEqual({
      data: {
        town: [
          { name: "Lyon", visits_group: [{ key: { _at: 1 }, nodes: [{ id: 2, town: { name: "Lyon" } }] }] },
          { name: "Nice", visits_group: [{ key: { _at: null }, nodes: [{ id: 3, town: { name: "Nice" } }] }] },
        ],
      },
    });
    // Another path is another statement.
    expect(await ask(text, { path: "$.a.c" })).toMatchObject({ data: { town: [{ name: "Lyon" }, { name: "Nice" }] } });
  });

  it.each([
    ["[]", "day", "expected at least one key"],
    ["[{}]", "day", "expected exactly one of 'column' and 'related'"],
    ["{ column: day, related: { town: { column: name } } }", "day", "expected exactly one of"],
    ["{ related: {} }", "day", "expected exactly one relationship"],
    ['{ related: { town: { column: name } }, path: "a" }', "day", "'related' excludes the other fields"],
    ["[{ column: day }, { column: day }]", "day", "'by' lists the key 'day' twice"],
    ["{ column: day, part: hour }", "day", 'values of type "date" have no hour: "day"'],
    ["{ column: opens, part: year }", "day", 'values of type "time" have no year: "opens"'],
    ["{ column: spent, part: year }", "day", "only dates and times have parts"],
    ['{ column: day, part: year, time_zone: "UTC" }', "day", "only columns with a time zone have time zones"],
    ['{ column: at, time_zone: "UTC" }', "at", "a time zone requires 'part' or 'truncate'"],
    ["{ column: day, truncate: hour }", "day", 'values of type "date" have no hour: "day"'],
    ["{ column: spent, truncate: day }", "spent", "only dates and times have parts"],
    [
      "{ column: at, truncate: day, part: year }",
      "at",
      "expected at most one of 'part', 'truncate', 'width' and 'path'",
    ],
    ["[{ column: at }, { column: at, truncate: day }]", "at", "'by' lists the key 'at' twice"],
    ["{ column: at, width: 1 }", "at", "only numbers have buckets"],
    ['{ column: at, path: "a" }', "at", "only JSON columns have paths"],
    ['{ column: spent, width: 1, path: "a" }', "at", "expected at most one of"],
    ["{ column: spent, width: 0 }", "_bucket(column: spent)", "expected a positive number"],
    ["{ column: spent, width: -1 }", "_bucket(column: spent)", "expected a positive number"],
    ["{ column: raw }", "raw", 'values of type "json" cannot be compared for equality'],
    ['{ column: at, part: year, time_zone: "Mars" }', "_part(column: at, part: year)", "time zone"],
    ["{ column: day }", "_part(column: day, part: year)", "'day by year' is not one of the keys in 'by'"],
    ["{ column: day }", "town { name }", "'town.name' is not one of the keys in 'by'"],
  ])("Invalid keys are refused: by: %s with the key %s", async (by, key, message) => {
    const answer = (await keysOf(by, key)) as { errors: readonly { message: string; extensions: { code: string } }[] };
    expect(answer.errors?.[0]?.message).toContain(message);
    expect(answer.errors?.[0]?.extensions.code).not.toBe("unexpected");
  });

  it.each([
    [
      "percentile_cont(column: spent, fraction: 1.01)",
      "expected a number from 0 to 1 for type 'Float', but found 1.01",
    ],
    ["percentile_cont(column: spent, fraction: -1)", "expected a number from 0 to 1"],
    ["percentile_cont(column: day, fraction: 0)", 'only numbers have percentiles, but "day" has the type "date"'],
    ['string_agg(column: day, separator: "")', "field 'string_agg' not found"],
  ])("Invalid arguments of aggregates are refused: %s", async (field, message) => {
    const answer = await ask(`{ visit_group(by: { column: id }) { aggregate { ${field} } } }`);
    expect(answer).toMatchObject({ errors: [{ message: expect.stringContaining(message) }] });
  });

  it.each([
    [
      "having: { percentile_cont: { column: day, fraction: 0, predicate: { _gt: 0 } } }",
      'only numbers have percentiles, but "day" has the type "date"',
    ],
    ["having: { percentile_cont: { column: spent, fraction: 2, predicate: { _gt: 0 } } }", "expected a number from 0"],
    ["having: { percentile_cont: { column: spent, fraction: 1 } }", "predicate"],
    ["having: { count: { arguments: raw, distinct: true, predicate: { _gt: 0 } } }", "cannot be compared for equality"],
    ["order_by: { aggregate: { percentile_cont: { column: spent, fraction: 1 } } }", "order"],
    ["order_by: { aggregate: { bool_or: { column: day, order: asc } } }", "only booleans have 'bool_or'"],
    ["order_by: { aggregate: { count_of: { columns: raw, distinct: true, order: asc } } }", "cannot be compared"],
  ])("Invalid conditions and orderings of groups are refused: %s", async (args, message) => {
    const answer = (await ask(`{ visit_group(by: { column: id }, ${args}) { key { id } } }`)) as {
      errors: readonly { message: string; extensions: { code: string } }[];
    };
    expect(answer.errors?.[0]?.message).toContain(message);
    expect(answer.errors?.[0]?.extensions.code).toBe("validation-failed");
  });

  it("Groups of related rows are filtered and sorted by percentiles and joined texts", async () => {
    const text = `query ($fraction: Float!, $least: Float!, $separator: String!) { town(order_by: { id: asc }) {
      visits_group(
        by: { column: id }
        having: { percentile_cont: { column: spent, fraction: $fraction, filter: { done: { _eq: false } }, predicate: { _gt: $least } } }
      ) { key { id } } } town_group(
        by: { column: id }
        having: { string_agg: { column: name, separator: $separator, predicate: { _in: ["Lyon", "Nice"] } } }
        order_by: { aggregate: { string_agg: { column: name, separator: $separator, order: desc } } }
      ) { key { id } } }`;
    expect(await ask(text, { fraction: 0.5, least: 3.5, separator: "," })).toEqual({
      data: {
        town: [{ visits_group: [{ key: { id: 1 } }] }, { visits_group: [] }],
        town_group: [{ key: { id: 2 } }, { key: { id: 1 } }],
      },
    });
  });

  it("Texts are joined in the order of the request, which may follow relationships", async () => {
    const text = `{ town_aggregate(order_by: { id: desc }) { aggregate {
      string_agg(column: name, separator: " | ", order_by: { visits_aggregate: { sum: { spent: asc } } })
      last: string_agg(column: name, separator: " | ", order_by: [{ id: desc }]) } } }`;
    expect(await ask(text)).toEqual({
      data: { town_aggregate: { aggregate: { string_agg: "Nice | Lyon", last: "Nice | Lyon" } } },
    });
    const wrong = '{ town_aggregate { aggregate { string_agg(column: id, separator: "") } } }';
    expect(await ask(wrong)).toMatchObject({ errors: [{ message: expect.stringContaining("only texts have") }] });
  });

  it("The error for a key that is not in `by` has its path and names the keys", async () => {
    const { json } = await server.post("/v1/graphql", {
      query: "{ visit_group(by: [{ column: town_id }]) { key { day } } }",
    });
    expect(json.errors[0]).toMatchObject({
      message: "'day' is not one of the keys in 'by': 'town_id'",
      extensions: {
        code: "validation-failed",
        path: "$.selectionSet.visit_group.selectionSet.key.selectionSet.day",
      },
    });
  });

  it("A saved operation has plans for its variables, and a REST endpoint runs it", async () => {
    const variables = { least: 1, zone: "Europe/Paris", width: 20, fraction: 0.5, least_spent: 10 };
    const found = [
      { key: { year: 2025, from: -20 }, aggregate: { count: 0, percentile_cont: null } },
      { key: { year: 2025, from: 0 }, aggregate: { count: 2, percentile_cont: 15.75 } },
    ];
    expect(await ask(saved, variables)).toEqual({ data: { visit_group: found } });
    const parameters = "least=2&zone=Europe/Paris&width=20&fraction=0.5&least_spent=10";
    const response = await fetch(`${server.url}/api/rest/towns?${parameters}`);
    expect(await response.json()).toEqual({ data: { visit_group: [found[1]] } });
  });

  it.skipIf(isSealed)("A live query follows the groups", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.take(2);
    const text =
      "subscription ($w: Float!, $f: Float!) { visit_group(by: {column: spent, width: $w}, having: {percentile_cont: {column: spent, fraction: $f, predicate: {_lt: 1000}}}) { key { _bucket(column: spent) } aggregate { count } } }";
    client.send({ type: "start", id: "a", payload: { query: text, variables: { w: 100, f: 0.5 } } });
    const next = async (): Promise<unknown> => {
      for (;;) {
        const message = (await client.next()) as { type: string };
        if (message.type === "data") return message;
      }
    };
    const group = (from: number, count: number) => ({ key: { _bucket: from }, aggregate: { count } });
    expect(await next()).toMatchObject({ payload: { data: { visit_group: [group(-100, 1), group(0, 3)] } } });
    await query(server.databaseUrl, "insert into visit (id, at, spent) values (9, now(), 150)");
    expect(await next()).toMatchObject({
      payload: { data: { visit_group: [group(-100, 1), group(0, 3), group(100, 1)] } },
    });
    await query(server.databaseUrl, "delete from visit where id = 9");
    client.ws.terminate();
  });
});
