/**
 * The law of tools for assistants: for all tables, rows, permissions and queries, the result of a tool matches its output
 * schema, and the arguments of the query match its input schema. The seed is printed; `LAWS_SEED` and
 * `LAWS_TOOL_WORLDS` set the seed and the number of worlds, `LAWS_TOOL_QUERIES` the number of queries for each of them.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { JsonSchema } from "../../runtime/model/definitions/tools/agent-tool.ts";
import { TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql } from "../support/database.ts";
import { vectorTypes } from "../support/vector-type.ts";
import { chosen } from "./choices.ts";
import { type LawEngine, startLawEngine } from "./law-engine.ts";
import { type RequestText, writeQuery } from "./query-text.ts";
import { randomReader } from "./random-permissions.ts";
import { randomQuery } from "./random-query.ts";
import { randomWorld } from "./random-world.ts";
import { readerTables } from "./world-in-database.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_TOOL_WORLDS", 5);
const queriesPerWorld = number("LAWS_TOOL_QUERIES", 20);

/** Formats are guaranteed for results only; of an argument, they describe the usual form. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ajv = new Ajv2020({ strict: false, formats: { uuid, date: true, "date-time": true } });

function faultsOf(schema: JsonSchema, value: unknown): unknown {
  const validate = ajv.compile(schema);
  return validate(value) ? null : validate.errors;
}

/** Returns metadata with a saved operation and a tool for each query. */
function toolsMetadata(texts: readonly string[]) {
  const names = texts.map((_, i) => `q${i}`);
  return {
    query_collections: [{ name: "law", definition: { queries: texts.map((query, i) => ({ name: names[i], query })) } }],
    agent_tools: names.map((name) => ({
      name,
      definition: { query: { collection_name: "law", query_name: name } },
      roles: ["reader", "user"],
    })),
  };
}

/** Some operands are not valid in the database, such as a list that contains an empty list. */
function refusedByDatabase(error: Error): undefined {
  if (!error.message.startsWith("data-exception")) throw error;
}

async function checkWorld(engine: LawEngine, index: number): Promise<number> {
  const options = { seed: seed + index, numRuns: 1 };
  const [reader] = fc.sample(
    chosen((choices) => randomReader(choices, randomWorld(choices))),
    options,
  );
  if (!reader) throw new Error("no sample");
  const { viewpoint } = reader;
  const texts = fc.sample(
    chosen((choices): RequestText => writeQuery(choices, randomQuery(choices, viewpoint))),
    { ...options, numRuns: queriesPerWorld },
  );
  const { query_collections, agent_tools } = toolsMetadata(texts.map(({ query }) => query));
  const tools = agent_tools.map((tool) => ({ ...tool, roles: [viewpoint.role] }));
  const more = { inherited_roles: reader.inheritedRoles, query_collections, agent_tools: tools };
  await engine.show(viewpoint.world, readerTables(reader), more);
  const found = engine.tools(viewpoint.role);
  for (const [i, { query, variables }] of texts.entries()) {
    const about = `${query} ${JSON.stringify(variables)}`;
    const result = await engine.ask(viewpoint, query, variables).catch(refusedByDatabase);
    if (result === undefined) continue;
    const tool = found.get(`q${i}`);
    if (!tool) throw new Error(`the role can run the query, but has no tool: ${query}`);
    expect(tool.hints, about).toEqual({ readOnly: true, destructive: false, idempotent: true, openWorld: false });
    expect(faultsOf(tool.output, result), `${about} ${JSON.stringify(result)}`).toBe(null);
    expect(faultsOf(tool.input, variables), about).toBe(null);
    expect(faultsOf(tool.input, { ...variables, other: 1 }), about).not.toBe(null);
  }
  return texts.length;
}

