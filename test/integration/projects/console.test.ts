/** `engine console`: changes that the console makes on the server appear in the project's files. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { openProjectConsole, type ProjectConsole } from "../../support/project-console.ts";
import { root } from "../../support/shared-checks.ts";
import { startTerminal } from "../../support/terminal.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let opened: ProjectConsole;

beforeAll(async () => {
  opened = await openProjectConsole({ header: ["X-Own: 1"] });
}, 120_000);

afterAll(() => opened?.close());

const migrations = () => readdir(join(opened.folder, "migrations/default"));
const textOf = (file: string) => readFile(join(opened.folder, file), "utf8");
const tablesFile = "metadata/databases/default/tables/public_note.yaml";
const track = (table: string) => opened.ask("/v1/metadata", { type: "pg_track_table", args: { table } });
const project = (...args: readonly string[]) => runCommand(...args, "--project", opened.folder);

describe("The server of a project console", () => {
  it("The project console serves its page and forwards requests with its own credentials", async () => {
    const page = await (await fetch(`${opened.origin}/console/data`)).text();
    expect(page).toContain('"consoleMode":"cli"');
    const question = { query: "{ __typename }" };
    expect(await opened.ask("/v1/graphql", question)).toEqual([200, { data: { __typename: "query_root" } }]);
    const [, refused] = await opened.ask("/v1/graphql", question, { "x-engine-admin-secret": "" });
    expect(refused).toMatchObject({ errors: [{ extensions: { code: "access-denied" } }] });
    const headers = { "x-engine-admin-secret": opened.adminSecret };
    const client = await WebsocketClient.open(opened.origin, {
      protocol: "graphql-transport-ws",
      headers: { origin: opened.origin },
    });
    client.send({ type: "connection_init", payload: { headers } });
    let type: unknown;
    do ({ type } = (await client.next()) as { type: unknown });
    while (type === "ping");
    expect(type).toBe("connection_ack");
    client.close();
  });

  it("The project console serves the documentation of its own version", async () => {
    const page = await fetch(`${opened.origin}/docs/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Engine documentation")]);
    expect((await fetch(`${opened.origin}/docs/..%2fengine.mjs`)).status).toBe(404);
  });

  it("The project console reveals the secret, the headers and the folders only with the key", async () => {
    const [status, session] = await opened.ask("/project/session", {});
    expect([status, session]).toMatchObject([200, { admin_secret: opened.adminSecret, headers: { "x-own": "1" } }]);
    const [refused, text] = await opened.ask("/project/session", {}, { "x-engine-console-key": "" });
    expect([refused, JSON.stringify(text)]).toEqual([expect.any(Number), expect.not.stringContaining("x-own")]);
    expect(refused).toBeGreaterThan(400);
    expect(session).toMatchObject({ metadata: join(opened.folder, "metadata") });
  });
});

describe("Saving migrations in the project console", () => {
  const save = (changes: object) =>
    opened.ask("/project/migrations", {
      source: "default",
      name: "notes",
      up: "create table note (id int primary key, text text)",
      down: "drop table note",
      ...changes,
    });

  it("Failing SQL is not saved, and the error has its location", async () => {
    const [status, body] = await save({ up: "create table other (id int);\nselect nothing" });
    expect([status, body]).toMatchObject([400, { code: "postgres-error" }]);
    expect((body as { error: string }).error).toMatch(/^line 2:8: column "nothing" does not exist.*Nothing was saved/);
    expect(await migrations()).toEqual([]);
    const [, tables] = await opened.ask("/v1/metadata", { type: "pg_get_source_tables", args: { source: "default" } });
    expect(tables).toEqual([]);
  });

  it("SQL is run, saved with its down migration and marked as applied", async () => {
    const [status, saved] = await save({});
    expect(status).toBe(200);
    const [folder = "", ...others] = await migrations();
    expect([folder, others]).toEqual([expect.stringMatching(/^\d{13}_notes$/), []]);
    expect(saved).toMatchObject({ folder: join(opened.folder, "migrations/default", folder) });
    expect(await textOf(`migrations/default/${folder}/up.sql`)).toBe(
      "create table note (id int primary key, text text)\n",
    );
    expect(await textOf(`migrations/default/${folder}/down.sql`)).toBe("drop table note\n");
    expect((await project("migrate", "apply", "--dry-run")).stdout).toBe("");
    expect((await project("migrate", "apply", "--down", "1")).stdout).toContain("reverted");
    expect((await project("migrate", "apply")).stdout).toContain("applied");
  });

  it("SQL that has already run is only saved", async () => {
    await opened.ask("/v2/query", { type: "run_sql", args: { sql: "create table done (id int)" } });
    expect((await save({ name: "done", up: "create table done (id int)", has_run: true }))[0]).toBe(200);
    expect(await migrations()).toHaveLength(2);
    expect((await project("migrate", "apply", "--dry-run")).stdout).toBe("");
  });

  it("Metadata objects that depend on a dropped column make a migration fail, and are dropped with cascade", async () => {
    const table = { schema: "public", name: "noted" };
    await save({ name: "noted", up: "create table noted (id int primary key, text text)" });
    await opened.ask("/v1/metadata", { type: "pg_track_table", args: { table } });
    const permission = { columns: ["text"], filter: { text: { _eq: "x" } } };
    const args = { table, role: "reader", permission };
    await opened.ask("/v1/metadata", { type: "pg_create_select_permission", args });
    const drop = { name: "drop", up: "alter table noted drop column text" };
    const [status, body] = await save(drop);
    expect([status, body]).toMatchObject([400, { code: "dependency-error" }]);
    expect((body as { error: string }).error).toContain("permission noted.reader.select");
    expect((await save({ ...drop, cascade: true }))[0]).toBe(200);
    await save({ name: "rest", up: "drop table noted", cascade: true });
  });

  it.each([
    [{ source: "defalt" }, "not-found", 'did you mean "default"?'],
    [{ source: "../.." }, "not-found", "no database ../.."],
    [{ name: "../../x" }, undefined, undefined],
    [{ name: "/" }, "bad-request", "no letter or digit"],
    [{ up: " " }, "parse-failed", "SQL is empty"],
    [{ name: 1 }, "parse-failed", "string"],
    [{ more: 1 }, "parse-failed", "more"],
    [{ cascade: "yes" }, "parse-failed", "boolean"],
  ])("A migration stays in its folder, and %j is refused if it is invalid", async (changes, code, message) => {
    const [, body] = await save({ up: "select 1", ...changes });
    if (code !== undefined) expect(body).toMatchObject({ code, error: expect.stringContaining(message ?? "") });
    else expect((body as { folder: string }).folder).toMatch(/migrations\/default\/\d+_x$/);
  });
});

describe("Metadata changes in the project console", () => {
  const write = () => opened.ask("/project/metadata", {});

  it("A metadata change is written into the project", async () => {
    expect((await track("note"))[0]).toBe(200);
    expect(await write()).toMatchObject([200, { result: "written" }]);
    expect(await textOf(tablesFile)).toContain("name: note");
    expect(await write()).toMatchObject([200, { result: "same" }]);
    expect((await project("metadata", "diff", "--exit-code")).code).toBe(0);
  });

  it("A metadata change does not overwrite foreign changes until they are applied", async () => {
    const edited = `${await textOf(tablesFile)}select_permissions:\n  - role: user\n    permission: {columns: [id], filter: {}}\n`;
    await writeFile(join(opened.folder, tablesFile), edited);
    expect((await track("done"))[0]).toBe(200);
    expect(await write()).toMatchObject([400, { code: "conflict" }]);
    expect(await textOf(tablesFile)).toBe(edited);
    await project("metadata", "apply");
    expect((await track("done"))[0]).toBe(200);
    expect(await write()).toMatchObject([200, { result: "written" }]);
    expect(await textOf(tablesFile)).toContain("role: user");
    expect(await textOf("metadata/databases/default/tables/public_done.yaml")).toContain("name: done");
  });

  it("A metadata change does not overwrite unreadable files", async () => {
    const before = await textOf(tablesFile);
    await writeFile(join(opened.folder, tablesFile), "table: [");
    await opened.ask("/v1/metadata", { type: "pg_untrack_table", args: { table: "done" } });
    expect(await write()).toMatchObject([400, { code: "parse-failed" }]);
    expect(await textOf(tablesFile)).toBe("table: [");
    await writeFile(join(opened.folder, tablesFile), before);
    expect(await write()).toMatchObject([200, { result: "written" }]);
  });
});

describe("Renamed columns in the project console", () => {
  const file = "metadata/databases/default/tables/public_memo.yaml";
  const text = `# Memos of users.
table: {schema: public, name: memo}
select_permissions:
  # Users read short memos.
  - role: user
    permission: {columns: [id, body], filter: {body: {_neq: "long"}}} # by length
`;
  const rename = (from: string, to: string) => `alter table memo rename column ${from} to ${to}`;
  const read = async (column: string) =>
    (await opened.ask("/v1/graphql", { query: `{ memo { ${column} } }` }, { "x-engine-role": "user" }))[1];

  it("A column that SQL renames is renamed in the files, which keep their text", async () => {
    await opened.ask("/v2/query", {
      type: "run_sql",
      args: { sql: "create table memo (id int primary key, body text)" },
    });
    await opened.ask("/v1/metadata", { type: "pg_track_table", args: { table: "memo" } });
    expect(await opened.ask("/project/metadata", {})).toMatchObject([200, { result: "written" }]);
    await writeFile(join(opened.folder, file), text);
    await project("metadata", "apply");
    expect((await opened.ask("/v2/query", { type: "run_sql", args: { sql: rename("body", "words") } }))[0]).toBe(200);
    expect(await textOf(file)).toBe(text.replaceAll("body", "words"));
    expect(await opened.ask("/project/metadata", {})).toMatchObject([200, { result: "same" }]);
    expect(await read("words")).toEqual({ data: { memo: [] } });
  });

  it("A migration and its effect on the metadata are saved in one step", async () => {
    const migration = { source: "default", name: "rename", up: rename("words", "content") };
    expect(await opened.ask("/project/migrations", migration)).toMatchObject([200, { metadata: "written" }]);
    expect(await textOf(file)).toBe(text.replaceAll("body", "content"));
    expect(await read("content")).toEqual({ data: { memo: [] } });
    expect((await project("metadata", "diff", "--exit-code")).code).toBe(0);
  });

  it("A migration is refused before its SQL runs if the files cannot follow", async () => {
    const before = await migrations();
    const present = await textOf(file);
    const migration = { source: "default", name: "rename", up: rename("content", "never") };
    for (const [edited, code] of [
      ["table: [", "parse-failed"],
      [present.replace(", content]", "]"), "conflict"],
    ] as const) {
      await writeFile(join(opened.folder, file), edited);
      expect(await opened.ask("/project/migrations", migration)).toMatchObject([400, { code }]);
      expect(await textOf(file)).toBe(edited);
    }
    expect(await migrations()).toEqual(before);
    await writeFile(join(opened.folder, file), present);
    expect(await read("content")).toEqual({ data: { memo: [] } });
  });
});

it.skipIf(missingProgram("script"))(
  "engine console prints its address and stops on Ctrl-C",
  { timeout: 120_000 },
  async () => {
    const engine = `'${process.execPath}' '${join(root, ".build/engine.mjs")}'`;
    const terminal = startTerminal(`${engine} console --no-browser --console-port 0`, opened.folder);
    let origin = "";
    try {
      const printed = await terminal.until("/console#key=");
      [origin = ""] = /http:\/\/127\.0\.0\.1:\d+(?=\/console#)/.exec(printed) ?? [];
      expect((await fetch(`${origin}/console`)).status).toBe(200);
    } finally {
      await terminal.end();
    }
    await expect(fetch(`${origin}/console`)).rejects.toThrow();
  },
);

it("engine console reports a port in use", async () => {
  const { port } = new URL(opened.origin);
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--console-port", port);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`--console-port: port ${port} is in use`)]);
});

it("engine console reports a refused secret and does not start", async () => {
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--admin-secret", "wrong");
  expect([code, stderr]).toEqual([1, expect.stringContaining("invalid x-engine-admin-secret")]);
});

it.each(["abc", "65536", ""])("engine console refuses the port %j", async (port) => {
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--console-port", port);
  expect([code, stderr]).toEqual([1, expect.stringContaining("--console-port")]);
});
