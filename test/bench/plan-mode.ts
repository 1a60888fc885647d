/**
 * Measures the effect of the plan mode on the time of a nested statement. Input: the URL of a database, in which a
 * schema `plan_mode` is created and dropped. Output: milliseconds per statement by mode, for one connection and for 20
 * with alternating values: the median of passes in which the modes alternate. `node --import tsx
 * test/bench/plan-mode.ts URL`
 */
import pg from "pg";

const passes = 5;
const rounds = 300;

const setup = `
  drop schema if exists plan_mode cascade;
  create schema plan_mode;
  set search_path to plan_mode;
  create table genre (id integer primary key, name text);
  create table track (id integer primary key, genre_id integer references genre, name text);
  create table playlist (id integer primary key, name text);
  create table entry (playlist_id integer references playlist, track_id integer references track,
    primary key (playlist_id, track_id));
  insert into genre select i, 'g' || i from generate_series(1, 25) i;
  insert into track select i, 1 + i % 25, 't' || i from generate_series(1, 3500) i;
  insert into playlist select i, 'p' || i from generate_series(1, 18) i;
  insert into entry select 1 + i % 18, 1 + i * 7 % 3500 from generate_series(1, 8700) i on conflict do nothing;
  analyze`;

const nested = `
  select (select coalesce(json_agg(r.*), '[]') from (select t1.name as "name",
    (select coalesce(json_agg(r.*), '[]') from (select t6.name as "name"
      from (select t2.* from entry t2 where t2.playlist_id = t1.id and exists (select 1 from track t3
        where t3.id = t2.track_id and exists (select 1 from genre t4 where t4.id = t3.genre_id and t4.name = $1::text))
        order by t2.track_id limit $2::int8) t2
      left join track t6 on t6.id = t2.track_id order by t2.track_id) r) as "entries"
    from playlist t1 where exists (select 1 from entry t7 where t7.playlist_id = t1.id and exists (select 1 from track t8
      where t8.id = t7.track_id and exists (select 1 from genre t9 where t9.id = t8.genre_id and t9.name = $1::text)))
    order by t1.name) r)::text`;

const modes = ["auto", "force_generic_plan", "force_custom_plan"];

async function connect(mode: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.argv[2] });
  await client.connect();
  await client.query(`set search_path to plan_mode; set plan_cache_mode to ${mode}`);
  return client;
}

const run = (client: pg.Client, i: number) =>
  client.query({ name: "nested", text: nested, values: [`g${1 + (i % 25)}`, String(1 + (i % 3))] });

/** Returns the milliseconds per statement on alternating connections. */
async function measure(clients: readonly pg.Client[]): Promise<number> {
  for (const client of clients) for (let i = 0; i < 7; i++) await run(client, i);
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let i = 0; i < rounds / clients.length; i++) await run(client, i);
    }),
  );
  return (performance.now() - began) / rounds;
}

const owner = await connect("auto");
await owner.query(setup);
for (const connections of [1, 20]) {
  const times = new Map(modes.map((mode) => [mode, [] as number[]]));
  for (let pass = 0; pass < passes; pass++) {
    for (const [mode, taken] of times) {
      const clients = await Promise.all(Array.from({ length: connections }, () => connect(mode)));
      taken.push(await measure(clients));
      await Promise.all(clients.map((client) => client.end()));
    }
  }
  for (const [mode, taken] of times) {
    const median = taken.sort((a, b) => a - b)[passes >> 1] ?? 0;
    console.log(`${connections} connections, ${mode}: ${median.toFixed(2)} ms`);
  }
}
await owner.query("drop schema plan_mode cascade");
await owner.end();
