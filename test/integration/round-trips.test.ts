/**
 * The number of round trips to the database in a request: it determines the latency of small requests on any machine.
 */
import { Connection } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

const schema = `
  create table author (id integer primary key, name text);
  create table book (id integer primary key, author_id integer references author, title text);
  insert into author values (1, 'Mary');
  insert into book values (1, 1, 'Frankenstein');`;

const relationship = {
  table: { schema: "public", name: "author" },
  name: "books",
  using: { foreign_key_constraint_on: { table: { schema: "public", name: "book" }, column: "author_id" } },
};

let server: TestServer;
/** The database that each connection was opened for. */
const databases = new WeakMap<object, string>();
/** Adds a method that the package's types omit. */
type Opening = Connection & { startup(config: { readonly database: string }): void };
const connections = Connection.prototype as Opening;
const { startup } = connections;

beforeAll(async () => {
  connections.startup = function (config) {
    databases.set(this, config.database);
    startup.call(this, config);
  };
  // Polling is disabled, because its statements would be counted.
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "0" } });
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  for (const name of ["author", "book"]) await server.metadata("pg_track_table", { table: { schema: "public", name } });
  await server.metadata("pg_create_array_relationship", relationship);
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => {
  connections.startup = startup;
  return server.close();
});

/**
 * Returns the statements of the second of two equal requests, when the connection has the session defaults and the
 * prepared statements: each Sync and each simple query is one round trip. Statements on the metadata database are
 * omitted, because the server writes to it on its own schedule.
 */
async function sent(query: string, headers: Readonly<Record<string, string>> = {}) {
  await server.graphql(query, headers);
  const [sync, simple, parse, execute] = (["sync", "query", "parse", "execute"] as const).map((message) =>
    vi.spyOn(Connection.prototype, message),
  );
  const answer = await server.graphql(query, headers);
  expect(answer).toEqual({ data: expect.anything() });
  const source = new URL(server.databaseUrl).pathname.slice(1);
  const count = (spy: typeof sync): number =>
    spy?.mock.contexts.filter((connection) => databases.get(Object(connection)) === source).length ?? 0;
  return { waits: count(sync) + count(simple), parsed: count(parse), statements: count(execute) };
}

describe("Round trips to the database", () => {
  it("A query of any depth waits for one round trip", async () => {
    const query = "{ author(order_by: {id: asc}) { id books { title } books_aggregate { aggregate { count } } } }";
    expect(await sent(query)).toEqual({ waits: 1, parsed: 0, statements: 1 });
  });

  it("All fields of a query share one round trip", async () => {
    expect(await sent("{ author { id } book { id } book_by_pk(id: 1) { title } }")).toEqual({
      waits: 1,
      parsed: 0,
      statements: 1,
    });
  });

  it("A mutation of one statement waits for one round trip without BEGIN and COMMIT", async () => {
    const mutation = `mutation { update_book_by_pk(pk_columns: {id: 1}, _set: {title: "Mathilda"}) { id title } }`;
    expect(await sent(mutation)).toEqual({ waits: 1, parsed: 0, statements: 1 });
  });

  it("A mutation with a trace waits for one round trip with a second statement", async () => {
    const mutation = `mutation { update_book_by_pk(pk_columns: {id: 1}, _set: {title: "Mathilda"}) { id title } }`;
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    expect(await sent(mutation, { traceparent })).toEqual({ waits: 1, parsed: 0, statements: 2 });
  });

  it("A transaction waits for one round trip per statement and commits with the last", async () => {
    const update = (alias: string) =>
      `${alias}: update_author_by_pk(pk_columns: {id: 1}, _set: {name: "${alias}"}) { id }`;
    const { waits, parsed } = await sent(`mutation { ${update("a")} ${update("b")} ${update("c")} }`);
    expect({ waits, parsed }).toEqual({ waits: 3, parsed: 0 });
  });

  it("A query without database fields waits for no round trip", async () => {
    expect(await sent("{ __typename __schema { queryType { name } } }")).toEqual({
      waits: 0,
      parsed: 0,
      statements: 0,
    });
  });
});