it(`Arguments and results of queries match the schemas of their tools (LAWS_SEED=${seed})`, {
  timeout: 900_000,
}, async () => {
  const engine = await startLawEngine();
  onTestFinished(() => engine.close());
  let count = 0;
  for (let world = 0; world < worlds; world++) count += await checkWorld(engine, world);
  expect(count).toBe(worlds * queriesPerWorld);
});

/** Types with values whose JSON differs from that of usual values. */
const unusual = `
create type mood as enum ('good', 'bad');
create type address as (street text, town text);
create domain positive as integer check (value > 0);
create table sample (
  id bigint primary key, small smallint, amount numeric, real_number real, exact double precision, price money,
  flag boolean, code "char", padded char(3), bits bit(4), data json, document jsonb not null, token uuid,
  day date, at timestamp, since timestamptz, hour time, gap interval, address inet, raw bytea, number oid,
  mood mood, moods mood[], home address, positive positive, numbers integer[], tokens uuid[], documents jsonb[],
  span int4range, shape point, words tsvector, path xml
);
insert into sample (id, document) values (9223372036854775807, 'null');
insert into sample values (
  1, 32767, 'NaN', 'Infinity', '-Infinity', 12.5, true, 'a', 'b', '1010', '{"a": [1, null]}', '[1]',
  'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'infinity', '-infinity', 'infinity', '24:00', '1 year 2 days', '10.0.0.1',
  '\\x00ff', 4000000000, 'good', '{good,NULL}', row('a', null), 3, '{{1,2},{3,NULL}}',
  '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', array['1', '{"a": null}', null]::jsonb[], '[1,5)', '(1,2)', 'a b', '<a/>'
);
insert into sample (id, document, day, at, since, amount) values (
  2, '"text"', '0044-03-15 BC', '20200-01-01', '1800-01-01 00:00:00 Europe/Paris', 12345678901234567890.123
);`;

it("Results with unusual values match the output schema of their tool", async () => {
  const database = await createDatabase("tools");
  const engine = new TestEngine(database.url);
  onTestFinished(async () => {
    await engine.close();
    await database.drop();
  });
  await runSql(database.url, unusual);
  const columns = await runSql(
    database.url,
    "select attname from pg_attribute where attrelid = 'sample'::regclass and attnum > 0",
  );
  const fields = columns.map((row) => String(Object.values(row)[0])).join(" ");
  const text = `query { sample(order_by: [{id: asc}]) { ${fields} }
    sample_aggregate { aggregate { count sum { small id amount exact } avg { amount exact } max { at amount numbers } } } }`;
  const table = { schema: "public", name: "sample" };
  const permission = { columns: "*", filter: {}, allow_aggregations: true };
  const { inconsistencies } = await engine.track([{ table, select_permissions: [{ role: "user", permission }] }], {
    ...toolsMetadata([text]),
  });
  expect(inconsistencies).toEqual([]);
  const result = await engine.ask("user", text);
  const tool = engine.served().generation.agentTool({ role: "user", backendOnly: false }, "q0");
  expect(tool && faultsOf(tool.output, result), JSON.stringify(result)).toBe(null);
});

const relatedTables = `
${vectorTypes}
create table passage (id int primary key, embedding ext.vector);
insert into passage values (1, '[1,0]'), (2, '[0,1]'), (3, null);
create table shelf (id int primary key, name text not null unique, size numeric);
create table item (id bigint primary key, shelf_id int references shelf, at timestamptz, price numeric, details jsonb);
insert into shelf values (1, 'a', 'NaN'), (2, 'b', null);
insert into item values (1, 1, '2024-05-01', 9.5, '{"a": [1]}'), (2, 1, null, null, null), (3, null, '2024-06-01', 20, '1');`;

