/** `engine init`, `engine deploy` and `engine seed` as a user types them, against a real server. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ended, runCommand } from "../../support/command-line.ts";
import { createDatabase, query } from "../../support/database.ts";
import { missingProgram } from "../../support/missing-program.ts";
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

beforeEach(async () => {
  await query(server.databaseUrl, "drop schema public cascade; create schema public");
  await server.metadata("set_catalog_state", { type: "cli", state: {} });
  await server.metadata("replace_metadata", emptyMetadata);
  project = join(await temporaryDirectory(), "shop");
  expect(await runCommand("init", project, "--template", "empty", "--endpoint", server.url)).toMatchObject({ code: 0 });
});

async function run(...args: readonly string[]): Promise<Ended> {
  const ended = await runCommand(...args, "--project", project);
  return { code: ended.code, ...strip(ended) };
}

function strip({ stdout, stderr }: Ended) {
  return { stdout: stdout.replaceAll(`${project}/`, ""), stderr: stderr.replaceAll(`${project}/`, "") };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

const tracked = (columns: string) =>
  `- table: {schema: public, name: note}\n  select_permissions:\n    - role: user\n      permission: {columns: [${columns}], filter: {}}\n`;

describe("New projects", () => {
  it("A new project can be deployed", async () => {
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    await write("metadata/databases/default/tables/tables.yaml", tracked("id"));
    await write("seeds/default/1_rows.sql", "insert into note values (1, 'a')");
    expect(await run("deploy", "--with-seeds")).toEqual({
      code: 0,
      stdout: "applied 1_notes on default\napplied the metadata\nran seeds/default/1_rows.sql\n",
      stderr: "",
    });
    expect(await server.graphql("{ note { id } }", { "x-engine-role": "user" })).toEqual({
      data: { note: [{ id: 1 }] },
    });
    expect(await run("deploy")).toEqual({ code: 0, stdout: "applied the metadata\n", stderr: "" });
  });
});

describe("Deployments", () => {
  it("A deployment changes tables and their metadata together", async () => {
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text, old text)");
    await write("metadata/databases/default/tables/tables.yaml", tracked("id, old"));
    await run("deploy");
    await write(
      "migrations/default/2_less/up.sql",
      "alter table note drop column old; alter table note rename text to body",
    );
    await write("metadata/databases/default/tables/tables.yaml", tracked("id, body"));
    expect(await run("deploy", "--disallow-inconsistent-metadata")).toMatchObject({ code: 0, stderr: "" });
    const exported = await server.metadata("export_metadata", {});
    expect(JSON.stringify(exported)).toContain('"columns":["id","body"]');
  });

  it("A deployment waits for a concurrent one and then has no work left", async () => {
    await query(server.databaseUrl, "create table ran ()");
    await write("migrations/default/1_notes/up.sql", "insert into ran default values; select pg_sleep(0.5)");
    const both = await Promise.all([run("deploy"), run("deploy")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await query(server.databaseUrl, "select * from ran")).toHaveLength(1);
  });

  it("A deployment leaves the metadata unchanged if a migration fails", async () => {
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    await write("metadata/databases/default/tables/tables.yaml", tracked("id"));
    await run("deploy");
    const before = await server.metadata("export_metadata", {});
    await write("migrations/default/2_bad/up.sql", "select nothing");
    await write("metadata/databases/default/tables/tables.yaml", tracked("id, text"));
    const { code, stderr } = await run("deploy");
    expect([code, stderr]).toEqual([1, expect.stringContaining("migrations/default/2_bad/up.sql:1:8: ")]);
    expect(await server.metadata("export_metadata", {})).toEqual(before);
  });

  it("A failing seed makes the deployment fail", async () => {
    await write("seeds/default/1_rows.sql", "select nothing");
    const { code, stderr } = await run("deploy", "--with-seeds");
    expect([code, stderr]).toEqual([1, expect.stringContaining("seeds/default/1_rows.sql:1:8: ")]);
  });

  it("Flags of similar tools are accepted without effect", async () => {
    expect(await run("deploy", "--log-level", "DEBUG", "--skip-update-check")).toEqual(await run("deploy"));
  });

  it("A deployment adds databases before their migrations run", async () => {
    const source = (name: string, variable: string) =>
      `- name: ${name}\n  kind: postgres\n  configuration: {connection_info: {database_url: {from_env: ${variable}}}}\n  tables: "!include ${name}/tables/tables.yaml"\n`;
    await write(
      "metadata/databases/databases.yaml",
      source("default", "ENGINE_GRAPHQL_DATABASE_URL") + source("other", "OTHER_DATABASE_URL"),
    );
    await write("metadata/databases/other/tables/tables.yaml", "- table: {schema: public, name: thing}\n");
    await write("migrations/other/1_things/up.sql", "create table thing (id integer primary key)");
    expect((await run("deploy")).stdout).toBe(
      "added database other\napplied 1_things on other\napplied the metadata\n",
    );
    expect(await server.graphql("{ thing { id } }")).toEqual({ data: { thing: [] } });
  });
});

describe.skipIf(missingProgram("pg_dump"))("Seeds", () => {
  it("Seeds are created from rows with every character", async () => {
    await query(server.databaseUrl, "create table note (id integer primary key, text text)");
    const text = "it's\n\n-- no comment\n\\restrict me 😀";
    await query(server.databaseUrl, "insert into note values (1, $1)", [text]);
    const { stdout } = await run("seed", "create", "notes", "--from-table", "public.note");
    expect(stdout).toMatch(/^seeds\/default\/\d+_notes\.sql\n$/);
    await query(server.databaseUrl, "delete from note");
    const [file = ""] = await readdir(join(project, "seeds/default"));
    expect(await run("seed", "apply", "--file", file)).toMatchObject({ code: 0, stderr: "" });
    expect(await query(server.databaseUrl, "select text from note")).toEqual([{ text }]);
    const repeated = await run("seed", "apply");
    expect([repeated.code, repeated.stderr]).toEqual([
      1,
      expect.stringContaining(`seeds/default/${file}:2:1: duplicate key value`),
    ]);
    expect((await run("seed", "apply", "-f", "nots.sql")).stderr).toContain("has no seed nots.sql");
  });
});
