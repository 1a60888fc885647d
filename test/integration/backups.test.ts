/** `engine backup` and `engine restore`: a drill, the checks of a file, and what may be replaced. */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyBackup } from "../../runtime/databases/metadata/backup/backup-file.ts";
import { restoreBackup } from "../../runtime/databases/metadata/backup/restore-backup.ts";
import { backupParts, backupTables, transientTables } from "../../runtime/databases/metadata/backup/tables.ts";
import { writeBackup } from "../../runtime/databases/metadata/backup/write-backup.ts";
import { downgradeCatalog } from "../../runtime/databases/metadata/downgrade.ts";
import { migrations } from "../../runtime/databases/metadata/migrations.ts";
import { openMetadataDatabase } from "../../runtime/databases/metadata/open.ts";
import { runCommand } from "../support/command-line.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let folder: string;
let file: string;
let data: TestDatabase;
let metadata: TestDatabase;
let target: TestDatabase;
let webhook: WebhookReceiver;
/** Responses of the original server. */
let original: readonly unknown[];

const start = (metadataUrl: string): Promise<TestServer> =>
  startTestServer({ sealed: false, on: { databaseUrl: data.url, metadataUrl }, environment: { HOOK: webhook.url } });

/** Returns responses that depend on all parts of a backup. */
async function responsesOf(server: TestServer): Promise<readonly unknown[]> {
  return [
    await server.metadata("export_metadata", {}),
    await server.metadata("get_metadata_history", {}),
    await server.metadata("get_scheduled_events", { type: "one_off" }),
    await server.metadata("get_scheduled_event_invocations", { type: "one_off" }),
    await server.graphql("{ note { id text } }"),
    await server.graphql('query { note(where: {text: {_eq: "a\u2028b"}}) { id } }'),
  ];
}

