/**
 * `npm run bench -- --only literals` compares a query with values in its text with the same query with variables, on
 * one engine in five alternating pairs. The ratio divides the requests per second of processor
 * time with values in the text by those with variables. Target: at least 0.85.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { createItems } from "./items.ts";
import { startEngine } from "./live/processes.ts";
import { askText, compare, createDatabase } from "./pairs.ts";

const target = 0.85;

interface Case {
  readonly name: string;
  /** Body of a request, as a Lua expression; `i` is a different number each time. */
  readonly written: string;
  readonly given: string;
}

const byKey = {
  written: (id: string) => `'{"query":"query ByKey { item_by_pk(id: '..${id}..') { id name } }"}'`,
  given: (id: string) =>
    `'{"query":"query ByKey($id: Int!) { item_by_pk(id: $id) { id name } }","variables":{"id":'..${id}..'}}'`,
};
const cases: readonly Case[] = [
  { name: "by key, each text new", written: byKey.written("i"), given: byKey.given("i") },
  { name: "by key, 300 texts in turns", written: byKey.written("(i%300)"), given: byKey.given("(i%300)") },
  {
    name: "filter, each text new",
    written: `'{"query":"query Some { item(where: {id: {_gt: '..i..'}, name: {_neq: \\\\"'..i..'\\\\"}}, limit: 3) { id name } }"}'`,
    given: `'{"query":"query Some($id: Int, $name: String) { item(where: {id: {_gt: $id}, name: {_neq: $name}}, limit: 3) { id name } }","variables":{"id":'..i..',"name":"'..i..'"}}'`,
  },
];

export async function literalCost(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-literals-"));
  const databaseUrl = await createItems(url, "bench_literals");
  const port = await freePort();
  const engine = await startEngine(databaseUrl, await createDatabase(url, "bench_literals_metadata"), port, {});
  try {
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "item" } });
    const answer = await askText(port, { query: "{ item_by_pk(id: 7) { name } }" });
    if (!answer.includes('"item 7"')) throw new Error(`the engine answers ${answer}`);
    console.log("µs for one request             written, given   ratio (each pair)");
    for (const { name, written, given } of cases) {
      const script = join(folder, "given.lua");
      const own = join(folder, "written.lua");
      await writeFile(script, scriptOf(given));
      await writeFile(own, scriptOf(written));
      const server = { pid: engine.pid, port };
      const ratio = await compare([{ ...server, script: own }, server], script);
      const figures = `${ratio.own.toFixed(0)}, ${ratio.other.toFixed(0)}`.padEnd(16);
      const pairs = ratio.ratios.map((each) => each.toFixed(2)).join(", ");
      console.log(name.padEnd(30), figures, `${ratio.ratio.toFixed(2)} (${pairs}), target ${target}`);
    }
  } finally {
    await engine.stop();
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
