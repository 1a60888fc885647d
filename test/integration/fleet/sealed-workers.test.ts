/** An artifact that several processes serve as one server. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArtifactProcess, engine, refusedArtifact, startArtifact } from "../../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { pidOf, WorkerConnection } from "../../support/worker-connections.ts";

const library = join(root, "fixtures/library");
const admin = { "x-engine-admin-secret": "secret" };
const librarian = { ...admin, "x-engine-role": "librarian" };
const books = "{ book_aggregate { aggregate { count } } }";

let folder: string;
let artifact: string;
let database: TestDatabase;
let server: ArtifactProcess | undefined;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-workers-"));
  artifact = join(folder, "artifact");
  const built = await engine(["build", "--metadata", join(library, "metadata"), "--out", artifact], folder);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  database = await createDatabase("sealed_workers");
  for (const file of ["schema.sql", "seed.sql"]) {
    await query(database.url, await readFile(join(library, "postgres", file), "utf8"));
  }
}, 120_000);

afterAll(async () => {
  await server?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const environment = () => ({
  ENGINE_GRAPHQL_DATABASE_URL: database.url,
  ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
  ENGINE_GRAPHQL_SERVER_PORT: "0",
  ENGINE_GRAPHQL_WORKERS: "2",
  ENGINE_GRAPHQL_ENABLED_APIS: "graphql,metrics",
});

const logOf = (lines: readonly string[]) => ({ log: () => lines });

describe("Artifacts with two workers", () => {
  it("An artifact with workers serves, sums its metrics, replaces a killed worker and stops", async () => {
    server = await startArtifact(artifact, { environment: environment(), program: "workers.mjs" });
    const { url, log } = server;
    const connections = Array.from({ length: 4 }, () => new WorkerConnection(url));
    const answers = await Promise.all(connections.map((each) => each.graphql(books, librarian)));
    for (const answer of answers) expect(answer).toHaveProperty("data.book_aggregate.aggregate.count");
    const count = async (): Promise<number> => {
      const connection = new WorkerConnection(url);
      const { text } = await connection.send("/v1/metrics", undefined, admin);
      connection.close();
      return Number(/^engine_graphql_requests_total\S* (\d+)$/m.exec(text)?.[1]);
    };
    expect(await count()).toBe(4);
    const pid = await pidOf(logOf(log), 2);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => pidOf(logOf(log), 2), { timeout: 30_000 }).not.toBe(pid);
    for (const connection of connections) connection.close();
    const second = await Promise.all(connections.map(() => new WorkerConnection(url).graphql(books, librarian)));
    expect(second).toEqual(answers);
    expect(await count()).toBe(8);
    const pids = await Promise.all([pidOf(logOf(log), 1), pidOf(logOf(log), 2)]);
    await server.stop();
    server = undefined;
    for (const each of pids) expect(() => process.kill(each, 0)).toThrow("ESRCH");
  }, 90_000);

  it("server.mjs refuses workers and names workers.mjs", async () => {
    const { code, stderr } = await refusedArtifact(artifact, { environment: environment() });
    expect(code).toBe(1);
    expect(stderr).toContain("server.mjs runs a single process; start workers.mjs");
  }, 30_000);

  it("workers.mjs explains why it cannot start under Node's permission model", async () => {
    const flags = ["--experimental-permission", `--allow-fs-read=${folder}/*`];
    const settings = { environment: environment(), flags, program: "workers.mjs" };
    const { code, stderr } = await refusedArtifact(artifact, settings);
    expect(code).toBe(1);
    expect(stderr).toContain("--workers needs permission to start processes: --allow-child-process");
  }, 30_000);
});
