/** `engine export`, `clean` and `downgrade`, which use the metadata database without a server. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { version } from "../../runtime/cli/version.ts";
import { cleanCatalog, downgradeCatalog, reversals } from "../../runtime/databases/metadata/downgrade.ts";
import { migrations } from "../../runtime/databases/metadata/migrations.ts";
import { openMetadataDatabase } from "../../runtime/databases/metadata/open.ts";
import { releases } from "../../runtime/databases/metadata/releases.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

let database: TestDatabase;

beforeAll(ensureBuilt, 120_000);

beforeEach(async () => {
  await database?.drop();
  database = await createDatabase("catalog_commands");
});

afterAll(() => database.drop());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function engine(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const { PATH = "" } = process.env;
  const command = [join(root, ".build/engine.mjs"), ...args];
  try {
    const output = await promisify(execFile)(process.execPath, command, { env: { PATH, ...environment } });
    return { code: 0, ...output };
  } catch (error) {
    return error as Ended;
  }
}

/** Fills the database and the metadata database with a server, and returns the exported metadata. */
async function fill(): Promise<unknown> {
  const server = await startTestServer({ sealed: false, on: { databaseUrl: database.url, metadataUrl: database.url } });
  await server.post("/v2/query", { type: "run_sql", args: { sql: "create table note (id int primary key)" } });
  await server.metadata("pg_track_table", { table: "note" });
  const exported = await server.metadata("export_metadata", {});
  await server.stop();
  return exported;
}

describe("The engine export command", () => {
  it("engine export prints the metadata that the server exports", async () => {
    const exported = await fill();
    const { code, stdout } = await engine(["export"], { ENGINE_GRAPHQL_DATABASE_URL: database.url });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(exported);
  });

  it("engine export includes the defaults of database kinds like the server", async () => {
    await fill();
    const defaults = JSON.stringify({ backend_configs: { dataconnector: { sqlite: { uri: "http://a" } } } });
    const environment = { ENGINE_GRAPHQL_DATABASE_URL: database.url, ENGINE_GRAPHQL_METADATA_DEFAULTS: defaults };
    const { stdout } = await engine(["export"], environment);
    expect(JSON.parse(stdout).backend_configs).toEqual({ dataconnector: { sqlite: { uri: "http://a" } } });
  });

  it("engine export accepts the database before the command and in parts", async () => {
    await fill();
    const before = await engine(["--metadata-database-url", database.url, "export"]);
    expect(JSON.parse(before.stdout).version).toBe(3);
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const parts = ["--host", hostname, "--port", port, "--user", username, "--dbname", pathname.slice(1)];
    const inParts = await engine(["export", ...parts, ...(password === "" ? [] : ["--password", password])]);
    expect(inParts.stdout).toBe(before.stdout);
  });

  it("engine export fails without metadata and without a database", async () => {
    const empty = await engine(["export", "--database-url", database.url]);
    expect(empty).toMatchObject({ code: 1, stdout: "" });
    expect(empty.stderr).toContain("holds no metadata");
    const nowhere = await engine(["export"]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/--metadata-database-url .* or --database-url/);
    const half = await engine(["start", "--port", "9000"]);
    expect(half.code).toBe(1);
    expect(half.stderr).toContain("to set the port of the server, use --server-port");
  });
});

describe("The engine clean command", () => {
  it("engine clean deletes the metadata and no table of the user", async () => {
    await fill();
    const { code } = await engine(["clean", "--database-url", database.url]);
    expect(code).toBe(0);
    const left = await query(
      database.url,
      "select to_regclass('note') is not null as note, to_regnamespace('engine_catalog') as schema",
    );
    expect(left).toEqual([{ note: true, schema: null }]);
    expect(await cleanCatalog(database.url, 0)).toBe(false);
  });
});

/** Returns tables, columns and indexes. */
const contents = (): Promise<unknown> =>
  query(
    database.url,
    `select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
     from information_schema.columns where table_schema = 'engine_catalog'
     union all select indexdef from pg_indexes where schemaname = 'engine_catalog' and indexname not like '%key'
     order by 1`,
  );

