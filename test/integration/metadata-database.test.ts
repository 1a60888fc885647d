/** Connections to the metadata database: encryption, and lost packets. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { changedParts, partsOf } from "../../compiler/catalog/parts.ts";
import { type MetadataStore, openMetadataStore } from "../../runtime/control/store.ts";
import { findAccount, giveTo } from "../../runtime/databases/embedded-postgres/account.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import type { MetadataDatabaseTimes } from "../../runtime/databases/metadata/metadata-database.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";

const instance = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const opened: MetadataStore[] = [];

async function open(url: string, times: Partial<MetadataDatabaseTimes> = {}): Promise<MetadataStore> {
  const store = await openMetadataStore(url, instance, { retries: 0, times });
  opened.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

describe("Network outages of the metadata database", () => {
  /** In milliseconds: about a tenth of the usual times. */
  const times = { connect: 500, statement: 400, ping: 100, check: 100, reconnect: 20, close: 100 };
  let database: TestDatabase;
  let proxy: DatabaseProxy;

  beforeAll(async () => {
    database = await createDatabase("metadata_database");
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    proxy = await startProxy(database.url);
  });

  afterEach(() => proxy.close());

  it("Metadata statements time out during an outage", async () => {
    const store = await open(proxy.url, times);
    proxy.freeze();
    const began = performance.now();
    const unreached = { code: "postgres-error", message: "the metadata database cannot be reached" };
    await expect(store.version()).rejects.toMatchObject({ ...unreached, internal: "Query read timeout" });
    await expect(store.read()).rejects.toMatchObject({ ...unreached, internal: expect.stringContaining("timeout") });
    expect(performance.now() - began).toBeLessThan(2000);
    proxy.thaw();
    await expect.poll(() => store.version().catch(() => "failed")).not.toBe("failed");
  });

  it("A single ping fails after an outage, regardless of the number of lost connections", async () => {
    const store = await open(proxy.url, times);
    await Promise.all(Array.from({ length: 4 }, () => store.query("select pg_sleep(0.1)", [])));
    proxy.freezeOld();
    await expect(store.ping()).rejects.toThrow();
    await store.ping();
  });

  it("Listening recovers after an outage and catches up on missed changes", async () => {
    const [listener, writer] = [await open(proxy.url, times), await open(database.url)];
    await writer.create(partsOf(emptyCatalog));
    let heard = 0;
    let calls = 0;
    const stop = listener.listen(
      () => heard++,
      () => calls++,
    );
    // The first call reports changes that may have been missed before listening began.
    await expect.poll(() => heard).toBe(1);
    proxy.freezeOld();
    await writer.write(changedParts(emptyCatalog, emptyCatalog), 1);
    await expect.poll(() => heard, { timeout: 3000 }).toBe(2);
    await writer.write(changedParts(emptyCatalog, emptyCatalog), 2);
    await expect.poll(() => heard).toBe(3);
    await writer.callAll();
    await expect.poll(() => calls).toBe(1);
    expect(heard).toBe(3);
    proxy.cut();
    await expect.poll(() => heard).toBe(4);
    await stop();
  });

  it("The metadata store closes quickly during an outage", async () => {
    const store = await open(proxy.url, times);
    const stop = store.listen(
      () => undefined,
      () => undefined,
    );
    proxy.freeze();
    const began = performance.now();
    await Promise.all([stop(), store.close()]);
    expect(performance.now() - began).toBeLessThan(1000);
    opened.splice(0);
  });
});

describe("TLS of the metadata database", () => {
  let folder: string;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-tls-"));
    await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
    server = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
    const [key, certificate] = ["server.key", "server.crt"].map((name) => join(folder, name)) as [string, string];
    const files = ["-keyout", key, "-out", certificate, "-subj", "/CN=localhost"];
    await promisify(execFile)("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files]);
    for (const file of [key, certificate]) {
      await chmod(file, 0o600);
      await giveTo(await findAccount(), file);
    }
    await query(server.url, `alter system set ssl_key_file = '${key}'`);
    await query(server.url, `alter system set ssl_cert_file = '${certificate}'`);
    await setTls("on");
  });

  async function setTls(ssl: "on" | "off"): Promise<void> {
    await query(server.url, `alter system set ssl = ${ssl}`);
    await query(server.url, "select pg_reload_conf()");
    await vi.waitFor(async () => expect(await query(server.url, "show ssl")).toEqual([{ ssl }]));
  }

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const sessions = "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = $1";

  it.each([
    ["require", true],
    ["prefer", true],
    ["allow", false],
    ["disable", false],
  ])("The metadata database uses TLS like sources do: sslmode=%s", async (mode, ssl) => {
    const store = await open(`${server.url}?sslmode=${mode}&application_name=${mode}`);
    await store.ping();
    expect(await query(server.url, sessions, [mode])).toEqual([{ ssl }]);
  });

  it("A self-signed certificate is refused if it must be verified", async () => {
    const opening = open(`${server.url}?sslmode=verify-full`);
    await expect(opening).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("self-signed certificate"),
    });
  });

  it("sslmode=prefer connects without TLS if the server does not offer it", async () => {
    await setTls("off");
    const store = await open(`${server.url}?sslmode=prefer&application_name=plain`);
    expect(await store.version()).toBeUndefined();
    expect(await query(server.url, sessions, ["plain"])).toEqual([{ ssl: false }]);
  });
});
