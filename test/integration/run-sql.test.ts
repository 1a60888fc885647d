/** `run_sql` on a real PostgreSQL: its response, the state of the database, and the effect on the metadata. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../compiler/catalog/model.ts";
import { parseMetadata } from "../../compiler/catalog/schema.ts";
import { decodeRequest } from "../../compiler/metadata/dispatch.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import type { ChangeEnvironment } from "../../runtime/control/apply-change.ts";
import { compileState, noIntrospections, refreshIntrospections } from "../../runtime/control/compile-state.ts";
import { EventRecorders } from "../../runtime/control/event-recorders.ts";
import type { IoCallOf } from "../../runtime/control/io-handlers.ts";
import { CodeCache } from "../../runtime/control/load/code-cache.ts";
import { RemoteSchemaRegistry } from "../../runtime/control/remote-schema-registry.ts";
import { runSql } from "../../runtime/control/run-sql.ts";
import { SourceRegistry } from "../../runtime/control/source-registry.ts";
import { type Draft, draftOf } from "../../runtime/control/state.ts";
import { versionConflict } from "../../runtime/control/store.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

const schema = `
  drop schema if exists public cascade;
  drop schema if exists shop cascade;
  create schema public;
  create schema shop;
  create table author (id integer primary key, name text, age integer);
  create table article (
    id integer primary key, title text, published boolean, author_id integer constraint article_author references author
  );
  create table shop.mood (value text primary key, comment text);
  insert into shop.mood values ('calm', 'quiet');
  create table seen (by_user json);
  create function note() returns trigger language plpgsql as
    'begin insert into seen values (nullif(current_setting(''engine.user'', true), '''')::json); return new; end';
  create trigger note after insert on author for each row execute function note();
  create function full_name(author) returns text language sql stable as 'select $1.name';
  create function search(query text) returns setof article language sql stable as 'select * from article';
  insert into author values (1, 'Ann', 40), (2, null, null);
`;

const select = (columns: readonly string[] | "*", filter: object) => [
  { role: "user", permission: { columns, filter } },
];

const tables = [
  {
    table: "author",
    array_relationships: [
      { name: "articles", using: { foreign_key_constraint_on: { table: "article", column: "author_id" } } },
    ],
    computed_fields: [{ name: "called", definition: { function: "full_name" } }],
    select_permissions: select(["id", "name"], { articles: { published: true } }),
  },
  {
    table: "article",
    object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
    select_permissions: select("*", { author: { id: "X-Engine-User-Id" } }),
  },
  { table: { schema: "shop", name: "mood" }, is_enum: true },
];

let database: TestDatabase;
let sources: SourceRegistry;
let draft: Draft;
let environment: ChangeEnvironment;

beforeAll(async () => {
  database = await createDatabase("run-sql");
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await query(database.url, schema);
  await load({ tables, functions: [{ function: "search" }] });
});

afterEach(async () => {
  await Promise.all(sources.retain([]));
});

/** Loads other metadata on the same database. */
async function load(metadata: object): Promise<void> {
  await Promise.all(sources?.retain([]) ?? []);
  const configuration = { connection_info: { database_url: { from_env: "URL" } } };
  const parsed = parseMetadata({ version: 3, sources: [{ name: "default", configuration, ...metadata }] });
  if (!parsed.ok) throw new Error(parsed.error.message);
  sources = new SourceRegistry({
    environment: { variables: { URL: database.url } },
    defaults: {},
    checkNativeQueries: true,
    memory: {
      prefetch: () => undefined,
      find: async () => undefined,
      store: () => undefined,
      delete: () => undefined,
    },
  });
  const options = {
    environment: { URL: database.url },
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default" as const,
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
  };
  const remoteSchemas = new RemoteSchemaRegistry({});
  const planning = { stringifyNumbers: false, nullCollapse: false };
  const compiler = { analysis: options, planning, code: new CodeCache() };
  const recorders = new EventRecorders({
    sources,
    installation: async () => "none",
    log: createLog(parseOptions({}, {}), { write: () => undefined }),
    enabled: false,
  });
  const recordedBy = () => ({ version: 1, sources: [], introspections: new Map() });
  const reserve = async () => undefined;
  environment = { sources, remoteSchemas, compiler, recorders, recordedBy, reserve, context: { resourceVersion: 1 } };
  const catalog = parsed.value;
  const found = await refreshIntrospections(catalog, noIntrospections, environment);
  const compiled = compileState(catalog, found, compiler, "$");
  draft = draftOf({ catalog, ...found, ...compiled, resourceVersion: 1 });
}

