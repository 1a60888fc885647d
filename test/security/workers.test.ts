/** Several processes as one server: none reveals secrets of the server or serves with revoked permissions. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { pidOf, WorkerConnection, workerOf } from "../support/worker-connections.ts";

const secrets = { admin: "admin-hunter2", metrics: "metrics-hunter2", variable: "variable-hunter2" };
const admin = { "x-engine-admin-secret": secrets.admin };
const user = { ...admin, "x-engine-role": "user" };
const permission = { table: "note", role: "user", permission: { columns: "*", filter: {} } };

let source: TestDatabase;
let metadata: TestDatabase;
let server: EngineProcess;
let password: string;

const environment = () => ({
  ENGINE_GRAPHQL_DATABASE_URL: source.url,
  ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
  ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
  ENGINE_GRAPHQL_ADMIN_SECRET: secrets.admin,
  ENGINE_GRAPHQL_METRICS_SECRET: secrets.metrics,
  ENGINE_GRAPHQL_LOG_LEVEL: "debug",
  ENGINE_GRAPHQL_WORKERS: "2",
  HANDLER_TOKEN: secrets.variable,
});

beforeAll(async () => {
  await ensureBuilt();
  [source, metadata] = [await createDatabase("workers_security"), await createDatabase("workers_security_metadata")];
  password = decodeURIComponent(new URL(source.url).password);
  await query(source.url, "create table note (id serial primary key, text text); insert into note (text) values ('a')");
  server = await startEngine(environment());
  const connection = new WorkerConnection(server.url);
  expect(await connection.metadata("pg_track_table", { table: "note" }, admin)).toMatchObject({ message: "success" });
  connection.close();
}, 90_000);

afterAll(async () => {
  server?.child.kill("SIGKILL");
  await server?.ended;
  await Promise.all([source?.drop(), metadata?.drop()]);
}, 60_000);

it("No worker responds under a permission after its removal was acknowledged", async () => {
  const changing = [new WorkerConnection(server.url), new WorkerConnection(server.url)];
  const asking = Array.from({ length: 6 }, () => new WorkerConnection(server.url));
  const workers = new Set<number>();
  for (const each of asking) workers.add(await workerOf(server, each, user));
  expect(workers).toEqual(new Set([1, 2]));
  let isOver = false;
  /** Periods in which the permission was definitely revoked. */
  const gone: { readonly from: number; to: number }[] = [];
  const given: { readonly begun: number; readonly ended: number }[] = [];
  const clients = asking.map(async (connection) => {
    while (!isOver) {
      const begun = performance.now();
      const answer = JSON.stringify(await connection.graphql("{ note { text } }", user));
      if (answer.startsWith('{"data"')) given.push({ begun, ended: performance.now() });
    }
  });
  for (let round = 0; round < 20; round++) {
    const connection = changing[round % 2];
    if (!connection) throw new Error("there are two");
    await connection.metadata("pg_create_select_permission", permission, admin);
    await connection.metadata("pg_drop_select_permission", { table: "note", role: "user" }, admin);
    const from = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    gone.push({ from, to: performance.now() });
  }
  isOver = true;
  await Promise.all(clients);
  expect(given.length).toBeGreaterThan(0);
  const old = given.filter(({ begun, ended }) => gone.some(({ from, to }) => begun > from && ended < to));
  expect(old).toEqual([]);
  for (const each of [...changing, ...asking]) each.close();
}, 90_000);

it("Messages between processes are never logged at any level", async () => {
  const pid = await pidOf(server, 2);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => pidOf(server, 2), { timeout: 30_000 }).not.toBe(pid);
  const connection = new WorkerConnection(server.url);
  const { status } = await connection.send("/v1/metrics", undefined, { authorization: `Bearer ${secrets.metrics}` });
  expect([200, 404]).toContain(status);
  connection.close();
  const log = server.log().join("\n");
  expect(log).toContain("worker 2 ended");
  for (const secret of [...Object.values(secrets), `:${password}@`]) expect(log).not.toContain(secret);
}, 60_000);

it("A process that no server started never becomes a worker, regardless of its environment", async () => {
  const child = spawn(process.execPath, [join(root, ".build/engine.mjs"), "start"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env.PATH ?? "",
      ...environment(),
      ENGINE_GRAPHQL_WORKERS: "1",
      ENGINE_GRAPHQL_SERVER_PORT: "0",
      ENGINE_WORKER_PROCESS: "1",
    },
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  await expect.poll(() => output, { timeout: 30_000 }).toContain("engine serves on");
  child.kill("SIGTERM");
  await once(child, "close");
}, 60_000);
