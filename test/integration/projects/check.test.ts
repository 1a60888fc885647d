/** `engine check` as CI runs it: no server, and databases that are dropped afterwards. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engine } from "../../support/artifact.ts";
import { type Ended, runCommand } from "../../support/command-line.ts";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

let project: string;

const tables = (columns: string) => `- table: {schema: public, name: note}
  select_permissions:
    - role: user
      permission: {columns: [${columns}], filter: {}}
  event_triggers:
    - name: changed
      webhook_from_env: HOOK_URL
      definition: {insert: {columns: "*"}}
      retry_conf: {num_retries: 0, interval_sec: 10, timeout_sec: 60}
- table: {schema: public, name: kind}
  is_enum: true
`;

const tablesFile = "metadata/databases/default/tables/tables.yaml";

beforeAll(ensureBuilt, 120_000);

beforeEach(async () => {
  project = join(await temporaryDirectory(), "shop");
  await runCommand("init", project, "--template", "empty");
  await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text);\n");
  await write("migrations/default/2_kinds/up.sql", "create table kind (value text primary key, comment text)");
  await write("seeds/default/1_kinds.sql", "insert into kind values ('short', 'a few words')");
  await write(tablesFile, tables("id, text"));
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

async function check(...args: readonly string[]): Promise<Ended> {
  const ended = await runCommand("check", "--project", project, "--shadow-url", postgresUrl(), ...args);
  return { ...ended, stderr: ended.stderr.replaceAll(`${project}/`, "") };
}

const scratchDatabases = () =>
  query(postgresUrl(), "select datname from pg_database where datname like 'engine_scratch_%'");

// Each test creates databases on its own PostgreSQL.
describe("The engine check command", { timeout: 120_000 }, () => {
  it("engine check runs the project's SQL and checks the metadata against the result", async () => {
    expect(await check()).toEqual({
      code: 0,
      stdout: "valid: metadata, 2 migrations and 1 seed of default\n",
      stderr: "environment variables required by the server and not set here: HOOK_URL\n",
    });
    await write(".env", "HOOK_URL=http://hook\n");
    expect((await check()).stderr).toBe("");
    expect(await scratchDatabases()).toEqual([]);
  });

  it("engine check runs a migration outside a transaction if its first line states so", async () => {
    const sql = "create index concurrently note_text on note (text)";
    await write("migrations/default/3_index/up.sql", sql);
    expect((await check()).stderr).toContain("migrations/default/3_index/up.sql");
    await write("migrations/default/3_index/up.sql", `-- engine:no-transaction\n${sql}`);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it("--save-shape saves the shape of a valid project, which then needs no SQL", async () => {
    const shape = join(project, "shape.json");
    await write(tablesFile, tables("id, nothing"));
    expect((await check("--save-shape", shape)).code).toBe(1);
    await expect(readFile(shape)).rejects.toThrow("ENOENT");
    await write(tablesFile, tables("id, text"));
    expect((await check("--save-shape", shape)).code).toBe(0);
    await rm(join(project, "migrations"), { recursive: true });
    await rm(join(project, "seeds"), { recursive: true });
    expect(await check("--shape", shape)).toMatchObject({ code: 0, stdout: "valid: metadata\n" });
    const built = await engine(["build", "--metadata", "metadata", "--out", "artifact"], project);
    expect([built.code, built.stdout]).toEqual([0, expect.stringContaining("built artifact")]);
  });

  it("engine check locates inconsistent objects", async () => {
    await write(tablesFile, tables("id, txt"));
    const wrong = await check();
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(
      /^metadata\/databases\/default\/tables\/tables\.yaml:3:7: inconsistent select_permission user .*did you mean "text"\?\n1 problem\n$/,
    );
    const allowed = await check("--allow-inconsistent");
    expect(allowed).toMatchObject({ code: 0, stderr: expect.stringMatching(/^left out: metadata\/.*:3:7: /) });
  });

  it("engine check locates failing SQL, including seeds, and leaves no database behind", async () => {
    await write("migrations/default/2_kinds/up.sql", "create table a ();\n-- ö\ncreate table 🙂 (d nothing)");
    expect((await check()).stderr).toBe(
      'migrations/default/2_kinds/up.sql:3:19: type "nothing" does not exist (42704)\n1 problem\n',
    );
    await write("migrations/default/2_kinds/up.sql", "create table kind (value text primary key, comment text)");
    await write("seeds/default/1_kinds.sql", "insert into kind values ('short', 'a', 'b')");
    expect((await check()).stderr).toContain("seeds/default/1_kinds.sql:1:");
    expect(await scratchDatabases()).toEqual([]);
  });

  it("engine check reports errors of migrations and metadata together", async () => {
    await write("migrations/default/002_again/up.sql", "select 1");
    await write("metadata/network.yaml", "tls_allowlist: [\n");
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toMatch(/migrations\/default\/2_kinds has the same version as/);
    expect(stderr).toMatch(/metadata\/network\.yaml:2:1: /);
    expect(stderr).toContain("2 problems\n");
  });

  it("engine check knows the databases of migrations", async () => {
    await write("migrations/defualt/1_a/up.sql", "select 1");
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'migrations or seeds belong to database defualt, which the metadata does not have: did you mean "default"?',
      ),
    });
  });

  it("engine check names the missing description of a database", async () => {
    await rm(join(project, "migrations"), { recursive: true });
    await rm(join(project, "seeds"), { recursive: true });
    expect((await check()).stderr).toContain("the shape of database default is unknown: write migrations, ");
  });

  it("engine check requires the right to create databases and hides the password in its error", async () => {
    const { url, drop } = await createDatabase();
    try {
      await query(url, "create role no_maker login password 'hush'");
      const shadow = new URL(url);
      Object.assign(shadow, { username: "no_maker", password: "hush" });
      const refused = await runCommand("check", "--project", project, "--shadow-url", shadow.href);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("cannot create a scratch database on "),
      });
      expect(refused.stderr).toContain("permission denied to create database");
      expect(refused.stderr).not.toContain("hush");
      expect(await runCommand("check", "--project", project, "--shadow-url", "mysql://x")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--shadow-url"),
      });
    } finally {
      await drop();
      await query(postgresUrl(), "drop role no_maker");
    }
  });

  it("engine check runs SQL with minimal privileges on an embedded database and leaves no files", async () => {
    await write("migrations/default/1_notes/up.sql", "copy (select 1) to program 'true'");
    const before = await readdir(tmpdir());
    const refused = await runCommand("check", "--project", project);
    expect(refused.stderr).toContain("must be superuser or have privileges of the pg_execute_server_program role");
    const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
    expect(left.filter((name) => name.startsWith("engine-scratch-"))).toEqual([]);
  });
});
