/**
 * The requests of `relations.ts` in a handwritten server: Node's HTTP, the driver and prepared statements, chosen by the
 * name of the operation; several form a transaction. The first statement returns the JSON of the response. Arguments:
 * port, URL of the database.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import pg from "pg";

const [port = "0", databaseUrl = ""] = process.argv.slice(2);
// A closed connection would take its processor time out of the measurement.
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, idleTimeoutMillis: 0 });

type Variables = Readonly<Record<string, unknown>>;

interface Statement {
  readonly text: string;
  readonly values: (variables: Variables) => readonly unknown[];
}

interface Request extends Statement {
  readonly field: string;
  /** Set if the statement is repeated until it returns `complete`: it does not see rows inserted after it began. */
  readonly retries?: true;
  /** Further statements of the transaction. */
  readonly following?: readonly Statement[];
}

const requests: Readonly<Record<string, Request>> = {
  Groups: {
    field: "book_group",
    text: `select coalesce(json_agg(json_build_object(
        'key', json_build_object('published', year),
        'aggregate', json_build_object('count', n, 'sum', json_build_object('price', total)),
        'cheap', json_build_object('count', cheap)) order by year), '[]')::text as json
      from (select date_trunc('year', published::timestamp)::date as year, count(*) as n, sum(price) as total,
          count(*) filter (where price < $2) as cheap
        from book where price >= $1 group by 1) g`,
    values: ({ least, cheap }) => [least, cheap],
  },
  Top: {
    field: "book",
    text: `select coalesce(json_agg(json_build_object('id', id, 'title', title)), '[]')::text as json
      from (select id, title from (
          select id, title, author_id, price, row_number() over (partition by author_id order by price desc, id) as place
          from book) b
        where place <= $1 order by author_id, price desc, id) t`,
    values: ({ limit }) => [limit],
  },
  Existing: {
    field: "insert_label",
    text: `with given as (select name, ordinality from rows from (json_to_recordset($1::json) as (name text)) with ordinality as g (name, ordinality)),
        inserted as (insert into label (name) select name from given order by ordinality
          on conflict (name) do nothing returning id, name)
      select json_build_object('returning', json_agg(json_build_object('id', id, 'name', name)))::text as json,
        count(*)::int = (select count(distinct name) from given) as complete
      from (select id, name from inserted
        union all (select label.id, name from label join given using (name) order by ordinality)) r`,
    values: ({ objects }) => [JSON.stringify(objects)],
    retries: true,
  },
  Related: {
    field: "update_author_by_pk",
    text: `update author set name = $2 where id = $1 returning json_build_object('id', id, 'name', name)::text as json`,
    values: ({ id, name }) => [id, name],
    // Each update finds the rows as the one before it left them, which one statement cannot do.
    following: [
      {
        text: "update book set title = $3 where author_id = $1 and id = $2",
        values: ({ id, first, title }) => [id, first, title],
      },
      {
        text: "update book set price = price + 1 where author_id = $1 and id = $2",
        values: ({ id, second }) => [id, second],
      },
    ],
  },
  Changes: {
    field: "update_book",
    text: `with before as (select id, stock from book where author_id = $1 for update),
        changed as (update book set stock = book.stock + 1 from before where book.id = before.id
          returning before.stock as before, book.id, book.stock)
      select json_build_object('changes', coalesce(json_agg(json_build_object(
        'old', json_build_object('stock', before), 'new', json_build_object('id', id, 'stock', stock))), '[]'))::text as json
      from changed`,
    values: ({ author }) => [author],
  },
};

createServer(async (request, reply) => {
  if (request.method !== "POST") return void reply.end();
  const { query, variables } = JSON.parse(await text(request)) as {
    readonly query: string;
    readonly variables: Variables;
  };
  const name = /^\w+ (\w+)/.exec(query)?.[1] ?? "";
  const known = requests[name];
  if (known === undefined) return void reply.writeHead(400).end();
  const json = known.following ? await runTransaction(name, known, variables) : await run(pool, name, known, variables);
  const body = `{"data":{"${known.field}":${json}}}`;
  reply.writeHead(200, { "content-type": "application/json" }).end(body);
}).listen(Number(port), "127.0.0.1");

async function run(
  on: pg.Pool | pg.PoolClient,
  name: string,
  { text, values, retries }: Statement & Pick<Request, "retries">,
  variables: Variables,
): Promise<string> {
  for (;;) {
    const { rows } = await on.query({ name, text, values: [...values(variables)] });
    if (!retries || rows[0]?.complete) return rows[0]?.json;
  }
}

async function runTransaction(name: string, request: Request, variables: Variables): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const json = await run(client, name, request, variables);
    for (const [i, each] of (request.following ?? []).entries()) await run(client, `${name} ${i}`, each, variables);
    await client.query("commit");
    return json;
  } finally {
    client.release();
  }
}
