/** Responses to probes while databases are available, frozen and gone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const secret = "shibboleth";
let databases: TestDatabase[];
let source: DatabaseProxy;
let metadata: DatabaseProxy;
let server: TestServer;
/** Number of log lines of earlier tests. */
let logged = 0;

beforeAll(async () => {
  databases = [await createDatabase("health"), await createDatabase("health_metadata")];
  [source, metadata] = [await startProxy(databases[0]?.url ?? ""), await startProxy(databases[1]?.url ?? "")];
  server = await startTestServer({
    // `sealed.test.ts` tests the probes of artifacts.
    sealed: false,
    on: { databaseUrl: source.url, metadataUrl: metadata.url },
    environment: { ENGINE_GRAPHQL_ADMIN_SECRET: secret, ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics" },
  });
});

afterAll(async () => {
  source.thaw();
  metadata.thaw();
  await server.stop();
  await Promise.all([source.close(), metadata.close()]);
  for (const database of databases) await database.drop();
});

interface Probe {
  readonly status: number;
  readonly text: string;
}

async function probe(path: string, headers: Record<string, string> = {}): Promise<Probe> {
  const answer = await fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(4000) });
  return { status: answer.status, text: await answer.text() };
}

const status = async (path: string): Promise<number> => (await probe(path)).status;
const admin = { "x-engine-admin-secret": secret };

/** Returns the value of a health metric: 0 healthy, 1 timeout, 2 failed. */
async function metric(series: string): Promise<string | undefined> {
  const { text } = await probe("/v1/metrics", admin);
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line?.slice(series.length + 1);
}
const sourceHealth = (): Promise<string | undefined> => metric('engine_source_health{source_name="default"}');
const metadataHealth = (): Promise<string | undefined> => metric("engine_metadata_database_health");

describe("Health probes", () => {
  it("All probes succeed while every database responds", async () => {
    expect(await probe("/livez")).toEqual({ status: 200, text: "OK" });
    expect(await probe("/healthz")).toEqual({ status: 200, text: "OK" });
    const { status: ready, text } = await probe("/readyz");
    expect(ready).toBe(200);
    expect(JSON.parse(text)).toEqual({ status: "ready", sources: { ready: 1, not_ready: 0 }, metadata: "ready" });
    expect(await probe("/healthz/sources", admin)).toEqual({
      status: 200,
      text: '{"sources":{"default":{"status":"OK"}},"metadata":{"status":"OK"}}',
    });
  });

  it("A server without metadata is not ready unless the probe permits it", async () => {
    const empty = await createDatabase("health_empty");
    const bare = await startTestServer({
      sealed: false,
      on: { databaseUrl: empty.url, metadataUrl: empty.url },
      environment: { ENGINE_GRAPHQL_ADMIN_SECRET: secret },
    });
    const readiness = async (path: string) => {
      const answer = await fetch(`${bare.url}${path}`);
      return [answer.status, JSON.parse(await answer.text()).status];
    };
    expect(await readiness("/readyz")).toEqual([200, "ready"]);
    await bare.post("/v1/metadata", { type: "replace_metadata", args: { version: 3, sources: [] } }, admin);
    expect(await readiness("/readyz")).toEqual([503, "no metadata"]);
    expect(await readiness("/readyz?empty=true")).toEqual([200, "ready"]);
    await bare.stop();
    await empty.drop();
  });

  it("The readiness probe follows the health check of a source", async () => {
    const update = (health_check: unknown) =>
      server.post("/v1/metadata", { type: "pg_update_source", args: { name: "default", health_check } }, admin);
    const sql = "select 1 / (case when to_regclass('broken') is null then 1 else 0 end)";
    const run = (statement: string) =>
      server.post("/v2/query", { type: "run_sql", args: { sql: statement, check_metadata_consistency: false } }, admin);
    expect((await update({ test: { sql }, interval: 1, retries: 0, timeout: 5 })).status).toBe(200);
    await run("create table broken ()");
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(503);
    expect(JSON.parse((await probe("/healthz/sources", admin)).text).sources.default.status).toBe("ERROR");
    expect(await status("/livez")).toBe(200);
    await run("drop table broken");
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(200);
    // A health check must not be able to change anything.
    await update({ test: { sql: "create table made_by_a_check ()" }, interval: 1, retries: 0 });
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(503);
    expect((await run("select to_regclass('made_by_a_check') is null")).json.result[1]).toEqual(["t"]);
    expect((await update({ interval: 3600 })).status).toBe(200);
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(200);
    logged = server.log.length;
  });

  it("Only admins see the names of unhealthy sources", async () => {
    expect((await probe("/healthz/sources")).status).not.toBe(200);
    expect((await probe("/readyz")).text).not.toContain("default");
  });

  it("The probes report an unresponsive metadata database, and requests still succeed", async () => {
    metadata.freeze();
    await expect.poll(() => probe("/healthz"), { timeout: 10_000 }).toEqual({ status: 500, text: "ERROR" });
    expect(await status("/livez")).toBe(200);
    expect(await probe("/readyz")).toMatchObject({
      status: 200,
      text: expect.stringContaining('"metadata":"not ready"'),
    });
    expect(await metadataHealth()).toBe("1");
    metadata.thaw();
    await expect.poll(() => status("/healthz"), { timeout: 10_000 }).toBe(200);
    expect(await metadataHealth()).toBe("0");
  });

  it("The probes and the log report an unresponsive or unreachable source", async () => {
    source.freeze();
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(503);
    expect(await status("/livez")).toBe(200);
    expect(await status("/healthz")).toBe(200);
    const { sources } = JSON.parse((await probe("/healthz/sources", admin)).text);
    expect(sources.default).toMatchObject({ status: "ERROR", error: { code: "timeout" } });
    expect(await sourceHealth()).toBe("1");
    source.thaw();
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(200);
    await source.close();
    await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(503);
    expect(await sourceHealth()).toBe("2");
    const { status: detailed, text } = await probe("/healthz/sources", admin);
    expect(detailed).toBe(503);
    expect(text).not.toContain("127.0.0.1");
    const about = server.log.slice(logged).filter((line) => line.includes('"source":"default"'));
    expect(about.map((line) => JSON.parse(line).detail.message)).toEqual([
      "the source is unreachable",
      "the source is reachable again",
      "the source is unreachable",
    ]);
  });

  it("The probes report an unreachable metadata database to admins by name and not as an internal error", async () => {
    await metadata.close();
    // The metrics contain the same information as the probes.
    await expect.poll(metadataHealth, { timeout: 10_000 }).toBe("2");
    expect(await probe("/healthz")).toEqual({ status: 500, text: "ERROR" });
    const { metadata: found } = JSON.parse((await probe("/healthz/sources", admin)).text);
    expect(found).toEqual({
      status: "ERROR",
      error: { code: "postgres-error", message: "the metadata database cannot be reached" },
    });
    const { status: refused, json } = await server.post("/v1/metadata", { type: "get_catalog_state", args: {} }, admin);
    expect([refused, json.code, json.error]).toEqual([
      500,
      "postgres-error",
      "the metadata database cannot be reached",
    ]);
    const types = (): readonly string[] => server.log.slice(logged).map((line) => JSON.parse(line).type);
    await expect.poll(types, { timeout: 10_000 }).toContain("schema-sync");
    await expect.poll(types, { timeout: 10_000 }).toContain("scheduled-trigger-process");
    expect(types()).not.toContain("unhandled-internal-error");
  });
});