const session = {
  role: "admin",
  variables: new Map([
    ["x-engine-role", "admin"],
    ["x-engine-user-id", "7"],
  ]),
  backendOnly: false,
};

function run(sql: string, args: object = {}, type = "run_sql"): Promise<Json> {
  const decoded = decodeRequest("/v2/query", { type, args: { sql, ...args } });
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { call } = decoded.value;
  if (call.effect !== "io" || call.operation !== "run_sql")
    throw new Error("run_sql is carried out by the control plane");
  return runSql(call as IoCallOf<"run_sql">, draft, environment, session);
}

async function refusal(
  sql: string,
  args: object = {},
): Promise<Pick<EngineError, "code" | "message" | "path" | "status">> {
  const before = { ...draft };
  const error = await run(sql, args).then(
    () => new Error("not refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EngineError)) throw error;
  // A refused change leaves the draft unchanged.
  expect(draft).toEqual(before);
  const { code, message, path, status } = error;
  return { code, message, path, status };
}

const commandOk = { result_type: "CommandOk", result: null };

async function columnsOf(table: string): Promise<readonly unknown[]> {
  const text = "select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped";
  return (await query(database.url, text, [table])).map(({ attname }) => attname);
}

function trackedTable(name: string) {
  return draft.catalog.sources[0]?.tables.find(({ table }) => table.name === name);
}

function analyzedTable(key: string) {
  return draft.analysis.sources.get("default")?.tables.get(key);
}

function expectConsistent(): void {
  expect(draft.modified).toBe(true);
  expect(draft.analysis.catalog).toBe(draft.catalog);
  expect(draft.analysis.inconsistencies).toEqual([]);
}

describe("Results of run_sql", () => {
  it("run_sql returns the rows of the last statement as text with column names", async () => {
    expect(await run("select 1; select id, name from author order by id")).toEqual({
      result_type: "TuplesOk",
      result: [
        ["id", "name"],
        ["1", "Ann"],
        ["2", "NULL"],
      ],
    });
    expect(draft.modified).toBe(false);
  });

  it("run_sql returns no rows for a statement without a result", async () => {
    expect(await run("select 1; set time zone 'UTC'")).toEqual(commandOk);
  });

  it("run_sql with a metadata check returns rows", async () => {
    const response = await run("alter table author add column born integer; select count(*) from author");
    expect(response).toEqual({ result_type: "TuplesOk", result: [["count"], ["2"]] });
  });

  it("run_sql reports the database's error", async () => {
    await expect(run("select nothing")).rejects.toMatchObject({
      code: "postgres-error",
      message: "query execution failed",
      path: "$.args",
      status: 400,
      internal: {
        statement: "select nothing",
        prepared: false,
        arguments: [],
        error: { exec_status: "FatalError", status_code: "42703", message: 'column "nothing" does not exist' },
      },
    });
  });

  it("run_sql reports the position of an error in the SQL", async () => {
    await expect(run("select 1;\nselect nothing")).rejects.toMatchObject({
      internal: { statement: "select 1;\nselect nothing", error: { position: 18 } },
    });
  });

  it("run_sql with a metadata check reports the database's error and rolls back", async () => {
    expect(await refusal("alter table article add column x integer; drop table nothing")).toEqual({
      code: "postgres-error",
      message: "query execution failed",
      path: "$.args",
      status: 400,
    });
    expect(await columnsOf("article")).not.toContain("x");
  });

  it("run_sql refuses unknown sources and sources of another kind", async () => {
    expect(await refusal("select 1", { source: "nowhere" })).toMatchObject({
      code: "not-exists",
      message: 'source with name "nowhere" does not exist',
      path: "$.args",
    });
    await expect(run("select 1", {}, "mssql_run_sql")).rejects.toMatchObject({
      code: "not-exists",
      message: 'source with name "default" has backend type "postgres" which does not match the expected type mssql',
      path: "$.args",
    });
  });
});

describe("Conditions of the metadata check", () => {
  it("run_sql skips the metadata check if the text indicates no schema change", async () => {
    expect(await run("create table fresh (id integer)")).toEqual(commandOk);
    expect(draft.modified).toBe(false);
  });

  it("run_sql checks the metadata if the text contains a keyword of schema changes", async () => {
    await run("create table fresh (id integer) /* no ALTER */");
    expectConsistent();
  });

  it("run_sql follows check_metadata_consistency", async () => {
    await run("create table fresh (id integer)", { check_metadata_consistency: true });
    expectConsistent();
    draft.modified = false;
    await run("alter table article drop column title cascade", { check_metadata_consistency: false });
    expect(draft.modified).toBe(false);
  });

  it("run_sql never checks the metadata in read-only mode", async () => {
    const response = await run("select 1 as alter", { read_only: true, check_metadata_consistency: true });
    expect(response).toEqual({ result_type: "TuplesOk", result: [["alter"], ["1"]] });
    expect(draft.modified).toBe(false);
    await expect(run("drop table article", { read_only: true })).rejects.toMatchObject({
      code: "postgres-error",
      internal: { error: { status_code: "25006" } },
    });
    await expect(run("drop table article", { read_only: true, no_transaction: true })).rejects.toMatchObject({
      internal: { error: { status_code: "25006" } },
    });
  });
});

describe("Metadata that follows run_sql", () => {
  it("The metadata includes new columns", async () => {
    await run("alter table article add column rating integer");
    expectConsistent();
    expect(analyzedTable("public.article")?.columns.map(({ name }) => name)).toContain("rating");
    expect(
      analyzedTable("public.article")
        ?.select.get("user")
        ?.columns.map(({ name }) => name),
    ).toContain("rating");
  });

  it("The metadata follows renamed tables and columns in both directions", async () => {
    const { catalog } = draft;
    await run(
      "alter table article rename to text; alter table text set schema shop; alter table author rename id to author_id",
    );
    expectConsistent();
    expect(trackedTable("text")?.select_permissions[0]?.permission.filter).toEqual({
      author: { author_id: "X-Engine-User-Id" },
    });
    expect(analyzedTable("public.author")?.relationships.get("articles")?.target).toBe("shop.text");
    await run(
      "alter table author rename author_id to id; alter table shop.text set schema public; alter table text rename to article",
    );
    expectConsistent();
    expect(draft.catalog).toEqual(catalog);
  });

  it("The metadata follows renames regardless of session settings left by the SQL", async () => {
    await run(
      "set search_path = shop, pg_temp; alter table public.author rename name to title; set local work_mem = '64kB'",
    );
    expectConsistent();
    expect(trackedTable("author")?.select_permissions[0]?.permission.columns).toEqual(["id", "title"]);
  });

  it("The metadata drops functions that were dropped", async () => {
    await run("drop function search(text)");
    expectConsistent();
    expect(draft.catalog.sources[0]?.functions).toEqual([]);
  });

  it("The metadata keeps relationships whose foreign key is recreated", async () => {
    const { catalog } = draft;
    await run(`alter table article drop constraint article_author;
      alter table article add foreign key (author_id) references author on delete cascade`);
    expectConsistent();
    expect(draft.catalog).toBe(catalog);
  });

  it("The metadata includes new rows of enum tables", async () => {
    await run("insert into shop.mood values ('wild', 'loud'); comment on table shop.mood is 'how'");
    expectConsistent();
    expect(analyzedTable("shop.mood")?.shape.enumValues?.map(({ value }) => value)).toEqual(["calm", "wild"]);
  });

  it("The metadata includes enum rows under the table's new name", async () => {
    await run("alter table shop.mood rename to temper");
    expectConsistent();
    expect(analyzedTable("shop.temper")?.shape.enumValues?.map(({ value }) => value)).toEqual(["calm"]);
  });
});

describe("SQL rolled back by run_sql", () => {
  const dependencyError = { code: "dependency-error", path: "$.args", status: 400 };
  const cannotDrop = (...items: readonly string[]) =>
    `cannot drop due to the following dependent objects: ${items.map((item) => `${item} in source "default"`).join(", ")}`;

  it("Dropping a table with dependents is rolled back", async () => {
    expect(await refusal("drop table author cascade")).toEqual({
      ...dependencyError,
      message: cannotDrop("permission article.user.select", "relationship article.author"),
    });
    expect(await columnsOf("author")).toEqual(["id", "name", "age"]);
  });

  it("Dropping a column with dependents is rolled back", async () => {
    expect(await refusal("alter table author drop column name")).toEqual({
      ...dependencyError,
      message: cannotDrop("permission author.user.select"),
    });
    expect(await columnsOf("author")).toContain("name");
  });

  it("Dropping a foreign key with relationships is rolled back", async () => {
    expect(await refusal("alter table article drop constraint article_author")).toMatchObject({
      message: cannotDrop(
        "permission article.user.select",
        "permission author.user.select",
        "relationship article.author",
        "relationship author.articles",
      ),
    });
  });

  it("Dropping the function of a computed field is rolled back", async () => {
    expect(await refusal("drop function full_name(author)")).toEqual({
      ...dependencyError,
      message: cannotDrop("computed field author.called"),
    });
  });

  it("Changing a type with static values is rolled back", async () => {
    const sql = "alter table article alter published type text";
    expect(await refusal(sql, { cascade: true })).toEqual({
      ...dependencyError,
      message:
        'cannot change type of column "published" in table "article" because of the following dependencies: permission author.user.select in source "default"',
    });
  });

  it.each([
    [
      "create function search(query text, times integer) returns setof article language sql stable as 'select * from article'",
      "the following tracked function(s) cannot be overloaded: search",
    ],
    ["alter function search volatile", 'type of function "search" is altered to "VOLATILE" which is not supported now'],
    [
      "create function full_name(article) returns text language sql stable as 'select $1.title'",
      'The function "full_name" associated with computed field"called" of table "author" is being overloaded',
    ],
    [
      "create or replace function full_name(author) returns text language sql volatile as 'select $1.name'",
      'The type of function "full_name" associated with computed field "called" of table "author" is being altered to "VOLATILE"',
    ],
  ])("An unsupported change of a function is rolled back: %s", async (sql, message) => {
    expect(await refusal(sql, { cascade: true })).toEqual({
      code: "not-supported",
      path: "$.args",
      status: 400,
      message,
    });
    const found = await query(database.url, "select provolatile from pg_proc where proname in ('search', 'full_name')");
    expect(found).toEqual([{ provolatile: "s" }, { provolatile: "s" }]);
  });

  it("Renaming a column to a relationship's name is rolled back", async () => {
    expect(await refusal("alter table article rename title to author")).toMatchObject({ code: "already-exists" });
    expect(await columnsOf("article")).toContain("title");
  });

  it("Dropping with cascade is kept and drops the dependents", async () => {
    expect(await run("drop table author cascade", { cascade: true })).toEqual(commandOk);
    expectConsistent();
    expect(draft.catalog.sources[0]?.tables.map(({ table }) => table.name)).toEqual(["article", "mood"]);
    expect(trackedTable("article")).toMatchObject({ object_relationships: [], select_permissions: [] });
    await expect(columnsOf("author")).rejects.toThrow("does not exist");
  });
});

describe("Metadata that cannot follow run_sql", () => {
  it("Inconsistent metadata rolls the SQL back", async () => {
    await expect(run("alter table article add column author text")).rejects.toMatchObject({
      code: "unexpected",
      message: "cannot continue due to newly found inconsistent metadata",
      path: "$.args",
      status: 500,
      internal: expect.arrayContaining([expect.objectContaining({ type: "object_relation" })]),
    });
    expect(draft).toMatchObject({ modified: false, effects: [] });
    expect(await columnsOf("article")).not.toContain("author");
  });

  it("Without a transaction, inconsistent metadata is accepted with a warning", async () => {
    const response = await run("alter table article add column author text", { no_transaction: true });
    expect(response).toMatchObject({
      ...commandOk,
      warnings: [
        { code: "inconsistent-metadata", type: "object_relation" },
        { code: "inconsistent-metadata", type: "select_permission" },
      ],
    });
    expect(draft.analysis.inconsistencies).toHaveLength(2);
  });

  it("The metadata check includes native queries in the state that the SQL leaves", async () => {
    await load({
      tables: [{ table: "author" }],
      logical_models: [{ name: "named", fields: [{ name: "name", type: "text" }] }],
      native_queries: [{ root_field_name: "names", code: "select name from author", arguments: {}, returns: "named" }],
    });
    expect(draft.analysis.inconsistencies).toEqual([]);
    await run("set search_path = shop; alter table public.author add column born integer");
    expectConsistent();
    draft.modified = false;
    draft.effects.length = 0;
    expect(await refusal("alter table author rename name to title")).toMatchObject({
      message: "cannot continue due to newly found inconsistent metadata",
    });
    expect(await columnsOf("author")).toContain("name");
  });

  it("An earlier inconsistency does not refuse a rename", async () => {
    await load({
      tables: [{ table: "author", select_permissions: select(["nothing"], {}) }],
    });
    expect(draft.analysis.inconsistencies).toHaveLength(1);
    await run("alter table author rename to writer");
    expect(draft.modified).toBe(true);
    expect(draft.analysis.inconsistencies).toMatchObject([{ id: { table: { name: "writer" } } }]);
  });
});

describe("Concurrent metadata changes during run_sql", () => {
  it("SQL is rolled back if another instance changed the metadata", async () => {
    environment = { ...environment, reserve: () => Promise.reject(versionConflict(1)) };
    expect(await refusal("alter table author rename column name to label")).toMatchObject({
      code: "conflict",
      status: 409,
    });
    expect(await columnsOf("author")).toEqual(["id", "name", "age"]);
  });
});

describe("Foreign database changes before run_sql", () => {
  it("A foreign change does not refuse later SQL", async () => {
    await query(database.url, "alter table author drop column name");
    await run("alter table article add column rating integer");
    expect(draft.analysis.inconsistencies).toMatchObject([{ id: { role: "user" } }]);
    expect(analyzedTable("public.article")?.columns.map(({ name }) => name)).toContain("rating");
  });

  it("A recreated table stays tracked", async () => {
    await load({ tables: [{ table: "author" }, { table: { schema: "shop", name: "mood" } }] });
    await query(database.url, "drop table shop.mood; create table shop.mood (value text primary key)");
    await run("alter table author add column born integer");
    expectConsistent();
    expect(trackedTable("mood")).toBeDefined();
    expect(analyzedTable("shop.mood")?.columns).toHaveLength(1);
  });
});

describe("Connections lost at COMMIT", () => {
  /** Makes each writing transaction fail, after its COMMIT or instead of it. */
  function loseCommits(isCommitted: boolean): void {
    const source = draft.catalog.sources[0];
    if (!source) throw new Error("there is a source");
    const real = sources.database(source);
    const lost = () => new EngineError("postgres-error", "$", "connection lost", { status: 500 });
    const transaction: DatabaseSource["transaction"] = async (options, work) => {
      if (options.readOnly) return real.transaction(options, work);
      const result = await real.transaction(options, async (open) => {
        const pending = await work(open);
        if (!isCommitted) throw lost();
        return pending;
      });
      if (isCommitted) throw lost();
      return result;
    };
    const losing = new Proxy(real, {
      get(target, key) {
        if (key === "transaction") return transaction;
        const member: unknown = Reflect.get(target, key, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    vi.spyOn(sources, "database").mockReturnValue(losing);
  }

  it("A lost COMMIT is followed if the database shows the change", async () => {
    loseCommits(true);
    expect(await run("alter table author rename name to title")).toEqual(commandOk);
    expectConsistent();
    expect(trackedTable("author")?.select_permissions[0]?.permission.columns).toEqual(["id", "title"]);
  });

  it("A lost COMMIT is an error without changes if the database does not show it", async () => {
    loseCommits(false);
    expect(await refusal("alter table author rename name to title")).toMatchObject({ message: "connection lost" });
    expect(await columnsOf("author")).toContain("name");
  });
});

describe("Sessions of run_sql", () => {
  const noted = async () => (await query(database.url, "select by_user from seen")).map(({ by_user }) => by_user);

  it("Checked SQL shows its session variables to triggers", async () => {
    await run("insert into author values (3); comment on table author is 'who writes'");
    expect(await noted()).toContainEqual({ "x-engine-role": "admin", "x-engine-user-id": "7" });
  });
});

describe("run_sql without a transaction in requests", () => {
  it("SQL without a transaction runs, and the metadata follows", async () => {
    const sql = "alter table author rename name to title; create index concurrently on author (title); select 1 as one";
    expect(await run(sql, { no_transaction: true })).toEqual({ result_type: "TuplesOk", result: [["one"], ["1"]] });
    expectConsistent();
    expect(trackedTable("author")?.select_permissions[0]?.permission.columns).toEqual(["id", "title"]);
  });

  it("SQL without a transaction cannot be undone when it is refused", async () => {
    const error = await refusal("alter table author drop column name", { no_transaction: true });
    expect(error.code).toBe("dependency-error");
    expect(await columnsOf("author")).not.toContain("name");
  });

  it("SQL without a transaction runs without a check", async () => {
    expect(await run("create index concurrently on author (age)", { no_transaction: true })).toEqual(commandOk);
    expect(draft.modified).toBe(false);
  });

  it("SQL that commits its own transaction is accepted", async () => {
    expect(await run("alter table author add column born integer; commit; select 1 as one")).toMatchObject({
      result: [["one"], ["1"]],
    });
    expectConsistent();
  });
});
