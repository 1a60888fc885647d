/** `engine metadata codemod postgres-comments` against a real server: the schema keeps its descriptions without inference. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { shapeCommand } from "../../runtime/cli/commands/shape.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
/** A second server on the same metadata, without inferred descriptions. */
let without: TestServer;
let project: string;
/** The metadata before each test, with its comments. */
let original: unknown;

const hostile = 'Ends "quotes": {x}\n- role: admin\n\u001b[2J# $' + "{process.exit()} */ `";

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  const sql = `
    create table note (id int primary key, text text, secret text, named text);
    create function recent() returns setof note language sql stable as 'select * from note';
    create function shout(note) returns text language sql stable as 'select upper($1.text)';
    comment on table note is 'A note';
    comment on column note.text is E'${hostile.replace(/['\\]/g, "\\$&")}';
    comment on column note.secret is 'Hidden by the metadata';
    comment on column note.named is 'A name';
    comment on function recent is 'Recent notes';
    comment on function shout is 'In capitals'`;
  expect((await server.post("/v2/query", { type: "run_sql", args: { sql } })).status).toBe(200);
  const column_config = { secret: { comment: "" }, named: { custom_name: "name" } };
  await server.metadata("pg_track_table", { table: "note", configuration: { column_config } });
  await server.metadata("pg_track_function", { function: "recent" });
  await server.metadata("pg_add_computed_field", { table: "note", name: "shout", definition: { function: "shout" } });
  original = await server.metadata("export_metadata", {});
  without = await startTestServer({
    sealed: false,
    on: server,
    environment: { ENGINE_GRAPHQL_INFER_DESCRIPTIONS: "false" },
  });
}, 60_000);

afterAll(async () => {
  await without?.stop();
  await server?.close();
});

beforeEach(async () => {
  await server.metadata("replace_metadata", original as object);
  project = await mkdtemp(join(tmpdir(), "metadata-codemod-"));
  await writeFile(join(project, "config.yaml"), `version: 3\nendpoint: ${server.url}\n`);
  await runCommand("metadata", "export", "--project", project);
  return () => rm(project, { recursive: true, force: true });
});

const codemod = (...flags: readonly string[]) =>
  runCommand("metadata", "codemod", "postgres-comments", "--project", project, ...flags);
const file = () => join(project, "metadata/databases/default/tables/public_note.yaml");

const everything =
  "{ __schema { types { name description fields { name description } inputFields { name description } } } }";
const schemaOf = (each: TestServer) => each.graphql(everything);

/** Waits until the second server serves the metadata of the first. */
const untilFollowed = async (expected: unknown) =>
  expect.poll(() => schemaOf(without), { timeout: 20_000 }).toEqual(expected);

describe("The postgres-comments codemod", () => {
  it("Without --write, it prints the diff and changes nothing", async () => {
    const before = await readFile(file(), "utf8");
    const { code, stdout, stderr } = await codemod();
    expect([code, stderr]).toEqual([0, "nothing was written: --write changes the metadata\n"]);
    expect(stdout).toContain("+  comment: A note");
    expect(stdout).toContain("+comment: Recent notes");
    expect(stdout).not.toContain("Hidden by the metadata");
    expect(stdout).not.toContain("\u001b");
    expect(await readFile(file(), "utf8")).toBe(before);
    expect(await server.metadata("export_metadata", {})).toEqual(original);
  });

  it("With --write, the project describes the same schema without inference", { timeout: 60_000 }, async () => {
    const described = await schemaOf(server);
    await writeFile(file(), `# Notes of members\n${await readFile(file(), "utf8")}`);
    expect(await codemod("--write")).toMatchObject({
      code: 0,
      stderr: "copied comments of the databases to the metadata of the project\n",
    });
    expect(await readFile(file(), "utf8")).toContain("# Notes of members\n");
    expect(await runCommand("metadata", "apply", "--project", project)).toMatchObject({ code: 0 });
    await untilFollowed(described);
    expect(await schemaOf(server)).toEqual(described);
    expect(await codemod("--write")).toEqual({
      code: 0,
      stdout: "",
      stderr: "every comment of the databases is in the metadata\n",
    });
  });

  it("With --server, the metadata of the server changes and the files stay", { timeout: 60_000 }, async () => {
    const described = await schemaOf(server);
    const before = await readFile(file(), "utf8");
    expect(await codemod("--server", "--write")).toMatchObject({
      code: 0,
      stderr: "copied comments of the databases to the metadata of the server\n",
    });
    await untilFollowed(described);
    expect(await readFile(file(), "utf8")).toBe(before);
  });

  it("With --shape, it needs no server", async () => {
    const shape = join(project, "shape.json");
    await shapeCommand({ database: server.databaseUrl, out: shape });
    const { code, stdout } = await codemod("--endpoint", "http://127.0.0.1:9", "--shape", shape);
    expect([code, stdout]).toEqual([0, expect.stringContaining("+  comment: A note")]);
  });

  it("A database that the server cannot read is named, and nothing is written", async () => {
    const before = await readFile(file(), "utf8");
    const databases = join(project, "metadata/databases/databases.yaml");
    const other =
      "- name: other\n  kind: postgres\n  configuration: {connection_info: {database_url: postgres://127.0.0.1:9/x}}\n  tables: []\n";
    await writeFile(databases, `${await readFile(databases, "utf8")}${other}`);
    const { code, stderr } = await codemod("--write");
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot read the comments of database other: ")]);
    expect(await readFile(file(), "utf8")).toBe(before);
  });
});
