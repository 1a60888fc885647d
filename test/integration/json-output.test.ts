/** `--json` of the commands that call a server: the results are those that the reference describes. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reportMembers } from "../../runtime/cli/json-report.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const adminSecret = "quite-secret-word";

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: adminSecret } });
  folder = await mkdtemp(join(tmpdir(), "json-output-"));
  await write("config.yaml", `version: 3\nendpoint: ${server.url}\nadmin_secret: ${adminSecret}\n`);
  await write("metadata/version.yaml", "version: 3\n");
  await write(
    "metadata/databases/databases.yaml",
    `- name: default
  kind: postgres
  configuration: { connection_info: { database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL } } }
  tables: "!include default/tables/tables.yaml"
`,
  );
  await writeTables("[id]");
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

const writeTables = (columns: string): Promise<void> =>
  write(
    "metadata/databases/default/tables/tables.yaml",
    `- table: { schema: public, name: note }
  select_permissions:
    - role: user
      permission: { columns: ${columns}, filter: {} }
`,
  );

/** Runs a command, and returns its report. */
async function report(...words: readonly string[]) {
  const { code, stdout, stderr } = await runCommand(...words, "--json", "--project", folder);
  expect(stderr).toBe("");
  expect(stdout).not.toContain(adminSecret);
  const value = JSON.parse(stdout.replaceAll(`${folder}/`, ""));
  expect(Object.keys(value)).toEqual(Object.keys(reportMembers));
  expect([value.ok, value.exit_code]).toEqual([code === 0, code]);
  return value;
}

it("Migrations, seeds and metadata report their steps, and a deployment its server", { timeout: 120_000 }, async () => {
  const create = ["--up-sql", "create table note (id integer primary key)", "--down-sql", "drop table note"];
  const { result: made } = await report("migrate", "create", "notes", ...create);
  expect(made).toEqual({ version: expect.stringMatching(/^\d+$/), folder: `migrations/default/${made.version}_notes` });
  const step = { database: "default", version: made.version, name: "notes" };

  const planned = await report("migrate", "apply", "--dry-run");
  expect(planned.result).toEqual({ dry_run: true, steps: [{ ...step, action: "up" }] });
  expect(planned.messages).toEqual([`would apply ${made.version}_notes on default`]);
  expect((await report("migrate", "apply")).result).toEqual({ dry_run: false, steps: [{ ...step, action: "up" }] });
  expect((await report("migrate", "status")).result).toEqual([
    { ...step, source_status: "Present", database_status: "Present" },
  ]);

  const { result: seed } = await report("seed", "create", "notes");
  expect(seed.path).toMatch(/^seeds\/default\/\d+_notes\.sql$/);
  await write(seed.path, "insert into note values (1) on conflict do nothing;");
  expect((await report("seed", "apply")).result).toEqual({ ran: [seed.path] });

  const deployed = await report("deploy", "--with-seeds");
  expect(deployed.result).toEqual({ endpoint: server.url });
  expect(deployed.messages).toEqual(expect.arrayContaining(["applied the metadata", `ran ${seed.path}`]));
});

it("SQL that fails has its file, line and column", { timeout: 60_000 }, async () => {
  await write("seeds/default/1_wrong.sql", "select 1;\nselect nope;\n");
  const { ok, problems } = await report("seed", "apply", "--file", "1_wrong.sql");
  await rm(join(folder, "seeds/default/1_wrong.sql"));
  expect(ok).toBe(false);
  expect(problems).toEqual([
    expect.objectContaining({ severity: "error", line: 2, column: 8, message: expect.stringContaining("nope") }),
  ]);
});

it("The commands of the metadata report changes and inconsistent objects", { timeout: 120_000 }, async () => {
  await writeTables("[id, nope]");
  expect((await report("metadata", "diff")).result).toEqual([
    expect.objectContaining({ path: expect.stringContaining("columns"), before: ["id"], after: ["id", "nope"] }),
  ]);
  const { ok, result, problems } = await report("metadata", "apply");
  const object = "select_permission user in table note in source default";
  expect([ok, result.endpoint]).toEqual([true, server.url]);
  expect(result.inconsistent_objects).toEqual([expect.objectContaining({ name: object })]);
  const problem = { code: "inconsistent-object", object, file: expect.any(String), line: expect.any(Number) };
  expect(problems).toContainEqual(expect.objectContaining(problem));

  const listed = await report("metadata", "inconsistency", "list");
  expect(listed.result).toEqual([expect.objectContaining({ name: object })]);
  expect(listed.problems).toContainEqual(expect.objectContaining(problem));
  expect(await report("metadata", "inconsistency", "status")).toMatchObject({
    ok: false,
    result: { is_consistent: false, inconsistent: 1 },
  });
  expect((await report("metadata", "reload")).result.inconsistent_objects).toHaveLength(1);
  expect((await report("metadata", "inconsistency", "drop")).result.dropped).toHaveLength(1);
  expect(await report("metadata", "inconsistency", "status")).toMatchObject({
    ok: true,
    result: { is_consistent: true, inconsistent: 0 },
  });
  expect((await report("metadata", "export")).result).toEqual({ written: "metadata" });
  expect((await report("metadata", "clear")).result).toEqual({ endpoint: server.url });
});

it("The commands about access have the values of their JSON formats as results", { timeout: 120_000 }, async () => {
  await writeTables("[id]");
  await report("metadata", "apply");
  for (const words of [["access"], ["why", "user", "note"], ["advise"]]) {
    const { stdout } = await runCommand(...words, "--format", "json", "--project", folder);
    const { format: _, ...value } = JSON.parse(stdout);
    expect((await report(...words)).result).toMatchObject(value);
  }
  expect((await report("access")).result.roles).toHaveProperty("user");
  expect((await report("why", "user", "note")).result.verdict).toBe("allowed");
});

it("A deletion without a terminal and without --force is refused with the flag", { timeout: 60_000 }, async () => {
  const { problems } = await report("migrate", "delete", "--all");
  expect(problems).toEqual([
    expect.objectContaining({ code: "invalid-setting", message: expect.stringContaining("--force") }),
  ]);
  expect(await report("migrate", "delete", "--all", "--force")).toMatchObject({
    ok: true,
    result: { database: "default", files: [expect.stringMatching(/_notes$/)] },
  });
});
