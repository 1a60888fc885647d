/**
 * `npm run bench -- --only writes` measures requests that insert 100 rows with nested rows, and a request with 10,000
 * rows, compared with a server of 40 lines that does the same with one statement (`by-hand.ts`).
 */
import { compareByHand } from "./by-hand.ts";

const insertAuthors =
  "mutation Nested($objects: [author_insert_input!]!) { insert_author(objects: $objects) { affected_rows } }";
const authors = (booksOf: (author: number) => number) =>
  Array.from({ length: 100 }, (_, i) => ({
    name: `author ${i}`,
    books: { data: Array.from({ length: booksOf(i) }, (_, n) => ({ title: `book ${n} of ${i}` })) },
  }));

const cases = [
  { name: "100 rows with 2 nested rows each", query: insertAuthors, objects: authors(() => 2) },
  { name: "100 rows with 0 to 4 nested rows each", query: insertAuthors, objects: authors((i) => (i * 7) % 5) },
  {
    name: "10,000 rows",
    query: "mutation Many($objects: [entry_insert_input!]!) { insert_entry(objects: $objects) { affected_rows } }",
    objects: Array.from({ length: 10_000 }, (_, i) => ({ name: `entry ${i}`, amount: i })),
  },
];

const tables = `
  create table author (id serial primary key, name text not null);
  create table book (id serial primary key, author_id integer not null references author, title text not null);
  create table entry (id serial primary key, name text not null, amount integer not null)`;

const using = { foreign_key_constraint_on: { table: "book", column: "author_id" } };
const metadata = [
  ...["author", "book", "entry"].map((table) => ({ type: "pg_track_table", args: { table } })),
  { type: "pg_create_array_relationship", args: { table: "author", name: "books", using } },
];

/** Runs the benchmark. @param server URL of a PostgreSQL server on this machine */
export const writeCost = (server: string): Promise<void> =>
  compareByHand(server, {
    database: "bench_writes",
    tables,
    metadata,
    program: "writes/server.ts",
    cases: cases.map(({ name, query, objects }) => ({ name, body: { query, variables: { objects } } })),
    // Otherwise the faster server would have larger tables.
    reset: "truncate author, book, entry",
  });
