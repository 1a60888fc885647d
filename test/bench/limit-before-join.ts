/**
 * Measures the gain from limiting a list before object relationships are joined to it. Input: the URL of a database, in
 * which a schema `limit_before_join` is created and dropped. Output: medians in milliseconds and their ratio. `node
 * --import tsx test/bench/limit-before-join.ts URL`
 */
import pg from "pg";

const rounds = 60;

const setup = `
  drop schema if exists limit_before_join cascade;
  create schema limit_before_join;
  set search_path to limit_before_join;
  create table customer (id integer primary key, name text);
  create table invoice (id integer primary key, customer_id integer not null references customer, at timestamp not null);
  insert into customer select i, 'c' || i from generate_series(1, 2000) i;
  insert into invoice
    select i, 1 + i % 2000, timestamp '2020-01-01' + (i * 7919 % 100000) * interval '1 minute'
    from generate_series(1, 100000) i;
  analyze`;

const list = (from: string, end: string): string =>
  `select (select coalesce(json_agg(r.*), '[]') from (select t1.id as "id",
    case when t2.id is not null then json_build_object('name', t2.name) end as "customer"
    from ${from} left join customer t2 on t2.id = t1.customer_id ${end}) r)::text`;

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
await client.query(setup);
for (const column of ["id", "at"]) {
  const order = `order by t1.${column}`;
  const texts = [
    list("invoice t1", `${order} limit $1::int8`),
    list(`(select t1.* from invoice t1 ${order} limit $1::int8) t1`, order),
  ];
  const times = texts.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, text] of texts.entries()) {
      const began = performance.now();
      await client.query({ name: `${column}_${i}`, text, values: ["20"] });
      times[i]?.push(performance.now() - began);
    }
  }
  const [after = 0, before = 0] = times.map((each) => each.sort((a, b) => a - b)[rounds / 2] ?? 0);
  const indexed = column === "id" ? "with an index" : "without an index";
  const figures = `after the join ${after.toFixed(2)} ms, before ${before.toFixed(2)} ms`;
  console.log(`ordered by a column ${indexed}: ${figures}, ratio ${(before / after).toFixed(2)}`);
}
await client.query("drop schema limit_before_join cascade");
await client.end();
