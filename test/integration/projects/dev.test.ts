/** `engine dev` at a terminal as a user runs it: files are saved, and its output is read. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { query } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { startTestServer } from "../../support/server.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { startTerminal, type Terminal } from "../../support/terminal.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

let project: string;
let port: number;
let dev: Terminal | undefined;

beforeAll(ensureBuilt, 120_000);

beforeEach(async () => {
  port = await freePort();
  project = join(await temporaryDirectory(), "my shop ü");
  await runCommand("init", project, "--template", "empty", "--endpoint", `http://127.0.0.1:${port}`);
  // Tests would run after each change.
  await rm(join(project, "tests"), { recursive: true });
});

afterEach(async () => {
  await dev?.end();
  dev = undefined;
});

const startDev = (flags = "--no-console", colors = "--no-color") =>
  startTerminal(`'${process.execPath}' '${join(root, ".build/engine.mjs")}' dev ${flags} ${colors}`, project);

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

const tablesFile = "metadata/databases/default/tables/tables.yaml";
const tables = (columns: string, filter = "{}") =>
  `- table: {schema: public, name: note}\n  select_permissions:\n    - role: user\n      permission: {columns: [${columns}], filter: ${filter}}\n`;

const applied = "applied; waiting for changes\n";
const refused = "not applied; waiting for changes\n";

async function ask(role: string, text: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/graphql`, {
    method: "POST",
    headers: { "x-engine-role": role },
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}

describe.skipIf(missingProgram("script"))("The engine dev command", () => {
  it("engine dev applies tables, permissions and queries as their files are saved", { timeout: 180_000 }, async () => {
    dev = startDev();
    expect(await dev.until(applied)).toContain("; log: .data/server.log");
    await write("migrations/default/1_notes/up.sql", "");
    await dev.until(applied);
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    expect(await dev.until(applied)).toContain("applied 1_notes on default\n");
    await write(tablesFile, tables("id"));
    const added = await dev.until(applied);
    expect(added).toContain(
      "widens role user: + role\nwidens role user: default.public.note: + select permission: columns: id\n",
    );
    expect(await ask("user", "{ note { id } }")).toEqual({ data: { note: [] } });
    await write(tablesFile, tables("id, text", "{id: {_gt: 3}}"));
    const changed = await dev.until(applied);
    expect(changed).toBe(
      "widens role user: default.public.note: + select column text\n" +
        "role user: default.public.note: ~ select rows: every row → a condition\n" +
        applied,
    );

    await write(
      "tests/notes.yaml",
      `setup: [{ rows: { note: [{ id: 1 }, { id: 5 }] } }]
cases:
  - name: Users read later notes
    session: { role: user }
    query: "{ note { id } }"
    data: { note: [{ id: 5 }] }
  - name: Others read no notes
    session: { role: other }
    query: "{ note { id } }"
    error: { code: validation-failed }
`,
    );
    expect(await dev.until("permission tests: 2 passed\n")).not.toContain(applied);
    await write(tablesFile, tables("id, text"));
    await dev.until(applied);
    expect(await dev.until("notes.yaml:3:5)\n")).toBe(
      "permission tests: 0 passed, 1 failed, 1 not affected and not run\n  broken: Users read later notes (tests/notes.yaml:3:5)\n",
    );
    await write(tablesFile, tables("id, text", "{id: {_gt: 3}}"));
    await dev.until("permission tests: 1 passed, 1 not affected and not run\n");
    await write("tests/notes.yaml", `${await readFile(join(project, "tests/notes.yaml"), "utf8")}\n# reviewed\n`);
    await dev.until("permission tests: 2 not affected and not run\n");
  });

  it("engine dev marks what a role gains in red on a terminal, and shows SQL with --verbose", {
    timeout: 180_000,
  }, async () => {
    dev = startDev("--no-console --verbose", "");
    const done = "applied; waiting for changes\u001b[39m\n";
    await dev.until(done);
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    await write(tablesFile, tables("id", "{id: {_gt: 3}}"));
    await dev.until(done);
    const trigger = `  event_triggers:
    - name: note_changed
      definition: {update: {columns: [text], payload: [id, text]}}
      retry_conf: {num_retries: 0, interval_sec: 10}
      webhook: http://127.0.0.1:1/
`;
    await write(tablesFile, tables("id") + trigger);
    const changed = await dev.until(done);
    const [red, bold, plain, end] = ["\u001b[31m", "\u001b[1m", "\u001b[22m", "\u001b[39m\n"];
    expect(changed).toContain(
      `${red}${bold}widens${plain} role user: default.public.note${end}` +
        `${red}  ~ select rows: note."id" > '3'::int4 → every row${end}`,
    );
    expect(changed).toContain("+ event trigger: UPDATE (id, text; watches text) of default.public.note");
  });

  it("engine dev writes the module of a front end after changes of the metadata and of documents", {
    timeout: 180_000,
  }, async () => {
    const config = await readFile(join(project, "config.yaml"), "utf8");
    await write("config.yaml", `${config}client:\n  - {out: web/engine.ts, documents: web/*.graphql, role: user}\n`);
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    await write(tablesFile, tables("id"));
    await write("web/notes.graphql", "query Notes { note { id } }");
    dev = startDev();
    expect(await dev.until(applied)).toContain("wrote web/engine.ts: 1 operation\n");
    await write("web/notes.graphql", "query Notes { note { id text } }");
    await dev.until('web/notes.graphql:1:25: Cannot query field "text" on type "note" (role user)\n');
    expect(await readFile(join(project, "web/engine.ts"), "utf8")).not.toContain("readonly text");
    await write(tablesFile, tables("id, text"));
    expect(await dev.until(applied)).toContain("wrote web/engine.ts: 1 operation\n");
    expect(await readFile(join(project, "web/engine.ts"), "utf8")).toContain("readonly text: string | null;");
  });

  it("engine dev serves the console, whose metadata changes are written to the files", {
    timeout: 180_000,
  }, async () => {
    dev = startDev("--console-port 0");
    const [, origin = "", key = ""] =
      /console at (http:\/\/127\.0\.0\.1:\d+)\/console#key=(\S+)/.exec(await dev.until(applied)) ?? [];
    const ask = async (path: string, body: object) => {
      const headers = { "content-type": "application/json", "x-engine-console-key": key, origin };
      const response = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return [response.status, await response.json()];
    };
    const migration = { source: "default", name: "notes", up: "create table note (id int primary key)" };
    expect((await ask("/project/migrations", migration))[0]).toBe(200);
    await dev.until(applied);
    await ask("/v1/metadata", { type: "pg_track_table", args: { table: "note" } });
    expect(await ask("/project/metadata", {})).toMatchObject([200, { result: "written" }]);
    await dev.until("wrote metadata\n");
    await dev.until(applied);
    const version = async (): Promise<unknown> => {
      const [, exported] = await ask("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
      return (exported as { readonly resource_version: unknown }).resource_version;
    };
    const before = await version();
    const permission = { columns: ["id"], filter: {} };
    await ask("/v1/metadata", {
      type: "pg_create_select_permission",
      args: { table: "note", role: "user", permission },
    });
    await ask("/project/metadata", {});
    expect(await dev.until(applied)).toContain("select permission: columns: id");
    expect(await version()).toBe(Number(before) + 1);
    expect(await readFile(join(project, "metadata/databases/default/tables/public_note.yaml"), "utf8")).toContain(
      "user",
    );
  });

  it("engine dev follows columns that migrations rename, and keeps other changes and comments of the files", {
    timeout: 180_000,
  }, async () => {
    const text = `# Notes.
- table: note
  select_permissions:
    # Users read all notes.
    - {role: user, permission: {columns: [id, text], filter: {text: {_neq: ""}}}} # short
`;
    await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
    await write(tablesFile, text);
    dev = startDev();
    await dev.until(applied);
    await write("migrations/default/2_rename/up.sql", "alter table note rename column text to body");
    await dev.until("applied 2_rename on default\n");
    await dev.until("wrote metadata\n");
    await dev.until(applied);
    expect(await readFile(join(project, tablesFile), "utf8")).toBe(text.replaceAll("text", "body"));
    expect(await ask("user", "{ note { body } }")).toEqual({ data: { note: [] } });
  });

  it("engine dev drops what only the server has after a confirmation, and keeps it otherwise", {
    timeout: 180_000,
  }, async () => {
    const server = await startTestServer({ environment: { ENGINE_GRAPHQL_SERVER_PORT: String(port) } });
    try {
      await query(server.databaseUrl, "create table note (id integer primary key, text text)");
      await server.post("/v1/metadata", { type: "pg_track_table", args: { table: "note" } });
      const role = { table: "note", role: "user", permission: { columns: ["id"], filter: {} } };
      await server.post("/v1/metadata", { type: "pg_create_select_permission", args: role });
      dev = startDev();
      expect(await dev.until("Drop it from the server? [y/N] ")).toContain("tables public.note of default\n");
      dev.type("n");
      expect(await dev.until(refused)).toContain("engine dev --drop-unlisted");
      expect(await ask("user", "{ note { id } }")).toEqual({ data: { note: [] } });
      await write(tablesFile, "- table: {schema: public, name: note}\n");
      expect(await dev.until("Drop it from the server? [y/N] ")).toContain(
        "select_permissions user of public.note of default\n",
      );
      dev.type("y");
      await dev.until(applied);
      expect(await ask("user", "{ note { id } }")).toMatchObject({ errors: [{}] });
      // Objects that the files had before are removed without a question.
      await write(tablesFile, "[]\n");
      await dev.until(applied);
    } finally {
      await dev?.end();
      dev = undefined;
      await server.close();
    }
  });

  it("engine dev locates errors and continues", { timeout: 180_000 }, async () => {
    const server = await startTestServer({ environment: { ENGINE_GRAPHQL_SERVER_PORT: String(port) } });
    try {
      dev = startDev();
      expect(await dev.until(applied)).toContain("using the server at ");
      await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
      await dev.until(applied);
      await write(tablesFile, "- table: {schema: public, name: note}\n  select_permissions: [\n");
      expect(await dev.until(refused)).toMatch(/metadata\/databases\/default\/tables\/tables\.yaml:3:1: /);
      await write(tablesFile, tables("txt"));
      expect(await dev.until(applied)).toMatch(
        /tables\.yaml:3:7: inconsistent select_permission user .* mean "text"\?/,
      );
      await write("migrations/default/2_bad/up.sql", "select 1;\nselect nothing;\n");
      expect(await dev.until(refused)).toContain("migrations/default/2_bad/up.sql:2:8: ");
      await rm(join(project, "migrations/default/2_bad"), { recursive: true });
      await write(tablesFile, tables("text"));
      expect(await dev.until(applied)).toContain("select permission: columns: text");
    } finally {
      await dev?.end();
      dev = undefined;
      await server.close();
    }
  });

  it("engine dev waits for an unreachable database and server", { timeout: 180_000 }, async () => {
    const environment = { ENGINE_GRAPHQL_SERVER_PORT: String(port) };
    const first = await startTestServer({ environment });
    let server = first;
    try {
      dev = startDev();
      await dev.until(applied);
      await server.stop();
      await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
      await dev.until("cannot reach the server at ");
      server = await startTestServer({ environment, on: first });
      expect(await dev.until(applied)).toContain("applied 1_notes on default\n");
      const name = new URL(first.databaseUrl).pathname.slice(1);
      await query(first.metadataUrl, `alter database "${name}" allow_connections false`);
      await query(
        first.metadataUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      await write(tablesFile, tables("id"));
      await dev.until("connection error");
      await query(first.metadataUrl, `alter database "${name}" allow_connections true`);
      expect(await dev.until(applied)).toContain("select permission: columns: id");
    } finally {
      await dev?.end();
      dev = undefined;
      await server.stop();
      await first.close().catch(() => undefined);
    }
  });
});
