/** `engine migrate` as a user types it, against a real server and its database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ended, runCommand } from "../../support/command-line.ts";
import { query } from "../../support/database.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const root = join(import.meta.dirname, "../../..");

let server: TestServer;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.close();
});

beforeEach(async () => {
  project = await newProject();
});

async function newProject(): Promise<string> {
  await server.metadata("set_catalog_state", { type: "cli", state: {} });
  await query(server.databaseUrl, "drop schema public cascade; create schema public");
  return temporaryDirectory({ "config.yaml": `version: 3\nendpoint: ${server.url}\n` });
}

async function migrate(...args: readonly string[]): Promise<Ended> {
  const ended = await runCommand("migrate", ...args, "--project", project);
  return { ...ended, stderr: ended.stderr.replaceAll(`${project}/`, "") };
}

/** Writes the files of a migration; `null` for no file. */
async function write(folder: string, up: string | null, down: string | null): Promise<void> {
  const path = join(project, "migrations/default", folder);
  await mkdir(path, { recursive: true });
  if (up !== null) await writeFile(join(path, "up.sql"), up);
  if (down !== null) await writeFile(join(path, "down.sql"), down);
}

async function tables(): Promise<readonly string[]> {
  const rows = await query(
    server.databaseUrl,
    "select tablename::text as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => String(name));
}

async function remembered(): Promise<unknown> {
  const { cli_state } = (await server.metadata("get_catalog_state", {})) as { cli_state: Record<string, unknown> };
  return (cli_state.migrations as Record<string, unknown> | undefined)?.default ?? {};
}

describe("The migrate commands", () => {
  it("Migrations are applied in order, listed and rolled back", async () => {
    await write("2_b", "create table b (a_id integer references a)", "drop table b");
    await write("1_a", "create table a (id integer primary key)", "drop table a");
    expect(await migrate("apply", "--dry-run")).toMatchObject({
      code: 0,
      stdout: "would apply 1_a on default\nwould apply 2_b on default\n",
    });
    expect(await tables()).toEqual([]);
    expect(await migrate("apply")).toEqual({
      code: 0,
      stdout: "applied 1_a on default\napplied 2_b on default\n",
      stderr: "",
    });
    expect(await tables()).toEqual(["a", "b"]);
    expect(await remembered()).toEqual({ 1: false, 2: false });
    expect(await migrate("apply")).toEqual({ code: 0, stdout: "", stderr: "" });
    await write("3_c", "create table c ()", null);
    await rm(join(project, "migrations/default/2_b"), { recursive: true });
    expect((await migrate("status")).stdout).toBe(
      [
        "VERSION  NAME  SOURCE STATUS  DATABASE STATUS",
        "1        a     Present        Present",
        "2        -     Not Present    Present",
        "3        c     Present        Not Present",
        "",
      ].join("\n"),
    );
    await write("2_b", null, "drop table b");
    expect((await migrate("apply", "--goto", "1")).stdout).toBe("reverted 2_b on default\n");
    expect(await tables()).toEqual(["a"]);
    expect(JSON.parse((await migrate("status", "-o", "json")).stdout)).toHaveLength(3);
  });

  it("A failing migration is located, and the report lists applied and pending ones", async () => {
    await write("1_a", "create table a ()", null);
    await write("2_b", "create table b ();\ncreate table c (\n  d nothing\n);", null);
    await write("3_c", "create table c ()", null);
    expect(await migrate("apply")).toEqual({
      code: 1,
      stdout: "applied 1_a on default\n",
      stderr: [
        'migrations/default/2_b/up.sql:3:5: type "nothing" does not exist (42704)',
        "migration 2 of default failed: its transaction was rolled back",
        "applied before it: 1 (up); not applied: 3 (up)",
        "",
      ].join("\n"),
    });
    expect([await tables(), await remembered()]).toEqual([["a"], { 1: false }]);
  });

  it("A failing statement is located even if the error concerns the database", async () => {
    await write("1_a", "create table a ();\n\n-- 🙂\nalter table a drop column b;\nselect 1", null);
    expect((await migrate("apply")).stderr).toContain(
      'migrations/default/1_a/up.sql:4:1: column "b" of relation "a" does not exist (42703)\n',
    );
  });

  it("A failed migration without a transaction stays unfinished until a person resolves it", async () => {
    await write("1_a", "create table a ();\nselect nothing", null);
    const failed = await migrate("apply", "--no-transaction");
    expect(failed.stderr).toContain("migrations/default/1_a/up.sql:2:8: ");
    expect(failed.stderr).toContain("its earlier statements remain, and it is marked as unfinished");
    expect([await tables(), await remembered()]).toEqual([["a"], { 1: true }]);
    expect((await migrate("status")).stdout).toContain("Present        Unfinished");
    expect((await migrate("apply")).stderr).toContain("migration 1 was interrupted: check whether");
    expect((await migrate("apply", "--version", "1", "--skip-execution")).code).toBe(0);
    expect(await remembered()).toEqual({ 1: false });
  });

  it("A migration whose first line is engine:no-transaction runs without one, and the others in theirs", async () => {
    const first = "-- engine:no-transaction\n";
    await write("1_a", "create table a (id int);\n-- engine:no-transaction", null);
    await write("2_b", `${first}create index concurrently a_id on a (id);\ncreate table b ()`, null);
    expect((await migrate("apply")).code).toBe(0);
    expect([await tables(), await remembered()]).toEqual([["a", "b"], { 1: false, 2: false }]);
    await write("3_c", `${first}create table c ();\nselect nothing`, null);
    const failed = await migrate("apply");
    expect(failed.stderr).toContain("its earlier statements remain, and it is marked as unfinished");
    expect([await tables(), await remembered()]).toEqual([["a", "b", "c"], { 1: false, 2: false, 3: true }]);
    await migrate("apply", "--version", "3", "--skip-execution");
    await write("4_d", "create table d ();\nselect nothing", null);
    expect((await migrate("apply")).stderr).toContain("its transaction was rolled back");
    expect(await tables()).toEqual(["a", "b", "c"]);
  });

  it("Migrations are deleted with their files or only on the server, after confirmation", async () => {
    await write("1_a", "create table a ()", null);
    await migrate("apply");
    expect((await migrate("delete", "--all")).stderr).toContain("required to confirm without a terminal");
    expect(await migrate("delete", "--version", "1", "--server", "--force")).toMatchObject({ code: 0 });
    expect([await tables(), await remembered(), await readdir(join(project, "migrations/default"))]).toEqual([
      ["a"],
      {},
      ["1_a"],
    ]);
    expect(await migrate("delete", "--all", "--force")).toMatchObject({ code: 0 });
    expect(await readdir(join(project, "migrations/default"))).toEqual([]);
    expect((await migrate("delete", "--version", "7", "--force")).stderr).toContain("have migration 7");
  });

  it("A new migration has the next version and a portable name", async () => {
    await write("99999999999999999_later", "select 1", null);
    const { stdout } = await migrate("create", "näme: a/b c", "--up-sql", "select 2", "--down-sql", "select 3");
    expect(stdout).toBe("100000000000000000\n");
    expect(await readdir(join(project, "migrations/default"))).toContain("100000000000000000_näme_a_b_c");
    expect((await migrate("apply")).stdout).toContain("applied 100000000000000000_näme_a_b_c on default");
  });

  it.each([
    [["apply", "--up", "1", "--down", "1"], "option --down: cannot be used with --up"],
    [["apply", "--up", "-1"], 'option --up: expected a whole number, but found "-1"'],
    [["apply", "--version", "x"], "option --version: expected the version of a migration"],
    [["apply", "--type", "down"], "option --type: requires --version"],
    [["apply", "--database-name", "defualt"], "the server has no database defualt"],
    [["apply", "--database-name", "default", "--all-databases"], "are mutually exclusive"],
    [["delete", "--force"], "pass either --version or --all"],
    [["create", "x", "--schema", "a"], "option --schema: requires --from-server"],
  ])("The command %j is refused: %s", async (args, message) => {
    expect(await migrate(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });

  it("Migrations of an unknown database are refused before any SQL runs", async () => {
    await write("1_a", "create table a ()", null);
    await mkdir(join(project, "migrations/other/1_x"), { recursive: true });
    expect((await migrate("apply", "--all-databases")).stderr).toContain("the server has no database other");
    expect(await tables()).toEqual([]);
  });

  it.skipIf(missingProgram("pg_dump"))("A migration can start from the schema of an existing server", async () => {
    await query(server.databaseUrl, "create table a (id integer primary key); create view b as select id from a");
    const created = await migrate("create", "init", "--from-server");
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const version = created.stdout.trim();
    expect((await migrate("apply", "--version", version, "--skip-execution")).code).toBe(0);
    expect(await migrate("apply")).toEqual({ code: 0, stdout: "", stderr: "" });
    await query(server.databaseUrl, "drop schema public cascade; create schema public");
    await server.metadata("set_catalog_state", { type: "cli", state: {} });
    expect((await migrate("apply")).stdout).toBe(`applied ${version}_init on default\n`);
    expect(await tables()).toEqual(["a"]);
  });

  it("A migration runs once, even if several tools start concurrently", async () => {
    await write("1_a", "create table a (); select pg_sleep(0.3)", null);
    const both = await Promise.all([migrate("apply"), migrate("apply")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await remembered()).toEqual({ 1: false });
  });

  it("A killed tool leaves its migration marked as unfinished and a running one holds the lock", async () => {
    await write("1_a", "create table a (); select pg_sleep(20)", null);
    const args = ["--import", "tsx", join(root, "runtime/cli/engine.ts"), "migrate", "apply", "--project", project];
    const tool = spawn(process.execPath, args, { cwd: root, stdio: "ignore" });
    await expect.poll(remembered, { timeout: 30_000 }).toEqual({ 1: true });
    const ended = once(tool, "exit");
    tool.kill("SIGKILL");
    await ended;
    expect((await migrate("status")).stdout).toContain("Present        Unfinished");
    expect((await migrate("apply", "--lock-timeout", "0")).stderr).toMatch(
      /^error: the server is locked by engine migrate apply on /,
    );
    // Ends the lease now instead of waiting for half a minute.
    await query(server.metadataUrl, "update engine_catalog.engine_catalog_lock set expires_at = clock_timestamp()");
    const next = await migrate("apply", "--lock-timeout", "10");
    expect(next.stderr).toContain("migration 1 was interrupted: check whether");
    // The statement of the killed tool would hold its locks until it ends, and the next test would wait for them.
    await query(
      server.databaseUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create table a (); select pg_sleep%'",
    );
  }, 60_000);

  it("A migration times out on a lock that another tool does not release", async () => {
    const holder = "00000000-0000-4000-8000-000000000001";
    const lock = (seconds: number) =>
      server.metadata("lock_catalog_state", { type: "cli", holder, label: "a deployment", seconds });
    await lock(60);
    const { code, stderr } = await migrate("apply", "--lock-timeout", "0");
    await lock(0);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: the server is locked by a deployment since /)]);
  });
});

// The law of migrations.

/**
 * The naive model: files and applied versions as sets. Migration `v` creates the table `t<v>`; a failing migration
 * creates it and then runs an invalid statement.
 */
type Command =
  | { readonly kind: "create"; readonly fails: boolean }
  | { readonly kind: "mend" }
  | { readonly kind: "apply"; readonly count: number }
  | { readonly kind: "down"; readonly count: number }
  | { readonly kind: "squash" };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create" as const), fails: fc.nat(3).map((n) => n === 0) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("apply" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("down" as const), count: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mend" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("squash" as const) }) },
);

