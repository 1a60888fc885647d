/**
 * `npm run bench -- --only relations` measures groups, the first rows of groups, existing rows of inserts, updates with
 * `_related`, and changes, compared with a server that runs one handwritten statement for each (`by-hand.ts`).
 */
import { compareByHand } from "./by-hand.ts";

const cases = [
  {
    name: "groups with a filtered aggregate",
    query: `query Groups($least: numeric!, $cheap: numeric!) {
      book_group(by: { column: published, truncate: year }, where: { price: { _gte: $least } }) {
        key { published }
        aggregate { count sum { price } }
        cheap: aggregate(filter: { price: { _lt: $cheap } }) { count }
      }
    }`,
    variables: { least: 2, cheap: 10 },
  },
  {
    name: "the first 3 rows of 100 groups",
    query: `query Top($limit: Int!) {
      book(top_per: { columns: author_id, limit: $limit }, order_by: [{ author_id: asc }, { price: desc }, { id: asc }]) {
        id title
      }
    }`,
    variables: { limit: 3 },
  },
  {
    name: "10 existing rows of an insert",
    query: `mutation Existing($objects: [label_insert_input!]!) {
      insert_label(objects: $objects, on_conflict: { constraint: label_name_key, return_existing: true }) {
        returning { id name }
      }
    }`,
    variables: { objects: Array.from({ length: 10 }, (_, i) => ({ name: `label ${i + 1}` })) },
  },
  {
    name: "an update with two related rows",
    query: `mutation Related($id: Int!, $name: String!, $first: Int!, $second: Int!, $title: String!) {
      update_author_by_pk(
        pk_columns: { id: $id }
        _set: { name: $name }
        _related: { books: { update: [
          { where: { id: { _eq: $first } }, _set: { title: $title } }
          { where: { id: { _eq: $second } }, _inc: { price: 1 } }
        ] } }
      ) { id name }
    }`,
    variables: { id: 7, name: "Ada", first: 7, second: 107, title: "Engines" },
  },
  {
    name: "20 rows before and after an update",
    query: `mutation Changes($author: Int!) {
      update_book(where: { author_id: { _eq: $author } }, _inc: { stock: 1 }) {
        changes { old { stock } new { id stock } }
      }
    }`,
    variables: { author: 9 },
  },
];

const tables = `
  create table author (id integer primary key, name text not null);
  create table book (
    id integer primary key, author_id integer not null references author, title text not null,
    price numeric not null, published date not null, stock integer not null
  );
  create index on book (author_id);
  create table label (id serial primary key, name text not null unique);
  insert into author select n, 'author ' || n from generate_series(1, 100) n;
  insert into book select n, (n - 1) % 100 + 1, 'the title of ' || n, n * 7 % 23, date '2000-01-01' + n * 3, 0
    from generate_series(1, 2000) n;
  insert into label (name) select 'label ' || n from generate_series(1, 100) n;
  analyze`;

const using = { foreign_key_constraint_on: { table: "book", column: "author_id" } };
const metadata = [
  ...["author", "book", "label"].map((table) => ({ type: "pg_track_table", args: { table } })),
  { type: "pg_create_array_relationship", args: { table: "author", name: "books", using } },
];

/** Runs the benchmark. @param server URL of a PostgreSQL server on this machine */
export const relationCost = (server: string): Promise<void> =>
  compareByHand(server, {
    database: "bench_relations",
    tables,
    metadata,
    program: "relations/server.ts",
    cases: cases.map(({ name, query, variables }) => ({
      name,
      body: { query, variables },
      // Requests that update the same rows wait for each other, and may be in deadlock.
      connections: query.includes("update_") ? 1 : 4,
    })),
    // Otherwise the faster server would have larger tables.
    reset: "vacuum author, book",
  });
