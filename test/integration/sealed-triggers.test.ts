/** Event triggers of a sealed artifact: installed by a separate command, checked at start. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine, refusedArtifact, startArtifact } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { installedTriggers } from "../support/installed-triggers.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const metadata = (name: string) => `
version: 3
sources:
  - name: default
    kind: postgres
    configuration: { connection_info: { database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL } } }
    tables:
      - table: { schema: public, name: note }
        event_triggers:
          - name: ${name}
            definition: { insert: { columns: "*" }, update: { columns: [body] }, enable_manual: false }
            webhook: http://127.0.0.1:9/
            retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 }
`;

let folder: string;
let database: TestDatabase;

const artifact = (name: string) => join(folder, name);

async function build(name: string): Promise<void> {
  await writeFile(join(folder, `${name}.yaml`), metadata(name));
  const shape = await engine(
    ["shape", "--database", database.url, "--metadata", `${name}.yaml`, "--out", `${name}.json`],
    folder,
  );
  expect(shape).toMatchObject({ code: 0 });
  const built = await engine(
    ["build", "--metadata", `${name}.yaml`, "--shape", `${name}.json`, "--out", artifact(name)],
    folder,
  );
  expect(built).toMatchObject({ code: 0, stderr: "" });
}

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-triggers-"));
  database = await createDatabase("sealed_triggers");
  await query(database.url, "create table note (id integer primary key, body text)");
  await build("first");
  await build("second");
}, 120_000);

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const settings = (...args: string[]) => ({ environment: { ENGINE_GRAPHQL_DATABASE_URL: database.url }, args });
const installed = ["notify_engine_first_INSERT on note", "notify_engine_first_UPDATE on note"];

async function drift(name: string, ...args: string[]): Promise<readonly string[]> {
  const server = await startArtifact(artifact(name), settings(...args));
  await server.stop();
  return server.log.filter((line) => line.includes('"drift"'));
}

describe("Event triggers of artifacts", () => {
  it("An artifact requires installed event triggers before it serves", async () => {
    const { code, stderr } = await refusedArtifact(artifact("first"), settings());
    expect(code).toBe(1);
    expect(stderr).toContain("the event triggers of the artifact are not installed in source default");
    expect(stderr).toContain("trigger notify_engine_first_INSERT on public.note is missing");
    expect(await drift("first", "--drift=warn")).toHaveLength(3);
    expect(await installedTriggers(database.url)).toEqual([]);
  });

  it("--install-triggers installs the event triggers and reports it", async () => {
    expect(await refusedArtifact(artifact("first"), settings("--install-triggers"))).toEqual({
      code: 0,
      stderr: "",
      stdout: "default: installed notify_engine_first_INSERT, notify_engine_first_UPDATE\n",
    });
    expect(await installedTriggers(database.url)).toEqual(installed);
    expect(await refusedArtifact(artifact("first"), settings("--install-triggers"))).toMatchObject({
      code: 0,
      stdout: "default: nothing to change\n",
    });
    await query(database.url, "insert into note values (1, 'a')");
    expect(await query(database.url, "select trigger_name from engine_catalog.event_log")).toEqual([
      { trigger_name: "first" },
    ]);
    expect(await drift("first")).toEqual([]);
  });

  it("An artifact checks its event triggers at the start", async () => {
    await query(database.url, "alter table note disable trigger all");
    const { code, stderr } = await refusedArtifact(artifact("first"), settings());
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("notify_engine_first_UPDATE on public.note is missing, disabled"),
    ]);
    await query(database.url, "alter table note enable trigger all");
  });

  it("Event triggers replace those of an earlier artifact", async () => {
    expect(await refusedArtifact(artifact("second"), settings("--install-triggers"))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^default: installed notify_engine_second_INSERT, .*; removed notify_engine_first_INSERT, /,
      ),
    });
    expect(await query(database.url, "select archived from engine_catalog.event_log")).toEqual([{ archived: true }]);
    expect(await drift("second")).toEqual([]);
  });

  it("Orphaned event triggers are reported", async () => {
    await query(
      database.url,
      `create function engine_catalog."notify_engine_old_INSERT"() returns trigger language plpgsql as 'begin return null; end'`,
    );
    expect(await drift("second")).toEqual([
      expect.stringContaining("does not belong to an event trigger of the artifact"),
    ]);
  });

  it("An unreachable database is reported without its password", async () => {
    const { code, stderr } = await refusedArtifact(artifact("first"), {
      environment: { ENGINE_GRAPHQL_DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/none" },
      args: ["--install-triggers"],
    });
    expect(code).toBe(1);
    expect(stderr).toContain('event triggers of source "default" cannot be installed');
    expect(stderr).not.toContain("secret");
  });
});
