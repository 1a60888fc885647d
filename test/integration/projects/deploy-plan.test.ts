/** `engine deploy --plan`: its output, and the absence of changes. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Ended, runCommand } from "../../support/command-line.ts";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

let server: TestServer;
let project: string;
let emptyMetadata: unknown;

beforeAll(async () => {
  const other = await createDatabase();
  server = await startTestServer({ environment: { OTHER_DATABASE_URL: other.url } });
  emptyMetadata = await server.metadata("export_metadata", {});
});

afterAll(async () => {
  await server.close();
});

const tables = (columns: string, filter = "{id: {_eq: X-Engine-User-Id}}") => `- table: {schema: public, name: note}
  select_permissions:
    - role: user
      permission: {columns: [${columns}], filter: ${filter}}
- table: {schema: public, name: kind}
  is_enum: true
`;
const tablesFile = "metadata/databases/default/tables/tables.yaml";

beforeEach(async () => {
  await query(server.databaseUrl, "drop schema public cascade; create schema public");
  await server.metadata("set_catalog_state", { type: "cli", state: {} });
  await server.metadata("replace_metadata", emptyMetadata);
  project = join(await temporaryDirectory(), "shop");
  await runCommand("init", project, "--template", "empty", "--endpoint", server.url);
  await write(
    "migrations/default/1_notes/up.sql",
    "create table note (id integer primary key, text text, secret text); create table kind (value text primary key); insert into kind values ('a')",
  );
  await write(tablesFile, tables("id, secret"));
  await write(
    "metadata/query_collections.yaml",
    '- name: desk\n  definition: { queries: [{ name: notes, query: "query { note { id secret } }" }] }\n',
  );
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

async function plan(...args: readonly string[]): Promise<Ended> {
  const shadow = ["--shadow-url", postgresUrl()];
  const ended = await runCommand("deploy", "--plan", "--project", project, ...shadow, ...args);
  return { ...ended, stderr: ended.stderr.replaceAll(`${project}/`, "") };
}

const deploy = () => runCommand("deploy", "--project", project);

/** Returns everything that a deployment could change. */
async function everything(): Promise<unknown> {
  const tables = "select tablename::text from pg_tables where schemaname = 'public' order by 1";
  const scratch = "select datname::text from pg_database where datname like 'engine_scratch_%'";
  return [
    await server.metadata("export_metadata", {}),
    await server.metadata("get_catalog_state", {}),
    await query(server.databaseUrl, tables),
    await query(server.databaseUrl, scratch),
  ];
}

describe("Deployment plans for a server", () => {
  it("A plan names limits that the server does not enforce yet", async () => {
    await write("metadata/api_limits.yaml", "depth_limit: {global: 2, per_role: {}}\n");
    expect((await plan()).stdout).toContain("## Requests that may be refused\n\n- `api_limits` is new");
    expect((await deploy()).code).toBe(0);
    expect((await plan()).stdout).not.toContain("Requests that may be refused");
  });

  it("A plan describes a first deployment without performing it", async () => {
    const before = await everything();
    const { code, stdout, stderr } = await plan();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`# Plan for \`${server.url}\`\n\n**This widens access:**\n`);
    expect(stdout).toContain("## Migrations\n\n- `default`: run `1_notes`\n");
    expect(stdout).toContain("- `$.query_collections` added\n");
    expect(await everything()).toEqual(before);
    await deploy();
    expect(await plan("--fail-on-widening")).toEqual({
      code: 0,
      stdout: `# Plan for \`${server.url}\`\n\nNo changes.\n`,
      stderr: "",
    });
  });

  it("A plan lists widened access first, then broken operations", async () => {
    await deploy();
    await write("migrations/default/2_less/up.sql", "alter table note drop column secret");
    await write(tablesFile, tables("id, text", "{}"));
    const { code, stdout } = await plan("--fail-on-widening");
    expect(code).toBe(3);
    expect(stdout).toContain("| **widens** | `user` | `default.public.note`: select column `text` added |");
    expect(stdout).toContain("| **widens** | `user` | `default.public.note`: select rows changed |");
    expect(stdout).toContain(
      "- `desk.notes` for role `user`: $.note.secret: field 'secret' not found in object 'note'\n",
    );
    expect(stdout.indexOf("This widens access")).toBeLessThan(stdout.indexOf("## Broken saved operations"));
    expect((await plan()).code).toBe(0);
  });

  it("A plan tries migrations on a copy of the server's database", async () => {
    await deploy();
    await query(server.databaseUrl, "alter table note rename column text to body");
    await write("migrations/default/2_more/up.sql", "select 1;\nalter table note alter column text set not null");
    const before = await everything();
    const { code, stdout, stderr } = await plan();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      'migrations/default/2_more/up.sql:2:1: column "text" of relation "note" does not exist (42703)\n',
    );
    expect(await everything()).toEqual(before);
  });

  it("A plan builds the database from migrations if the server cannot dump it", async () => {
    await deploy();
    await write("migrations/default/2_more/up.sql", "alter table note add more text");
    await write(tablesFile, tables("id, secret, more"));
    const before = await everything();
    // A folder without the program pg_dump.
    vi.stubEnv("PATH", project);
    try {
      const { code, stdout, stderr } = await plan();
      expect([code, stderr]).toEqual([
        0,
        "warning: cannot dump database default; planning with its migrations instead: internal exception while executing pg_dump\n",
      ]);
      expect(stdout).toContain("- `default`: run `2_more`\n");
      expect(stdout).toContain("select column `more` added");
      await rm(join(project, "migrations/default/1_notes"), { recursive: true });
      expect(await plan()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("the project lacks the files of migrations that the server has applied: 1"),
      });
      expect(await everything()).toEqual(before);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("A plan lists added and removed databases", async () => {
    await deploy();
    await write(
      "metadata/databases/databases.yaml",
      "- name: other\n  kind: postgres\n  configuration: {connection_info: {database_url: {from_env: OTHER_DATABASE_URL}}}\n  tables: []\n",
    );
    await write("metadata/query_collections.yaml", "[]");
    const wrong = await plan();
    expect(wrong.code).toBe(0);
    expect(wrong.stdout).toContain("- `default`: removed\n- `other`: added\n");
    expect(wrong.stdout).not.toContain("OTHER_DATABASE_URL");
  });
});

describe("Deployment plans against another project version", () => {
  it("A plan against another version needs no server", async () => {
    const base = join(await temporaryDirectory(), "base");
    await cp(project, base, { recursive: true });
    await write("migrations/default/2_more/up.sql", "alter table note add extra text");
    await write(tablesFile, tables("id, secret, extra"));
    const args = ["--against", base, "--endpoint", "http://localhost:1", "--fail-on-widening"];
    const { code, stdout, stderr } = await plan(...args);
    expect([code, stderr]).toEqual([3, ""]);
    expect(stdout).toContain("select column `extra` added");
    expect(stdout).toContain("- `default`: run `2_more`\n");
    await write(tablesFile, tables("id"));
    expect((await plan(...args)).code).toBe(0);
  });

  it("Flags of a plan are refused in a deployment", async () => {
    const refused = await runCommand("deploy", "--project", project, "--fail-on-widening");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--fail-on-widening") });
    expect(await server.metadata("export_metadata", {})).toEqual(emptyMetadata);
  });
});