interface Known {
  readonly version: bigint;
  /** Tables that the migration creates. */
  readonly makes: readonly string[];
  fails: boolean;
}

it("Files, state and database stay consistent after any sequence of commands", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 12 }), async (commands) => {
      project = await newProject();
      let files: Known[] = [];
      let applied: Known[] = [];
      let count = 0;
      for (const each of commands) {
        if (each.kind === "create") {
          const table = `t${++count}`;
          const version = (files.at(-1)?.version ?? 0n) + 100n;
          files.push({ version, makes: [table], fails: each.fails });
          await write(
            `${version}_x`,
            `create table ${table} ();${each.fails ? " select nothing;" : ""}`,
            `drop table ${table}`,
          );
        } else if (each.kind === "mend") {
          for (const file of files.filter(({ fails }) => fails)) {
            file.fails = false;
            await write(`${file.version}_x`, `create table ${file.makes[0]} ();`, null);
          }
        } else if (each.kind === "apply") {
          const pending = files.filter((file) => !applied.includes(file)).slice(0, each.count);
          const failing = pending.findIndex(({ fails }) => fails);
          const { code } = await migrate("apply", "--up", String(each.count));
          expect(code).toBe(failing < 0 ? 0 : 1);
          applied.push(...(failing < 0 ? pending : pending.slice(0, failing)));
          applied.sort((a, b) => Number(a.version - b.version));
        } else if (each.kind === "down") {
          expect((await migrate("apply", "--down", String(each.count))).code).toBe(0);
          applied = applied.slice(0, Math.max(0, applied.length - each.count));
        } else {
          const [first, second] = files;
          if (first === undefined || second === undefined || first.fails || second.fails) continue;
          const isThere = [first, second].map((file) => applied.includes(file));
          if (isThere[0] !== isThere[1]) continue;
          const range = ["--from", String(first.version), "--to", String(second.version)];
          expect((await migrate("squash", ...range, "--delete-source")).code).toBe(0);
          const one: Known = { version: second.version + 1n, makes: [...first.makes, ...second.makes], fails: false };
          files = [one, ...files.slice(2)];
          if (isThere[0]) {
            applied = [one, ...applied.slice(2)];
            expect((await migrate("apply", "--version", String(one.version))).code).toBe(0);
          }
        }
        expect(await tables()).toEqual(applied.flatMap(({ makes }) => makes).sort());
        expect(await remembered()).toEqual(Object.fromEntries(applied.map(({ version }) => [String(version), false])));
      }
    }),
    { numRuns: 20 },
  );
});
