/** A small table for requests that are cheap for the database. */
import pg from "pg";
import { createDatabase } from "./pairs.ts";

const rows = 1000;

/** Creates a database with the table `item (id, name)`. @returns its URL */
export async function createItems(url: string, name: string): Promise<string> {
  const databaseUrl = await createDatabase(url, name);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create table item (id int primary key, name text not null)");
  await client.query("insert into item select i, 'item ' || i from generate_series(1, $1) i", [rows]);
  await client.end();
  return databaseUrl;
}
