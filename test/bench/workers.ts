/**
 * `npm run bench -- --only workers` compares requests per second of `--workers 2` with those of one process, in
 * alternating pairs. Server, load and database share two cores, so the second worker lacks the time that load and
 * database use. The case without a database therefore shows the gain from workers; its target is 1.5.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { createItems } from "./items.ts";
import { startEngine } from "./live/processes.ts";
import { createDatabase, load, median, seconds } from "./pairs.ts";

const pairs = 5;
const target = 1.5;
/** Enough connections that both workers always have some. */
const connections = 32;

const filters = Array.from({ length: 40 }, (_, i) => `{id: {_eq: -${i}}, name: {_neq: \\\\"${i}\\\\"}}`).join(", ");

interface Case {
  readonly name: string;
  /** Body of a request, as a Lua expression; `i` is a different number each time. */
  readonly body: string;
  readonly target?: number;
}

const typenames = Array.from({ length: 200 }, (_, i) => `type${i}: __typename`).join(" ");

const cases: readonly Case[] = [
  {
    // A new operation name in each request, because the name is part of the plan cache's key.
    name: "planned anew, no database",
    body: `'{"query":"query Planned'..i..' { ${typenames} }"}'`,
    target,
  },
  {
    name: "planned anew, with it",
    body: `'{"query":"query Planned'..i..' { item(where: {_or: [${filters}]}, limit: 1) { id name } }"}'`,
  },
  {
    name: "by key, with it",
    body: `'{"query":"query ByKey($id: Int!) { item_by_pk(id: $id) { id name } }","variables":{"id":'..(i%1000)..'}}'`,
  },
];

export async function workersGain(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-workers-"));
  const databaseUrl = await createItems(url, "bench_workers");
  const ports = [await freePort(), await freePort()] as const;
  const engines = await Promise.all(
    ([1, 2] as const).map(async (workers) => {
      const metadataUrl = await createDatabase(url, `bench_workers_metadata_${workers}`);
      const environment = { ENGINE_GRAPHQL_WORKERS: String(workers) };
      const engine = await startEngine(databaseUrl, metadataUrl, ports[workers - 1] ?? 0, environment);
      await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "item" } });
      return engine;
    }),
  );
  try {
    console.log("requests per second           1 worker, 2 workers   ratio (each pair)");
    for (const each of cases) {
      const script = join(folder, "load.lua");
      await writeFile(script, scriptOf(each.body));
      const ask = (port: number) => load(port, script, connections);
      for (const port of ports) await ask(port);
      const rates: (readonly [number, number])[] = [];
      for (let pair = 0; pair < pairs; pair++) {
        const [first, second] = pair % 2 ? [ports[1], ports[0]] : ports;
        const [before, after] = [await ask(first), await ask(second)];
        rates.push(pair % 2 ? [after, before] : [before, after]);
      }
      const ratios = rates.map(([one, two]) => two / one);
      const figures = [0, 1].map((i) => (median(rates.map((rate) => rate[i] ?? 0)) / seconds).toFixed(0)).join(", ");
      const goal = each.target === undefined ? "" : `, target ${each.target}`;
      const list = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
      console.log(each.name.padEnd(29), figures.padEnd(21), `${median(ratios).toFixed(2)} (${list})${goal}`);
    }
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
    await rm(folder, { recursive: true });
  }
}

/** Returns a script for wrk. @param body a Lua expression */
const scriptOf = (body: string): string =>
  [
    'wrk.method="POST"',
    'wrk.headers["content-type"]="application/json"',
    "local i=os.time()%10000*100000",
    `request=function() i=i+1; return wrk.format(nil,nil,nil,${body}) end`,
    'done=function(s) io.write(string.format("requests %d\\n", s.requests)) end',
  ].join("\n");
