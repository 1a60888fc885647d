/**
 * `npm run bench:sealed -- [--starts 15] [--against FOLDER] [--pg-url URL]` compares the sealed artifact of the library
 * with the live server on the same metadata: size, time from the start of the process until it serves requests,
 * processor time and memory; with `--against`, also with another built checkout. Starts alternate, so that a busy
 * machine slows all of them. `node -e 0` shows Node's own share of a start.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { servedPort } from "../support/served-port.ts";
import { ensureBuilt, optionValue, root, runMain, withPostgres } from "../support/shared-checks.ts";
import { processorMilliseconds, residentBytes } from "./live/processes.ts";

const args = process.argv.slice(2);
const starts = Number(optionValue(args, "--starts") ?? 15);
const against = optionValue(args, "--against");
const checkouts = [
  { name: "", folder: root, metadata: "bench_sealed_metadata" },
  ...(against === undefined
    ? []
    : [{ name: " of the other", folder: resolve(against), metadata: "bench_sealed_other" }]),
];
const library = join(root, "fixtures/library");
const source = "bench_sealed";
const requests = 500;

interface Start {
  readonly milliseconds: number;
  readonly processorMilliseconds: number;
  readonly memory: number;
  /** Memory after some requests. */
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
    return await withPostgres(args, (server) => bench(server, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function bench(postgres: string, folder: string): Promise<number> {
  const at = (name: string): string => Object.assign(new URL(postgres), { pathname: `/${name}` }).href;
  const databases = [source, ...checkouts.map(({ metadata }) => metadata)];
  for (const name of databases) {
    await run(postgres, `drop database if exists ${name} with (force)`);
    await run(postgres, `create database ${name}`);
  }
  for (const file of ["schema.sql", "seed.sql"]) {
    await run(at(source), await readFile(join(library, "postgres", file), "utf8"));
  }
  const environment = {
    ENGINE_GRAPHQL_DATABASE_URL: at(source),
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_SERVER_PORT: "0",
  };
  const servers: Server[] = [];
  for (const { name, folder: checkout, metadata } of checkouts) {
    const artifact = join(folder, metadata);
    await buildArtifact(checkout, artifact);
    const sizes = (await readdir(artifact)).sort().map(async (file) => {
      return `${file} ${Math.round((await stat(join(artifact, file))).size / 1024)} KiB`;
    });
    console.log(`artifact${name}: ${(await Promise.all(sizes)).join(", ")}`);
    const live: Server = {
      name: `live server${name}`,
      command: [join(checkout, ".build/engine.mjs"), "start"],
      environment: { ...environment, ENGINE_GRAPHQL_METADATA_DATABASE_URL: at(metadata) },
    };
    // Stores the metadata, which later starts read from the database.
    await started(live, replaceMetadata);
    servers.push({ name: `artifact${name}`, command: [join(artifact, "server.mjs")], environment }, live);
  }
  const bare: number[] = [];
  const seen = new Map<string, Start[]>(servers.map(({ name }) => [name, []]));
  for (let i = 0; i < starts; i++) {
    bare.push(await bareNode());
    for (const each of i % 2 === 0 ? servers : servers.toReversed()) {
      seen.get(each.name)?.push(await started(each, load));
    }
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
  for (const name of databases) await run(postgres, `drop database ${name} with (force)`);
  return 0;
}

async function buildArtifact(checkout: string, out: string): Promise<void> {
  const command = [join(checkout, ".build/engine.mjs"), "build", "--metadata", join(library, "metadata"), "--out", out];
  await promisify(execFile)(process.execPath, command, { cwd: checkout });
}

async function replaceMetadata(url: string): Promise<void> {
  const { metadata } = await readMetadataDirectory(join(library, "metadata"));
  const body = JSON.stringify({ type: "replace_metadata", args: { metadata } });
  const answer = await fetch(`${url}/v1/metadata`, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Starts a server, measures the time until it serves requests, runs `work`, and ends the server. */
async function started(server: Server, work: (url: string) => Promise<void>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, server.command, {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup", ...server.environment },
  });
  const port = await servedPort(child);
  const milliseconds = performance.now() - began;
  const pid = child.pid ?? 0;
  const processor = await processorMilliseconds(pid);
  const memory = await residentBytes(pid);
  await work(`http://127.0.0.1:${port}`);
  const memoryInUse = await residentBytes(pid);
  child.kill();
  await once(child, "close");
  return { milliseconds, processorMilliseconds: processor, memory, memoryInUse };
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
