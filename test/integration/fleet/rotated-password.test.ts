/** `dynamic_from_file`: the password of a database is changed while its source is used. */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type Replication, replicationIsMissing, startReplication } from "../../support/replication.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: Replication;
let engine: TestServer;
let folder: string;

const admin = (sql: string) => query(server.primary.url, sql);

/** Replaces the file atomically, as secret managers do. */
async function writeSecret(password: string): Promise<void> {
  const url = new URL(server.primary.url);
  url.username = "app";
  url.password = password;
  await writeFile(join(folder, "next"), `${url.href}\n`);
  await rename(join(folder, "next"), join(folder, "url"));
}

const endConnections = () => admin("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");
const ask = () => engine.graphql("{ note { text } }");
const found = { data: { note: [{ text: "kept" }] } };

describe.skipIf(replicationIsMissing)("Passwords in a file", () => {
  beforeAll(async () => {
    server = await startReplication(0);
    folder = await mkdtemp(join(tmpdir(), "engine-rotated-"));
    await admin(
      `create role app login password 'first'; create table note (text text); insert into note values ('kept');
       grant select on note to app`,
    );
    const [hba] = await admin("show hba_file");
    const rules = "(values ('host all app 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')) as rule";
    await admin(`copy (select * from ${rules}) to '${hba?.hba_file}'`);
    await admin("select pg_reload_conf()");
    await writeSecret("first");
    const environment = { ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX: folder };
    engine = await startTestServer({ sealed: false, environment });
    const connection_info = {
      database_url: { dynamic_from_file: join(folder, "url") },
      pool_settings: { max_connections: 4 },
    };
    await engine.metadata("pg_add_source", { name: "rotated", configuration: { connection_info } });
    await engine.metadata("pg_track_table", { source: "rotated", table: "note" });
  }, 120_000);

  afterAll(async () => {
    await engine?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it("A password file is read for each new connection, and existing connections stay open", async () => {
    expect(await ask()).toEqual(found);
    await admin("alter role app password 'second'");
    expect(await ask()).toEqual(found);
    await writeSecret("second");
    await endConnections();
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => found));
  });

  it("A wrong password in the file fails requests without being shown, until the file is corrected", async () => {
    await admin("alter role app password 'third'");
    await endConnections();
    const { text } = await engine.post("/v1/graphql", { query: "{ note { text } }" });
    expect(text).toContain("connection error");
    expect(text + engine.log.join()).not.toMatch(/app:second|app:third/);
    await writeSecret("third");
    expect(await ask()).toEqual(found);
    expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
  });
});