/** Returns the rows of the tables in a backup. */
async function rowsIn(url: string, without: readonly string[] = []): Promise<Readonly<Record<string, unknown>>> {
  const tables = backupTables.filter(({ part, name }) => !without.includes(part) && name !== "engine_version");
  const rows = tables.map(async ({ name }) => [
    name,
    await query(url, `select row_to_json(t)::text as row from engine_catalog.${name} t order by 1`),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

const backUp = (options: Partial<Parameters<typeof writeBackup>[1]> = {}) =>
  writeBackup(metadata.url, { retries: 0, file, without: new Set(), engineVersion: "0.1.0", ...options });

const restore = (options: Partial<Parameters<typeof restoreBackup>[2]> = {}, from = file) =>
  restoreBackup(target.url, from, { retries: 0, without: new Set(), replace: false, ...options });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-backups-"));
  file = join(folder, "state.backup");
  data = await createDatabase("backup_data");
  metadata = await createDatabase("backup_metadata");
  webhook = await startWebhookReceiver();
  const server = await start(metadata.url);
  await query(data.url, "create table note (id serial primary key, text text); insert into note (text) values ('a')");
  await server.metadata("pg_track_table", { table: "note", configuration: { comment: "a\u2028b\nc" } });
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const event = { webhook: "{{HOOK}}/once", schedule_at: soon, payload: { n: 12345678901234567890n.toString() } };
  await server.metadata("create_scheduled_event", event);
  await server.metadata("create_cron_trigger", {
    name: "nightly",
    webhook: "{{HOOK}}/cron",
    schedule: "0 3 * * *",
    include_in_metadata: true,
  });
  original = await responsesOf(server);
  await server.stop();
  await query(
    metadata.url,
    `insert into engine_catalog.engine_action_log (action_name, input_payload, request_headers, session_variables, status, locked_by)
     select 'print', jsonb_build_object('n', n), '{}', '{}', 'processing', gen_random_uuid() from generate_series(1, 1200) n;
     insert into engine_catalog.engine_scheduled_event_invocation_logs (event_id, status, request)
     select id, 200, E'{\\n  "a":  1.50}' from engine_catalog.engine_scheduled_events`,
  );
}, 90_000);

beforeEach(async () => {
  await target?.drop();
  target = await createDatabase("backup_target");
});

afterAll(async () => {
  await webhook?.close();
  await Promise.all([data?.drop(), metadata?.drop(), target?.drop()]);
  await rm(folder, { recursive: true, force: true });
});

describe("Backups of the metadata database", () => {
  it("Each table of the metadata database is part of a backup or listed as transient", async () => {
    const found = await query(
      metadata.url,
      "select table_name from information_schema.tables where table_schema = 'engine_catalog' and table_type = 'BASE TABLE'",
    );
    const known = [...backupTables.map(({ name }) => name), ...transientTables];
    expect(found.map(({ table_name }) => table_name).sort()).toEqual(known.sort());
  });

  it("A server on a restored database gives the same responses as the original", async () => {
    const rows = await backUp();
    expect(await restore()).toMatchObject({ rows });
    const restored = await rowsIn(target.url);
    expect(restored.engine_metadata_part).toEqual((await rowsIn(metadata.url)).engine_metadata_part);
    const server = await start(target.url);
    const [exported, , events, , ...results] = await responsesOf(server);
    expect([exported, events, ...results]).toEqual([original[0], original[2], ...original.slice(4)]);
    expect(await server.metadata("get_metadata_history", {})).toEqual(original[1]);
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([]);
    const { entries } = (await server.metadata("get_audit_log", {})) as { entries: { id: number }[] };
    await server.metadata("reload_metadata", {});
    const later = await server.metadata("get_audit_log", {});
    expect(later).toMatchObject({ entries: [{ id: Number(entries[0]?.id) + 1 }, ...entries] });
    await server.stop();
  }, 60_000);

  it("Calls that an instance held at the time of the backup are due again", async () => {
    await backUp();
    await restore();
    expect(
      await query(
        target.url,
        "select status, locked_by, count(*)::int from engine_catalog.engine_action_log group by 1, 2",
      ),
    ).toEqual([{ status: "created", locked_by: null, count: 1200 }]);
  });

  it.each(backupParts)("A backup or a restore can leave out the part %s", async (part) => {
    const without = new Set([part]);
    const tables = backupTables.filter((each) => each.part === part).map(({ name }) => name);
    await backUp();
    await restore({ without });
    const rows = await rowsIn(target.url);
    for (const name of tables) expect(rows[name]).toEqual([]);
    await backUp({ without });
    const { header, rows: counts } = await verifyBackup(file);
    expect(header.parts).not.toContain(part);
    for (const name of tables) expect(counts.has(name)).toBe(false);
  });

  it("A database with metadata is replaced only with the option, and never while an instance is alive", async () => {
    await backUp();
    await (await openMetadataDatabase(target.url, { retries: 0 })).close();
    await query(target.url, "create table engine_catalog.event_log (id integer)");
    await expect(restore()).rejects.toThrow("the database holds metadata of engine: pass --replace to delete it");
    await query(target.url, "insert into engine_catalog.engine_server_instances (id) values (gen_random_uuid())");
    await expect(restore({ replace: true })).rejects.toThrow(/an instance uses this metadata database: stop all/);
    await query(target.url, "delete from engine_catalog.engine_server_instances");
    await restore({ replace: true });
    expect((await rowsIn(target.url)).engine_metadata_part).toEqual((await rowsIn(metadata.url)).engine_metadata_part);
    expect(await query(target.url, "select to_regclass('engine_catalog.event_log') is not null as kept")).toEqual([
      { kept: true },
    ]);
  });

  it.each(migrations.map((_, i) => i + 1).slice(1))(
    "A backup of catalog version %i is restored and upgraded",
    async (version) => {
      const older = await createDatabase("backup_older");
      try {
        await backUp();
        await restoreBackup(older.url, file, { retries: 0, without: new Set(), replace: false });
        await downgradeCatalog(older.url, version, { retries: 0, dryRun: false });
        const from = join(folder, `older-${version}.backup`);
        await writeBackup(older.url, { retries: 0, file: from, without: new Set(), engineVersion: "0.1.0" });
        expect((await verifyBackup(from)).header.catalog_version).toBe(version);
        await restore({}, from);
        const [stored] = await query(target.url, "select version from engine_catalog.engine_version");
        expect(stored).toEqual({ version: String(migrations.length) });
        expect((await rowsIn(target.url)).engine_metadata_part).toHaveLength(
          Number((await query(metadata.url, "select count(*) from engine_catalog.engine_metadata_part"))[0]?.count),
        );
      } finally {
        await older.drop();
      }
    },
  );
});

describe("Checks of a backup", () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");

  /** Writes an edited copy. @param seal true to correct number of rows and checksum */
  async function edited(edit: (lines: string[]) => readonly string[], seal = false): Promise<string> {
    await backUp();
    const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
    const changed = [...edit(lines)];
    if (seal) {
      const body = `${changed.slice(0, -1).join("\n")}\n`;
      changed.splice(-1, 1, JSON.stringify({ end: { rows: changed.length - 2, sha256: hash(body) } }));
    }
    const copy = join(folder, "edited.backup");
    await writeFile(copy, `${changed.join("\n")}\n`);
    return copy;
  }

  const hostile = '{"table":"engine_secret","row":{"name":"x","value":"y"}}';

  it.each<[string, (lines: string[]) => readonly string[], boolean, RegExp]>([
    ["is cut", (lines) => lines.slice(0, -1), false, /it is incomplete/],
    ["lacks a row", (lines) => lines.toSpliced(1, 1), false, /checksum/],
    ["has another row", (lines) => lines.toSpliced(1, 0, hostile), false, /checksum/],
    ["has text after its end", (lines) => [...lines, hostile], false, /text after its end/],
    ["is empty", () => [""], false, /no header/],
    ["is another file", () => ["hello"], false, /no header/],
    [
      "names another table",
      (lines) => lines.toSpliced(1, 0, '{"table":"pg_roles","row":{}}'),
      true,
      /neither a row of a known table/,
    ],
    [
      "has SQL as a table",
      (lines) => lines.toSpliced(1, 0, '{"table":"engine_secret; drop table note","row":{}}'),
      true,
      /neither a row of a known table/,
    ],
    [
      "is of a later format",
      ([head = "", ...lines]) => [head.replace('"format":1', '"format":2'), ...lines],
      true,
      /belongs to a newer version of engine/,
    ],
    [
      "is of a later catalog version",
      ([head = "", ...lines]) => [head.replace(/"catalog_version":\d+/, '"catalog_version":999'), ...lines],
      true,
      /belongs to a newer version of engine/,
    ],
  ])("A file that %s is refused, and the database is not changed", async (_, edit, seal, message) => {
    const copy = await edited(edit, seal);
    await expect(restore({}, copy)).rejects.toThrow(message);
    expect(await query(target.url, "select to_regnamespace('engine_catalog') as schema")).toEqual([{ schema: null }]);
  });

  it("A row whose values do not fit leaves the database as it was", async () => {
    const copy = await edited((lines) => lines.toSpliced(1, 0, '{"table":"engine_secret","row":{"name":null}}'), true);
    await expect(restore({}, copy)).rejects.toThrow(/null value in column/);
    expect(await query(target.url, "select to_regnamespace('engine_catalog') as schema")).toEqual([{ schema: null }]);
  });

  it("Only the owner can read the file of a backup, and an unwritable folder leaves the database alone", async () => {
    await backUp();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(backUp({ file: join(folder, "absent", "state.backup") })).rejects.toThrow(/cannot write/);
  });

  it("The commands report their results, and never the password of the database", async () => {
    const url = new URL(metadata.url);
    const written = await runCommand("backup", file, "--database-url", metadata.url, "--json");
    expect(written.code).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({ result: { file, rows: expect.any(Number) } });
    const checked = await runCommand("restore", file, "--check");
    expect(checked.stdout + checked.stderr).toContain(`catalog version ${migrations.length}`);
    const restored = await runCommand("restore", file, "--database-url", target.url, "--without", "logs, actions");
    expect(restored.code).toBe(0);
    if (url.password !== "") expect(restored.stderr + restored.stdout).not.toContain(`:${url.password}@`);
    const unknown = await runCommand("restore", file, "--database-url", target.url, "--without", "everything");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"everything" is not one of history,') });
  });
});
