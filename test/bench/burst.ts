/**
 * `npm run bench -- --only burst` measures the first minute after a deployment. Known operations continue while 200 new
 * ones per second arrive, each with its own names for 20 fields. Output: the processor time of a new operation beyond
 * that of a known one, and the p99 of known operations relative to that without new ones.
 */
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { type Engine, processorMilliseconds, startEngine } from "./live/processes.ts";
import { delay, othersDuring, seconds } from "./others.ts";
import { createDatabase } from "./pairs.ts";

const callers = 4;
const newInASecond = 200;
const secondsOfLoad = 8;
const fields = Array.from({ length: 20 }, (_, i) => `c${i}`);
const known = `query Known($id: Int!) { wide_by_pk(id: $id) { id ${fields.join(" ")} } }`;

/** Runs the benchmark. @param server URL of a PostgreSQL server */
export async function burst(server: string): Promise<void> {
  const databaseUrl = await createDatabase(server, "bench_burst");
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`create table wide (id integer primary key, ${fields.map((each) => `${each} integer`).join(", ")});
    insert into wide select i, ${fields.map(() => "i").join(", ")} from generate_series(0, 99) as i`);
  await database.end();
  const port = await freePort();
  const engine = await startEngine(databaseUrl, await createDatabase(server, "bench_burst_metadata"), port, {});
  try {
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "wide" } });
    // Warm-up: the first operations run code that is not optimised yet.
    await measure(engine, newInASecond, 0);
    const alone = await measure(engine, 0, 10_000);
    const together = await measure(engine, newInASecond, 20_000);
    const each = alone.milliseconds / alone.requests;
    const ofNew = (together.milliseconds - each * together.requests) / together.isNew;
    console.log(`burst: processor time of a known operation: ${each.toFixed(3)} ms`);
    console.log(`burst: that of a new one, planned and run: ${ofNew.toFixed(3)} ms (target 1 beyond a known one)`);
    const ratio = (together.p99 / alone.p99).toFixed(2);
    console.log(`burst: p99 of known ones: ${alone.p99.toFixed(2)} ms, with new ones x ${ratio} (target 1.5)`);
  } finally {
    await engine.stop();
  }
}

interface Measured {
  readonly p99: number;
  /** Number of known operations. */
  readonly requests: number;
  readonly isNew: number;
  /** Processor time of the engine. */
  readonly milliseconds: number;
}

async function measure(engine: Engine, rate: number, firstNumber: number): Promise<Measured> {
  let isNew = 0;
  const before = await processorMilliseconds(engine.pid);
  const { p99, requests } = await othersDuring(
    callers,
    (request) => answered(engine, known, request % 100, { id: request % 100 }),
    async () => {
      const answers: Promise<void>[] = [];
      const took = await seconds(async () => {
        for (let tick = 0; tick < secondsOfLoad * 20; tick++) {
          for (let i = 0; i < rate / 20; i++) answers.push(answered(engine, newText(firstNumber + isNew++), 7));
          await delay(0.05);
        }
        await Promise.all(answers);
      });
      if (took > 2 * secondsOfLoad) throw new Error("the engine cannot keep up");
    },
  );
  return { p99, requests, isNew, milliseconds: (await processorMilliseconds(engine.pid)) - before };
}

function newText(number: number): string {
  const named = fields.map((field) => `n${number}_${field}: ${field}`).join(" ");
  return `query New { wide_by_pk(id: 7) { id ${named} } }`;
}

async function answered(engine: Engine, query: string, id: number, variables = {}): Promise<void> {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`${engine.url}/v1/graphql`, { method: "POST", body });
  const text = await response.text();
  if (
    !text.startsWith(`{"data":{"wide_by_pk":{"id":${id},`) &&
    !text.startsWith(`{"data":{"wide_by_pk":{"id" : ${id}, `)
  )
    throw new Error(`the engine answers ${text.slice(0, 200)}`);
}
