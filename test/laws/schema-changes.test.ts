/**
 * The law of schema changes: after any SQL through `run_sql`, and after `reload_metadata` if the SQL bypassed the
 * engine, the database, the metadata, the list of inconsistencies and the served schemas agree: introspecting
 * everything again changes none of them, the database can run every query of the served schema, and an unrelated change
 * of the metadata works. Refused SQL changes nothing. The seed is printed; `LAWS_SEED` sets it, `LAWS_WORLDS` the
 * number of databases, `LAWS_CHANGES` the number of changes in each of them.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_WORLDS", 3);
const changesPerWorld = number("LAWS_CHANGES", 8);

const schema = `
  drop schema if exists public cascade; create schema public;
  create table author (id integer primary key, name text, age integer);
  create table article (id integer primary key, title text, author_id integer constraint article_author references author);
  create table mood (value text primary key, comment text);
  insert into mood values ('calm', 'quiet');
  create table note (id integer primary key, text text, mood text constraint note_mood references mood);
  create function full_name(author) returns text language sql stable as 'select ''called''';
  create function search(word text) returns setof article language sql stable as 'select * from article';
`;

const to = (columns: readonly string[] | "*", filter: object) => [{ role: "user", permission: { columns, filter } }];
const trigger = (name: string, columns: readonly string[]) => [
  {
    name,
    definition: { update: { columns } },
    webhook: "http://127.0.0.1:1",
    retry_conf: { num_retries: 0, interval_sec: 10 },
  },
];
const saved = (name: string, text: string) => ({ name, query: text });
const endpoint = (name: string) => ({
  name,
  url: name,
  methods: ["GET"],
  definition: { query: { collection_name: "saved", query_name: name } },
});

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        {
          table: "author",
          array_relationships: [
            { name: "articles", using: { foreign_key_constraint_on: { table: "article", column: "author_id" } } },
          ],
          computed_fields: [{ name: "called", definition: { function: "full_name" } }],
          select_permissions: to(["id", "name"], { age: { _gt: 10 } }),
          event_triggers: trigger("renamed", ["name"]),
        },
        {
          table: "article",
          object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
          select_permissions: to("*", { author: { name: "X-Engine-User-Id" } }),
        },
        { table: "mood", is_enum: true },
        { table: "note", select_permissions: to(["id"], {}) },
      ],
      functions: [{ function: "search" }],
      logical_models: [{ name: "title", fields: [{ name: "title", type: "text" }] }],
      native_queries: [
        { root_field_name: "titles", code: "select title from article", arguments: {}, returns: "title" },
      ],
    },
  ],
  query_collections: [
    {
      name: "saved",
      definition: {
        queries: [
          saved("names", "query names { author { id name } }"),
          saved("notes", "query notes { note { text mood } }"),
          saved("works", "query works { article { title author { age } } }"),
        ],
      },
    },
  ],
  rest_endpoints: ["names", "notes", "works"].map(endpoint),
};

const columns = ["id", "name", "age", "title", "author_id", "text", "mood", "value", "label", "called", "author"];
const tables = ["author", "article", "note", "mood", "writer"];
const column = fc.constantFrom(...columns);
const table = fc.constantFrom(...tables);
const types = fc.constantFrom("text", "integer", "jsonb", "boolean");

const statement = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(table, column, column).map(([t, a, b]) => `alter table ${t} rename ${a} to ${b}`) },
  { weight: 2, arbitrary: fc.tuple(table, table).map(([a, b]) => `alter table ${a} rename to ${b}`) },
  { weight: 3, arbitrary: fc.tuple(table, column).map(([t, c]) => `alter table ${t} drop column ${c}`) },
  { weight: 2, arbitrary: fc.tuple(table, column).map(([t, c]) => `alter table ${t} drop column ${c} cascade`) },
  { weight: 1, arbitrary: table.map((t) => `drop table ${t} cascade`) },
  { weight: 1, arbitrary: table.map((t) => `create table ${t} (id integer primary key, name text)`) },
  {
    weight: 2,
    arbitrary: fc.tuple(table, column, types).map(([t, c, type]) => `alter table ${t} add column ${c} ${type}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(table, column, types)
      .map(([t, c, type]) => `alter table ${t} alter column ${c} type ${type} using null`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "drop function if exists full_name, search cascade",
      "alter function search volatile",
      "alter table article drop constraint article_author",
      "delete from mood /* alter */",
    ),
  },
);

/** Frequent changes, since most random changes name columns that do not exist. */
const likely = fc.constantFrom(
  "alter table author rename name to label",
  "alter table author rename label to name",
  "alter table note drop column text",
  "alter table article rename title to label",
  "alter table article add column author text",
  "alter table note rename to writer",
  "drop table note",
  "alter table author drop column age",
  "alter table author drop column name cascade",
);

const change = fc.record({
  sql: fc.array(fc.oneof(statement, likely), { minLength: 1, maxLength: 2 }).map((statements) => statements.join("; ")),
  way: fc.constantFrom("run_sql", "run_sql", "run_sql", "cascade", "no_transaction", "committed", "bulk", "behind"),
});
type SchemaChange = typeof change extends fc.Arbitrary<infer T> ? T : never;

let server: TestServer;
const counts = { done: 0, refused: 0, undone: 0 };

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.close());

describe("Schema changes", () => {
  it(`Schema changes keep database, metadata, inconsistencies and schemas in agreement (LAWS_SEED=${seed})`, {
    timeout: Math.max(60_000, worlds * 20_000),
  }, async () => {
    for (let world = 0; world < worlds; world++) await checkWorld(seed + world);
    // The law is vacuous if no change is applied or none is refused.
    expect(counts.done).toBeGreaterThan(0);
    expect(counts.undone).toBeGreaterThanOrEqual(worlds);
  });
});

