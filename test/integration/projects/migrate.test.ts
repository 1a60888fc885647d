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

/** Files of a migration; `null`: no such file. */
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

describe("migrations", () => {
  it("are applied in order, shown, and taken back", async () => {
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
    expect((await migrate("apply", "--goto", "1")).stdout).toBe("took back 2_b on default\n");
    expect(await tables()).toEqual(["a"]);
    expect(JSON.parse((await migrate("status", "-o", "json")).stdout)).toHaveLength(3);
  });

  it("name file and line of what fails, and what was applied and what not", async () => {
    await write("1_a", "create table a ()", null);
    await write("2_b", "create table b ();\ncreate table c (\n  d nothing\n);", null);
    await write("3_c", "create table c ()", null);
    expect(await migrate("apply")).toEqual({
      code: 1,
      stdout: "applied 1_a on default\n",
      stderr: [
        'postgres-error: migrations/default/2_b/up.sql:3:5: type "nothing" does not exist (42704)',
        "migration 2 of default failed: its transaction was rolled back",
        "applied before it: 1 (up); not applied: 3 (up)",
        "",
      ].join("\n"),
    });
    expect([await tables(), await remembered()]).toEqual([["a"], { 1: false }]);
  });

  it("name the line of a statement that fails for what it says of the database", async () => {
    await write("1_a", "create table a ();\n\n-- 🙂\nalter table a drop column b;\nselect 1", null);
    expect((await migrate("apply")).stderr).toContain(
      'migrations/default/1_a/up.sql:4:1: column "b" of relation "a" does not exist (42703)\n',
    );
  });

  it("without a transaction stay unfinished after a failure, until a person has looked", async () => {
    await write("1_a", "create table a ();\nselect nothing", null);
    const failed = await migrate("apply", "--no-transaction");
    expect(failed.stderr).toContain("migrations/default/1_a/up.sql:2:8: ");
    expect(failed.stderr).toContain("what it had run before stays, and it is marked as unfinished");
    expect([await tables(), await remembered()]).toEqual([["a"], { 1: true }]);
    expect((await migrate("status")).stdout).toContain("Present        Unfinished");
    expect((await migrate("apply")).stderr).toContain("migration 1 was under way when a tool or its server ended");
    expect((await migrate("apply", "--version", "1", "--skip-execution")).code).toBe(0);
    expect(await remembered()).toEqual({ 1: false });
  });

  it("are deleted with their files, or on the server alone, when somebody says so", async () => {
    await write("1_a", "create table a ()", null);
    await migrate("apply");
    expect((await migrate("delete", "--all")).stderr).toContain("Nobody can be asked here");
    expect(await migrate("delete", "--version", "1", "--server", "--force")).toMatchObject({ code: 0 });
    expect([await tables(), await remembered(), await readdir(join(project, "migrations/default"))]).toEqual([
      ["a"],
      {},
      ["1_a"],
    ]);
    expect(await migrate("delete", "--all", "--force")).toMatchObject({ code: 0 });
    expect(await readdir(join(project, "migrations/default"))).toEqual([]);
    expect((await migrate("delete", "--version", "7", "--force")).stderr).toContain("there is no migration 7");
  });

  it("are made with the next version, and names that any file system takes", async () => {
    await write("99999999999999999_later", "select 1", null);
    const { stdout } = await migrate("create", "näme: a/b c", "--up-sql", "select 2", "--down-sql", "select 3");
    expect(stdout).toBe("100000000000000000\n");
    expect(await readdir(join(project, "migrations/default"))).toContain("100000000000000000_näme_a_b_c");
    expect((await migrate("apply")).stdout).toContain("applied 100000000000000000_näme_a_b_c on default");
  });

  it.each([
    [["apply", "--up", "1", "--down", "1"], "Option --down: cannot be used with --up"],
    [["apply", "--up", "-1"], 'Option --up: expected a whole number, but found "-1"'],
    [["apply", "--version", "x"], "Option --version: expected the version of a migration"],
    [["apply", "--type", "down"], "says the direction of --version"],
    [["apply", "--database-name", "defualt"], "the server has no database defualt"],
    [["apply", "--database-name", "default", "--all-databases"], "leave one of the two out"],
    [["delete", "--force"], "say which migrations"],
    [["create", "x", "--schema", "a"], "says what --from-server dumps"],
  ])("%j is refused: %s", async (args, message) => {
    expect(await migrate(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });

  it("of databases that the server does not have are an error before anything is run", async () => {
    await write("1_a", "create table a ()", null);
    await mkdir(join(project, "migrations/other/1_x"), { recursive: true });
    expect((await migrate("apply", "--all-databases")).stderr).toContain("the server has no database other");
    expect(await tables()).toEqual([]);
  });

  it.skipIf(missingProgram("pg_dump"))("begin with the schema that a server has, in another one too", async () => {
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

  it("run once, however many start at the same time", async () => {
    await write("1_a", "create table a (); select pg_sleep(0.3)", null);
    const both = await Promise.all([migrate("apply"), migrate("apply")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await remembered()).toEqual({ 1: false });
  });

  it("tell that one was under way when the tool was killed, and hold the next one off meanwhile", async () => {
    await write("1_a", "create table a (); select pg_sleep(20)", null);
    const args = ["--import", "tsx", join(root, "runtime/cli/main.ts"), "migrate", "apply", "--project", project];
    const tool = spawn(process.execPath, args, { cwd: root, stdio: "ignore" });
    await expect.poll(remembered, { timeout: 30_000 }).toEqual({ 1: true });
    const ended = once(tool, "exit");
    tool.kill("SIGKILL");
    await ended;
    expect((await migrate("status")).stdout).toContain("Present        Unfinished");
    expect((await migrate("apply", "--lock-timeout", "0")).stderr).toMatch(/^locked: engine migrate apply on /);
    // In place of the half minute that the lease lasts.
    await query(server.metadataUrl, "update engine_catalog.engine_catalog_lock set expires_at = clock_timestamp()");
    const next = await migrate("apply", "--lock-timeout", "10");
    expect(next.stderr).toContain("migration 1 was under way when a tool or its server ended");
  }, 60_000);

  it("end in time when another tool does not end", async () => {
    const holder = "00000000-0000-4000-8000-000000000001";
    const lock = (seconds: number) =>
      server.metadata("lock_catalog_state", { type: "cli", holder, label: "a deployment", seconds });
    await lock(60);
    const { code, stderr } = await migrate("apply", "--lock-timeout", "0");
    await lock(0);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^locked: a deployment works on this server since /)]);
  });
});

// ---------------------------------------------------------------- the law

/**
 * The naive model: files and applied versions as sets. Migration `v` makes the table `t<v>`; one that fails makes it, too,
 * and then does something that cannot be.
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
  /** Tables that it makes. */
  readonly makes: readonly string[];
  fails: boolean;
}

it("keeps files, state and database in step, whatever is done in whatever order", { timeout: 120_000 }, async () => {
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