/** Reverts the tables to an older version. */
async function makeVersion(version: number): Promise<void> {
  await query(database.url, "create schema engine_catalog");
  for (const step of migrations.slice(0, version)) await query(database.url, step);
  const row = `insert into engine_catalog.engine_version (version, upgraded_on) values ('${version}', now())`;
  await query(database.url, row);
}

const upgrade = async (): Promise<void> => (await openMetadataDatabase(database.url, { retries: 0 })).close();

describe("The engine downgrade command", () => {
  it("Each catalog migration has a reversal", () => {
    expect(reversals).toHaveLength(migrations.length);
  });

  it.each(migrations.map((_, i) => i + 1))(
    "engine downgrade returns to version %i and a start upgrades it again",
    async (version) => {
      await makeVersion(version);
      const older = await contents();
      await upgrade();
      const newest = await contents();
      await downgradeCatalog(database.url, version, { retries: 0, dryRun: false });
      expect(await contents()).toEqual(older);
      await upgrade();
      expect(await contents()).toEqual(newest);
    },
  );

  it("engine downgrade keeps the metadata", async () => {
    const exported = await fill();
    await downgradeCatalog(database.url, 1, { retries: 0, dryRun: false });
    const { stdout } = await engine(["export", "--database-url", database.url]);
    expect(JSON.parse(stdout)).toEqual(exported);
    await upgrade();
    expect(JSON.parse((await engine(["export", "--database-url", database.url])).stdout)).toEqual(exported);
  });

  it("engine downgrade with --dry-run prints its statements without running them", async () => {
    await upgrade();
    const before = await contents();
    const { code, stdout } = await engine([
      "downgrade",
      "--to-catalog-version",
      "1",
      "--dryRun",
      "--database-url",
      database.url,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("drop table engine_catalog.engine_metadata_part");
    expect(await contents()).toEqual(before);
  });

  it("engine downgrade is refused while an instance is alive, unless it is forced", async () => {
    await upgrade();
    await query(database.url, "insert into engine_catalog.engine_server_instances (id) values (gen_random_uuid())");
    const before = await contents();
    const command = ["downgrade", "--to-catalog-version", "1", "--database-url", database.url];
    const refused = await engine(command);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/stop all instances first.*--force/s) });
    expect(await contents()).toEqual(before);
    const forced = await engine([...command, "--force"]);
    expect(forced.code).toBe(0);
    expect(forced.stdout + forced.stderr).toContain("from version");
    expect(await contents()).not.toEqual(before);
  });

  it("The catalog version of each release is known, including this one", () => {
    expect(releases.get(version)).toBe(migrations.length);
    expect(Math.max(...releases.values())).toBe(migrations.length);
  });

  it("engine downgrade can target the catalog version of a release", async () => {
    await upgrade();
    await query(database.url, "update engine_catalog.engine_version set version = $1", [String(migrations.length + 1)]);
    const refused = await engine(["downgrade", `--to-v${version}`, "--database-url", database.url]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`supports up to ${migrations.length}`) });
    await query(database.url, "update engine_catalog.engine_version set version = $1", [String(migrations.length)]);
    const { code } = await engine(["downgrade", `--to-v${version}`, "--database-url", database.url]);
    expect(code).toBe(0);
  });

  it.each([[[]], [["--to-catalog-version", "1", `--to-v${version}`]], [["--to-v0.0.9"]]])(
    "engine downgrade requires exactly one version: %j",
    async (flags) => {
      await upgrade();
      const before = await contents();
      const { code, stderr } = await engine(["downgrade", ...flags, "--database-url", database.url]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`--to-v${version}`)]);
      expect(await contents()).toEqual(before);
    },
  );

  it.each(["0", "99", "many"])("engine downgrade refuses version %s", async (version) => {
    await upgrade();
    const before = await contents();
    const { code, stderr } = await engine([
      "downgrade",
      "--to-catalog-version",
      version,
      "--database-url",
      database.url,
    ]);
    expect(code).toBe(1);
    expect(stderr).not.toContain("    at ");
    expect(await contents()).toEqual(before);
  });
});
