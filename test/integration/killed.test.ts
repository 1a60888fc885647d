/** A server that is killed in the middle of a metadata change leaves the old metadata or the new, never a mixture. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { servedPort } from "../support/served-port.ts";
import { startTestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

let source: TestDatabase;
let metadata: TestDatabase;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await ensureBuilt();
  [source, metadata] = [await createDatabase("killed"), await createDatabase("killed_metadata")];
  await query(source.url, "create table a (id integer primary key); create table b (id integer primary key)");
}, 120_000);

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([source?.drop(), metadata?.drop()]);
});

interface Victim {
  readonly child: ChildProcess;
  readonly gone: Promise<unknown>;
  post(body: unknown): Promise<unknown>;
}

async function start(): Promise<Victim> {
  const preload = ["--import", join(root, "test/support/killed-at-write.mjs")];
  const child = spawn(process.execPath, [...preload, join(root, ".build/engine.mjs"), "start"], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH ?? "",
      ENGINE_GRAPHQL_SERVER_PORT: "0",
      ENGINE_GRAPHQL_DATABASE_URL: source.url,
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
      // Polling is disabled, so that only the change writes to the databases.
      ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "0",
    },
  });
  running.add(child);
  const gone = once(child, "exit").finally(() => running.delete(child));
  const address = `http://127.0.0.1:${await servedPort(child)}`;
  const post = async (body: unknown) =>
    (await fetch(`${address}/v1/metadata`, { method: "POST", body: JSON.stringify(body) })).json();
  return { child, gone, post };
}

interface Stored {
  readonly metadata: unknown;
  readonly resource_version: number;
}

/** Returns the stored metadata after the database has detected the lost client. */
async function stored(): Promise<Stored> {
  const others = "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  while ((await query(metadata.url, others)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const [row] = await query(metadata.url, "select metadata, resource_version from engine_catalog.engine_metadata");
  return row as unknown as Stored;
}

/** Returns a change of several parts of the metadata that name the role. */
const change = (role: string) => ({
  type: "bulk",
  args: [
    { type: "create_query_collection", args: { name: role, definition: { queries: [] } } },
    ...["a", "b"].map((table) => ({
      type: "pg_create_select_permission",
      args: { table, role, permission: { columns: "*", filter: {} } },
    })),
  ],
});

const traces = ({ metadata: document }: Stored, role: string) => JSON.stringify(document).split(`"${role}"`).length - 1;

/** Kills a server during a change, and returns whether it had responded before. */
async function killDuring(role: string, kill: (victim: Victim) => Promise<void>): Promise<boolean> {
  const victim = await start();
  const before = await versionOf(victim);
  await kill(victim);
  const answered = await victim.post(change(role)).then(
    () => true,
    () => false,
  );
  victim.child.kill("SIGKILL");
  await victim.gone;
  const after = await stored();
  const isNew = traces(after, role) > 0;
  expect(traces(after, role)).toBe(isNew ? 3 : 0);
  expect(after.resource_version).toBe(before + (isNew ? 1 : 0));
  if (answered) expect(isNew).toBe(true);
  return answered;
}

async function versionOf(victim: Victim): Promise<number> {
  const answer = await victim.post({ type: "export_metadata", version: 2, args: {} });
  return (answer as { readonly resource_version: number }).resource_version;
}

it("Metadata is old or new after the server dies at any write", { timeout: 300_000 }, async () => {
  const setUp = await start();
  const tables = ["a", "b"].map((table) => ({ type: "pg_track_table", args: { table } }));
  await setUp.post({ type: "bulk", args: tables });
  setUp.child.kill("SIGKILL");
  await setUp.gone;
  const port = Number(new URL(metadata.url).port);
  const outcomes = { killed: 0, answered: 0 };
  for (const when of ["before", "after"]) {
    for (let writes = 1; ; writes++) {
      const answered = await killDuring(`${when}_${writes}`, async ({ child }) => {
        const armed = once(child, "message");
        child.send({ port, writes, when });
        await armed;
      });
      outcomes[answered ? "answered" : "killed"]++;
      // The change completed with fewer writes.
      if (answered) break;
    }
  }
  // The change takes at least two round trips: reading the stored version, and the change itself.
  expect(outcomes.killed).toBeGreaterThanOrEqual(4);
  expect(outcomes.answered).toBe(2);
  for (const milliseconds of [1, 3, 6, 12]) {
    await killDuring(`random_${milliseconds}`, async ({ child }) => {
      setTimeout(() => child.kill("SIGKILL"), milliseconds);
    });
  }
  const { metadata: document } = await stored();
  const restarted = await startTestServer({ on: { databaseUrl: source.url, metadataUrl: metadata.url } });
  try {
    expect(sorted(await restarted.metadata("export_metadata", {}))).toEqual(sorted(document));
  } finally {
    await restarted.stop();
  }
});

/** Sorts lists of named objects, whose order is unspecified. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]));
}
