/**
 * `npm run bench:sealed -- [--starts 15] [--pg-url URL]`: the artifact of the library against the live server with the
 * same metadata: size, time from the start of the process until it serves, processor time and memory. Both are started
 * in turns, so that a busy machine slows both; `node -e 0` shows what of a start is Node's own.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { engine } from "../support/artifact.ts";
import { ensureBuilt, optionValue, root, runMain, withPostgres } from "../support/shared-checks.ts";
import { processorSeconds, residentBytes } from "./live/processes.ts";

const args = process.argv.slice(2);
const starts = Number(optionValue(args, "--starts") ?? 15);
const library = join(root, "fixtures/library");
const databases = ["bench_sealed", "bench_sealed_metadata"] as const;
const requests = 500;

interface Start {
  readonly milliseconds: number;
  readonly processorMilliseconds: number;
  readonly memory: number;
  /** After some requests. */
  readonly memoryInUse: number;
}

interface Server {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

await runMain(async () => {
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), "bench-sealed-"));
  try {
    return await withPostgres(args, (server) => bench(server, join(folder, "artifact")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function bench(server: string, artifact: string): Promise<number> {
  const at = (name: string): string => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const [source, metadata] = databases;
  const recreate = databases.flatMap((name) => [
    `drop database if exists ${name} with (force)`,
    `create database ${name}`,
  ]);
  for (const sql of recreate) await run(server, sql);
  for (const file of ["schema.sql", "seed.sql"]) {
    await run(at(source), await readFile(join(library, "postgres", file), "utf8"));
  }
  const built = await engine(["build", "--metadata", join(library, "metadata"), "--out", artifact], root);
  if (built.code !== 0) throw new Error(built.stderr);
  for (const name of (await readdir(artifact)).sort()) {
    console.log(`${name}: ${Math.round((await stat(join(artifact, name))).size / 1024)} KiB`);
  }
  const environment = { ENGINE_GRAPHQL_DATABASE_URL: at(source), ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1" };
  const servers: readonly Server[] = [
    {
      name: "artifact",
      command: [join(artifact, "server.mjs")],
      environment: { ...environment, ENGINE_GRAPHQL_SERVER_PORT: "8897" },
    },
    {
      name: "live server",
      command: [join(root, ".build/engine.mjs"), "start"],
      environment: {
        ...environment,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: at(metadata),
        ENGINE_GRAPHQL_SERVER_PORT: "8898",
      },
    },
  ];
  // The live server finds the metadata in its database from the second start on.
  await started(servers[1], async (url) => {
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    const body = JSON.stringify({ type: "replace_metadata", args: { metadata } });
    const answer = await fetch(`${url}/v1/metadata`, { method: "POST", body });
    if (!answer.ok) throw new Error(await answer.text());
  });
  const bare: number[] = [];
  const seen = new Map<string, Start[]>(servers.map(({ name }) => [name, []]));
  for (let i = 0; i < starts; i++) {
    bare.push(await bareNode());
    for (const each of servers) seen.get(each.name)?.push(await started(each, load));
  }
  console.log(`node alone: ${middle(bare).toFixed(0)} ms`);
  for (const [name, all] of seen) {
    const of = (key: keyof Start): number => middle(all.map((start) => start[key]));
    console.log(
      `${name}: serves after ${of("milliseconds").toFixed(0)} ms (least ${Math.min(...all.map((start) => start.milliseconds)).toFixed(0)}),` +
        ` processor time ${of("processorMilliseconds").toFixed(0)} ms, resident ${mebibytes(of("memory"))},` +
        ` after ${requests} requests ${mebibytes(of("memoryInUse"))}`,
    );
  }
  for (const name of databases) await run(server, `drop database ${name} with (force)`);
  return 0;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Starts a server, measures until it serves, lets something happen, and ends it. */
async function started(server: Server | undefined, work: (url: string) => Promise<void>): Promise<Start> {
  if (server === undefined) throw new Error("invariant: there are two servers");
  const began = performance.now();
  const child = spawn(process.execPath, server.command, {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup", ...server.environment },
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (data) => {
      output += String(data);
      if (output.includes("engine serves on")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`${server.name} ended with ${code}: ${output}`)));
  });
  const milliseconds = performance.now() - began;
  const pid = child.pid ?? 0;
  const processorMilliseconds = (await processorSeconds(pid)) * 1000;
  const memory = await residentBytes(pid);
  await work(`http://127.0.0.1:${server.environment.ENGINE_GRAPHQL_SERVER_PORT}`);
  const memoryInUse = await residentBytes(pid);
  child.kill();
  await once(child, "close");
  return { milliseconds, processorMilliseconds, memory, memoryInUse };
}

async function load(url: string): Promise<void> {
  const body = JSON.stringify({ query: "{ book(order_by: {title: asc}) { title author { name } } }" });
  for (let i = 0; i < requests; i++) {
    const answer = await fetch(`${url}/v1/graphql`, { method: "POST", body });
    const text = await answer.text();
    if (!text.startsWith('{"data"')) throw new Error(text);
  }
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "close");
  return performance.now() - began;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}
