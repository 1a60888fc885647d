/**
 * Databases for tests. Input: the servers from `global-setup.ts`. Output: a separate database for each test, and SQL on
 * any database by its URL.
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends all connections to the database and removes it. */
  drop(): Promise<void>;
}

/** One row of a result: values as the `pg` package reads them. */
export type Row = Record<string, unknown>;

/** Returns the superuser's URL of the server of the current worker. */
export function postgresUrl(): string {
  const urls = inject("postgresUrls");
  const url = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length];
  if (url === undefined) throw new Error("there is no PostgreSQL server for this test");
  return url;
}

/** Creates an empty database with a unique name. @param name a hint for developers who inspect the server */
export async function createDatabase(name = "test"): Promise<TestDatabase> {
  const server = postgresUrl();
  const unique = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 40)}_${randomBytes(6).toString("hex")}`;
  await query(server, `create database "${unique}"`);
  const url = new URL(server);
  url.pathname = `/${unique}`;
  return {
    name: unique,
    url: url.href,
    drop: async () => {
      await query(server, `drop database if exists "${unique}" with (force)`);
    },
  };
}

/**
 * Runs SQL on a separate connection: one statement with values, or several without.
 * @returns the rows of the last statement
 */
export async function query(url: string, sql: string, values?: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // `pg` returns a list of results for several statements, which its types do not declare.
    const result: pg.QueryResult<Row> | readonly pg.QueryResult<Row>[] = await client.query<Row>(
      sql,
      values === undefined ? undefined : [...values],
    );
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
  } finally {
    await client.end();
  }
}
