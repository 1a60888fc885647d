/**
 * The writes of `writes.ts` in a handwritten server: Node's HTTP, the driver and one prepared statement per request,
 * chosen by its path. Arguments: port, URL of the database.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import pg from "pg";

const [port = "0", databaseUrl = ""] = process.argv.slice(2);
// A closed connection would take its processor time out of the measurement.
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, idleTimeoutMillis: 0 });

interface Author {
  readonly name: string;
  readonly books: { readonly data: readonly { readonly title: string }[] };
}

const insertNested = `
  with given as (select nextval('author_id_seq') as id, each.value, each.ordinality
      from json_array_elements($1::json) with ordinality as each),
    authors as (insert into author (id, name) select id, value->>'name' from given order by ordinality returning id),
    books as (insert into book (author_id, title)
      select given.id, book->>'title' from given, json_array_elements(value->'books'->'data') as book returning id)
  select (select count(*) from authors) + (select count(*) from books) as affected_rows`;
const insertMany = `
  with rows as (insert into entry (name, amount)
      select name, amount from json_to_recordset($1::json) as (name text, amount integer) returning id)
  select count(*) as affected_rows from rows`;

createServer(async (request, reply) => {
  if (request.method !== "POST") return void reply.end();
  const { query, variables } = JSON.parse(await text(request)) as {
    readonly query: string;
    readonly variables: { readonly objects: readonly (Author | { readonly name: string; readonly amount: number })[] };
  };
  const isNested = query.includes("insert_author");
  const { rows } = await pool.query({
    name: isNested ? "nested" : "many",
    text: isNested ? insertNested : insertMany,
    values: [JSON.stringify(variables.objects)],
  });
  const field = isNested ? "insert_author" : "insert_entry";
  const data = { [field]: { affected_rows: Number(rows[0]?.affected_rows) } };
  reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
}).listen(Number(port), "127.0.0.1");