/** Operations with their variables, and results without the numbers and texts in them. */
const parts: readonly (readonly [query: string, variables: Readonly<Record<string, unknown>>])[] = [
  [
    `query ($width: Float!, $least: Int!) { item_group(
       by: [{ column: at, part: month }, { column: price, width: $width }, { column: details, path: "$.a" },
         { related: { shelf: { column: size } } }]
       having: { count: { predicate: { _gte: $least } } }
     ) { key { _part(column: at, part: month) _bucket(column: price) _at(column: details, path: "$.a") shelf { size } }
       aggregate { count avg { price } } nodes(limit: 1) { id } } }`,
    { width: 10, least: 1 },
  ],
  ["query ($n: Int!) { item(top_per: { columns: [shelf_id], limit: $n }) { id price } }", { n: 1 }],
  [
    `mutation ($related: shelf_related_input!) { update_shelf(where: { id: { _lte: 2 } }, _inc: { size: 1 },
       _related: $related) { affected_rows changes { inserted old { size items { id } } new { name size } } } }`,
    { related: { items: { update: [{ where: { price: { _is_null: true } }, _set: { details: [null] } }] } } },
  ],
  [
    `mutation ($shelf: Int!, $price: numeric) { update_shelf_by_pk(pk_columns: { id: $shelf },
       _related: { items: { delete: { where: { price: { _gt: $price } } }, insert: { data: [{ id: 7, price: $price }] } } }
     ) { items { price } } }`,
    { shelf: 1, price: 5 },
  ],
  ["mutation { delete_item(where: {}) { changes { inserted old { id price } new { at } } } }", {}],
  [
    `mutation ($name: String!) { insert_shelf(objects: [{ id: 9, name: $name }, { id: 10, name: "c" }]
       on_conflict: { constraint: shelf_name_key, return_existing: true }
     ) { changes { inserted old { id } new { size } } returning { id } } }`,
    { name: "a" },
  ],
  [
    "query ($to: vector!) { passage(order_by: [{ embedding_l2_distance: { to: $to } }]) { id embedding } }",
    { to: [0.5, 1] },
  ],
  [
    "mutation ($to: vector!) { insert_passage_one(object: { id: 4, embedding: $to }) { id embedding } }",
    { to: [1, 1] },
  ],
];

it("Results of groups, vectors, related writes and changes match the output schema of their tool", async () => {
  const database = await createDatabase("tools");
  const engine = new TestEngine(database.url);
  onTestFinished(async () => {
    await engine.close();
    await database.drop();
  });
  await runSql(database.url, relatedTables);
  const [role, filter] = ["user", {}];
  const permissions = {
    select_permissions: [{ role, permission: { columns: "*", filter, allow_aggregations: true } }],
    insert_permissions: [{ role, permission: { columns: "*", check: {} } }],
    update_permissions: [{ role, permission: { columns: "*", filter } }],
    delete_permissions: [{ role, permission: { filter } }],
  };
  const using = { foreign_key_constraint_on: "shelf_id" };
  const usingArray = { foreign_key_constraint_on: { table: "item", column: "shelf_id" } };
  const tables = [
    { table: "shelf", ...permissions, array_relationships: [{ name: "items", using: usingArray }] },
    { table: "item", ...permissions, object_relationships: [{ name: "shelf", using }] },
    { table: "passage", ...permissions },
  ];
  const { inconsistencies } = await engine.track(tables, toolsMetadata(parts.map(([text]) => text)));
  expect(inconsistencies).toEqual([]);
  for (const [i, [text, variables]] of parts.entries()) {
    const tool = engine.served().generation.agentTool({ role, backendOnly: false }, `q${i}`);
    if (!tool) throw new Error(`no tool for ${text}`);
    expect(faultsOf(tool.input, variables), text).toBe(null);
    const result = await engine.ask(role, text, {}, variables);
    expect(faultsOf(tool.output, result), JSON.stringify(result)).toBe(null);
    expect(faultsOf(tool.output, emptied(result)), text).not.toBe(null);
    expect(tool.hints, text).toMatchObject({ readOnly: text.startsWith("query") });
  }
});

/** Returns a value with its innermost objects without members, which results never have. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, emptied(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => typeof member === "object" && member !== null));
}
