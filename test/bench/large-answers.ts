/**
 * `npm run bench -- --only large` measures a response of 50 MB made of rows of 1 kB: the memory beyond that of the idle
 * server relative to the response's length, and the p99 of concurrent requests relative to that without it.
 */
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { type Engine, residentBytes, startEngine } from "./live/processes.ts";
import { delay, othersDuring } from "./others.ts";
import { createDatabase, median } from "./pairs.ts";

const callers = 4;
const rounds = 5;
const rows = 50_000;

/** Runs the benchmark. @param server URL of a PostgreSQL server */
export async function largeAnswers(server: string): Promise<void> {
  const databaseUrl = await createDatabase(server, "bench_large");
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`create table page (id integer primary key, text text);
    insert into page select i, repeat(md5(i::text), 31) from generate_series(1, ${rows}) as i; analyze page`);
  await database.end();
  const port = await freePort();
  const engine = await startEngine(databaseUrl, await createDatabase(server, "bench_large_metadata"), port, {});
  try {
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "page" } });
    const ask = (request: number) => small(engine, (request % 1000) + 1);
    await othersDuring(callers, ask, () => delay(3));
    const { p99: alone } = await othersDuring(callers, ask, () => delay(5));
    const memories: number[] = [];
    const delays: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = await residentBytes(engine.pid);
      let most = before;
      let bytes = 0;
      const sample = setInterval(async () => {
        most = Math.max(most, await residentBytes(engine.pid));
      }, 10);
      const { p99 } = await othersDuring(callers, ask, async () => {
        bytes = await large(engine);
      });
      clearInterval(sample);
      memories.push((most - before) / bytes);
      delays.push(p99 / alone);
      await delay(1);
    }
    const all = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(", ");
    console.log(`large: memory over the length of the answer: ${all(memories)} (target 2)`);
    console.log(
      `large: others' p99 over ${alone.toFixed(2)} ms: ${median(delays).toFixed(2)} (${all(delays)}; target 2)`,
    );
  } finally {
    await engine.stop();
  }
}

async function large(engine: Engine): Promise<number> {
  const body = JSON.stringify({ query: "{ page(order_by: {id: asc}) { id text } }" });
  const response = await fetch(`${engine.url}/v1/graphql`, { method: "POST", body });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  if (bytes < rows * 1000) throw new Error(`the answer has ${bytes} bytes`);
  return bytes;
}

async function small(engine: Engine, id: number): Promise<void> {
  const query = "query Small($id: Int!) { page_by_pk(id: $id) { id } }";
  const body = JSON.stringify({ query, variables: { id } });
  const response = await fetch(`${engine.url}/v1/graphql`, { method: "POST", body });
  const text = await response.text();
  if (JSON.parse(text).data?.page_by_pk?.id !== id) throw new Error(`the engine answers ${text}`);
}
