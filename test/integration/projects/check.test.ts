/** `engine check` as CI runs it: no server, and databases that are gone afterwards. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Ended, runCommand } from "../../support/command-line.ts";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
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

beforeEach(async () => {
  project = join(await temporaryDirectory(), "shop");
  await runCommand("init", project);
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

// Each makes databases on a PostgreSQL of its own.
describe("engine check", { timeout: 120_000 }, () => {
  it("runs the SQL of the project, and holds the metadata against what it makes", async () => {
    expect(await check()).toEqual({
      code: 0,
      stdout: "good: metadata, 2 migrations and 1 seed of default\n",
      stderr: "environment variables that the server needs and that are not set here: HOOK_URL\n",
    });
    await write(".env", "HOOK_URL=http://hook\n");
    expect((await check()).stderr).toBe("");
    expect(await scratchDatabases()).toEqual([]);
  });

  it("names file and line of what is inconsistent", async () => {
    await write(tablesFile, tables("id, txt"));
    const wrong = await check();
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(
      /^metadata\/databases\/default\/tables\/tables\.yaml:3:7: inconsistent select_permission user .*did you mean "text"\?\n1 problem\n$/,
    );
    const allowed = await check("--allow-inconsistent");
    expect(allowed).toMatchObject({ code: 0, stderr: expect.stringMatching(/^left out: metadata\/.*:3:7: /) });
  });

  it("names file, line and column of SQL that fails, in seeds too, and leaves no database behind", async () => {
    await write("migrations/default/2_kinds/up.sql", "create table a ();\n-- ö\ncreate table 🙂 (d nothing)");
    expect((await check()).stderr).toBe(
      'postgres-error: migrations/default/2_kinds/up.sql:3:19: type "nothing" does not exist (42704)\n1 problem\n',
    );
    await write("migrations/default/2_kinds/up.sql", "create table kind (value text primary key, comment text)");
    await write("seeds/default/1_kinds.sql", "insert into kind values ('short', 'a', 'b')");
    expect((await check()).stderr).toContain("seeds/default/1_kinds.sql:1:");
    expect(await scratchDatabases()).toEqual([]);
  });

  it("reports migrations and metadata that cannot be read together", async () => {
    await write("migrations/default/002_again/up.sql", "select 1");
    await write("metadata/network.yaml", "tls_allowlist: [\n");
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toMatch(/migrations\/default\/2_kinds has the version of/);
    expect(stderr).toMatch(/metadata\/network\.yaml:2:1: /);
    expect(stderr).toContain("2 problems\n");
  });

  it("knows the databases that migrations may be for", async () => {
    await write("migrations/defualt/1_a/up.sql", "select 1");
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'migrations or seeds of the database defualt, which the metadata does not have: did you mean "default"?',
      ),
    });
  });

  it("says what it would have to know", async () => {
    await rm(join(project, "migrations"), { recursive: true });
    await rm(join(project, "seeds"), { recursive: true });
    expect((await check()).stderr).toContain("what the database default looks like is unknown: write migrations, ");
  });

  it("needs rights to make databases, and says so without the password", async () => {
    const { url, drop } = await createDatabase();
    try {
      await query(url, "create role no_maker login password 'hush'");
      const shadow = new URL(url);
      Object.assign(shadow, { username: "no_maker", password: "hush" });
      const refused = await runCommand("check", "--project", project, "--shadow-url", shadow.href);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot make a scratch database on ") });
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

  it("runs SQL on an embedded database as a user that can do nothing else, and leaves no files", async () => {
    await write("migrations/default/1_notes/up.sql", "copy (select 1) to program 'true'");
    const before = await readdir(tmpdir());
    const refused = await runCommand("check", "--project", project);
    expect(refused.stderr).toContain("must be superuser or have privileges of the pg_execute_server_program role");
    const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
    expect(left.filter((name) => name.startsWith("engine-scratch-"))).toEqual([]);
  });
});