async function checkWorld(worldSeed: number): Promise<void> {
  await server.metadata("replace_metadata", { version: 3, sources: [] });
  await query(server.databaseUrl, schema);
  await server.metadata("replace_metadata", metadata);
  const done: SchemaChange[] = [];
  const changes = fc.sample(change, { seed: worldSeed, numRuns: changesPerWorld });
  // A saved query names the column.
  const refused: SchemaChange = { sql: "alter table author rename name to label", way: "run_sql" };
  for (const each of [refused, ...changes]) {
    done.push(each);
    await checkChange(each, `LAWS_SEED=${worldSeed} LAWS_WORLDS=1, after ${JSON.stringify(done, null, 1)}`);
  }
}

async function checkChange(each: SchemaChange, description: string): Promise<void> {
  const before = await observed();
  const catalog = await catalogOf();
  const { status, text } = await run(each);
  if (status === 200) counts.done++;
  else counts.refused++;
  const after = await observed();
  if (status !== 200 && (each.way === "run_sql" || each.way === "cascade")) {
    counts.undone += text.includes("postgres-error") ? 0 : 1;
    expect(await catalogOf(), `${text}\n${description}`).toEqual(catalog);
    expect(after, `${text}\n${description}`).toEqual(before);
  }
  expect(await queried(after), `${text}\n${description}`).toEqual([]);
  await server.metadata("reload_metadata", { reload_sources: true });
  expect(after, `${text}\n${description}`).toEqual(await observed());
  const unrelated = { name: "unrelated", definition: { queries: [] } };
  const created = await server.post("/v1/metadata", { type: "create_query_collection", args: unrelated });
  expect(created.status, `${created.text}\n${description}`).toBe(200);
  await server.metadata("drop_query_collection", { collection: "unrelated", cascade: true });
}

async function run({ sql, way }: SchemaChange): Promise<{ readonly status: number; readonly text: string }> {
  const runSql = (args: object) => ({ type: "run_sql", args: { check_metadata_consistency: true, ...args } });
  switch (way) {
    case "run_sql":
      return server.post("/v2/query", runSql({ sql }));
    case "cascade":
      return server.post("/v2/query", runSql({ sql, cascade: true }));
    case "no_transaction":
      return server.post("/v2/query", runSql({ sql, no_transaction: true }));
    case "committed":
      return server.post("/v2/query", runSql({ sql: `${sql}; commit; select 1` }));
    case "bulk":
      return server.post("/v2/query", { type: "bulk", args: [runSql({ sql }), runSql({ sql: "select nothing" })] });
    case "behind": {
      const failure = await query(server.databaseUrl, sql).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      await server.metadata("reload_metadata", { reload_sources: true });
      return failure === undefined ? { status: 200, text: "" } : { status: 400, text: failure };
    }
  }
}

const introspection = `{ __schema { queryType { fields { name } } types { name kind fields { name type { kind name
  ofType { kind name ofType { kind name ofType { kind name } } } } args { name type { kind name } } } } } }`;

/** Returns the state visible to clients and administrators, without the version of the metadata. */
async function observed() {
  const roles = ["admin", "user"];
  const headers = (role: string) => ({ "x-engine-role": role, "x-engine-user-id": "1" });
  return {
    inconsistencies: await server.metadata("get_inconsistent_metadata", {}),
    metadata: await server.metadata("export_metadata", {}),
    schemas: await Promise.all(roles.map((role) => server.graphql(introspection, headers(role)))),
  };
}

interface SeenType {
  readonly name: string;
  readonly kind: string;
  readonly fields:
    | readonly { readonly name: string; readonly type: TypeUse; readonly args: readonly object[] }[]
    | null;
}

interface TypeUse {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeUse | null;
}

function named(type: TypeUse): TypeUse {
  return type.ofType ? named(type.ofType) : type;
}

/** Queries each list of rows with all columns. @returns the queries that the database refuses */
async function queried({ schemas: [admin] }: Awaited<ReturnType<typeof observed>>): Promise<readonly unknown[]> {
  const { types: all } = (admin as { readonly data: { readonly __schema: { readonly types: readonly SeenType[] } } })
    .data.__schema;
  const byName = new Map(all.map((type) => [type.name, type]));
  const roots = byName.get("query_root")?.fields ?? [];
  const selections = roots.flatMap(({ name, type, args }) => {
    const fields = byName.get(named(type).name ?? "")?.fields ?? [];
    const leaves = fields
      .filter((field) => ["SCALAR", "ENUM"].includes(named(field.type).kind))
      .map((field) => field.name);
    const isPlain = args.every((arg) => (arg as { readonly type: TypeUse }).type.kind !== "NON_NULL");
    return isPlain && leaves.length > 0 && !name.endsWith("_aggregate") ? [`${name} { ${leaves.join(" ")} }`] : [];
  });
  const answers = await Promise.all(selections.map((selection) => server.graphql(`{ ${selection} }`)));
  return answers.flatMap((answer, i) =>
    (answer as { readonly errors?: readonly unknown[] }).errors ? [{ selection: selections[i], answer }] : [],
  );
}

/** Returns the tables and functions of the database, as text. */
function catalogOf() {
  return query(
    server.databaseUrl,
    `select c.relname::text as of, a.attname::text as name, a.atttypid::regtype::text as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
     union all select 'function', proname, provolatile::text from pg_proc where pronamespace = 'public'::regnamespace
     union all select 'constraint', conname, conrelid::regclass::text from pg_constraint
     where connamespace = 'public'::regnamespace
     order by 1, 2, 3`,
  );
}
