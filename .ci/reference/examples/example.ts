/** Examples of operations. `test/integration/reference-examples.test.ts` sends those of each group in order. */
import type { Endpoint, Version } from "../../../compiler/metadata/endpoint.ts";

export interface Example {
  readonly endpoint: Endpoint;
  readonly body: { readonly type: string; readonly args: unknown; readonly version?: Version };
  /** Part of the response; absent for plain success, `{}` for a response that pages do not show. */
  readonly response?: unknown;
  /** True if the example needs SQL Server: tests parse it only. */
  readonly isMssql?: true;
  /** True if it also fails: the response is an error. */
  readonly fails?: true;
}

export interface ExampleGroup {
  /** The page is `docs/reference/operations-<page>.md`. */
  readonly page: string;
  readonly title: string;
  /** One sentence about the group. */
  readonly about: string;
  /** Requests that create the objects of the examples. */
  readonly before: readonly Example[];
  /** Examples by operation without prefix, in the order of the page. */
  readonly examples: Readonly<Record<string, Example>>;
}

/** Id of an event in examples; tests replace it with the id of the last event that a response contains. */
export const eventId = "5d3f6f0e-8a54-4c0b-9a37-0f2d9d2b6a11";

const withResponse = (response: unknown) => (response === undefined ? {} : { response });

/** An operation of `/v1/metadata`. */
export const metadata = (type: string, args: unknown, response?: unknown): Example => ({
  endpoint: "/v1/metadata",
  body: { type, args },
  ...withResponse(response),
});

/** An operation of `/v1/metadata` that fails, always or in the state of the examples. */
export const failing = (type: string, args: unknown, response: unknown): Example => ({
  ...metadata(type, args, response),
  fails: true,
});

/** An operation of SQL Server. */
export const mssql = (type: string, args: unknown): Example => ({ ...metadata(type, args), isMssql: true });

/** An operation of `/v2/query`. */
export const query = (type: string, args: unknown, response?: unknown): Example => ({
  endpoint: "/v2/query",
  body: { type, args },
  ...withResponse(response),
});

/** An operation of the deprecated endpoint `/v1/query`. */
export const deprecated = (type: string, version: Version, args: unknown, response?: unknown): Example => ({
  endpoint: "/v1/query",
  body: { type, version, args },
  ...withResponse(response),
});

export const runSql = (...statements: readonly string[]): Example =>
  query("run_sql", { source: "default", sql: statements.join(" ") });

/** Tables of authors and articles, and their rows. */
export const tables = runSql(
  "CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL UNIQUE);",
  "CREATE TABLE article (id serial PRIMARY KEY, title text NOT NULL,",
  "author_id integer NOT NULL REFERENCES author, published boolean NOT NULL DEFAULT false);",
  "INSERT INTO author (name) VALUES ('Ada'), ('Grace');",
  "INSERT INTO article (title, author_id, published) VALUES ('Engines', 1, true), ('Compilers', 2, false);",
);

export const tracked = metadata("pg_track_tables", { tables: [{ table: "author" }, { table: "article" }] });
