/** `engine console`: what the console changes on the server is in the project's files. */
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
  opened = await openProjectConsole();
}, 120_000);

afterAll(() => opened?.close());

const migrations = () => readdir(join(opened.folder, "migrations/default"));
const textOf = (file: string) => readFile(join(opened.folder, file), "utf8");
const tablesFile = "metadata/databases/default/tables/public_note.yaml";
const track = (table: string) => opened.ask("/v1/metadata", { type: "pg_track_table", args: { table } });
const project = (...args: readonly string[]) => runCommand(...args, "--project", opened.folder);

describe("the server of a project's console", () => {
  it("has the page, and passes on what the page asks with its own credentials", async () => {
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

  it("tells the page the secret and the folders, and nobody without the key", async () => {
    const [status, session] = await opened.ask("/project/session", {});
    expect([status, session]).toMatchObject([200, { admin_secret: opened.adminSecret }]);
    expect(session).toMatchObject({ metadata: join(opened.folder, "metadata") });
  });
});

describe("save as migration", () => {
  const save = (changes: object) =>
    opened.ask("/project/migrations", {
      source: "default",
      name: "notes",
      up: "create table note (id int primary key, text text)",
      down: "drop table note",
      ...changes,
    });

  it("keeps nothing of SQL that fails, and says where", async () => {
    const [status, body] = await save({ up: "create table other (id int);\nselect nothing" });
    expect([status, body]).toMatchObject([400, { code: "postgres-error" }]);
    expect((body as { error: string }).error).toMatch(/^line 2:8: column "nothing" does not exist.*Nothing was saved/);
    expect(await migrations()).toEqual([]);
    const [, tables] = await opened.ask("/v1/metadata", { type: "pg_get_source_tables", args: { source: "default" } });
    expect(tables).toEqual([]);
  });

  it("runs the SQL, keeps it with its way back, and marks it on the server", async () => {
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
    expect((await project("migrate", "apply", "--down", "1")).stdout).toContain("took back");
    expect((await project("migrate", "apply")).stdout).toContain("applied");
  });

  it("only keeps what has run", async () => {
    await opened.ask("/v2/query", { type: "run_sql", args: { sql: "create table done (id int)" } });
    expect((await save({ name: "done", up: "create table done (id int)", has_run: true }))[0]).toBe(200);
    expect(await migrations()).toHaveLength(2);
    expect((await project("migrate", "apply", "--dry-run")).stdout).toBe("");
  });

  it.each([
    [{ source: "defalt" }, "not-found", 'did you mean "default"?'],
    [{ source: "../.." }, "not-found", "no database ../.."],
    [{ name: "../../x" }, undefined, undefined],
    [{ name: "/" }, "bad-request", "no letter or digit"],
    [{ up: " " }, "parse-failed", "there is no SQL"],
    [{ name: 1 }, "parse-failed", "string"],
    [{ more: 1 }, "parse-failed", "more"],
  ])("stays in its folder, and refuses what it cannot save: %j", async (changes, code, message) => {
    const [, body] = await save({ up: "select 1", ...changes });
    if (code !== undefined) expect(body).toMatchObject({ code, error: expect.stringContaining(message ?? "") });
    else expect((body as { folder: string }).folder).toMatch(/migrations\/default\/\d+_x$/);
  });
});

describe("metadata that the console changes", () => {
  const write = () => opened.ask("/project/metadata", {});

  it("is written into the project", async () => {
    expect((await track("note"))[0]).toBe(200);
    expect(await write()).toMatchObject([200, { result: "written" }]);
    expect(await textOf(tablesFile)).toContain("name: note");
    expect(await write()).toMatchObject([200, { result: "same" }]);
    expect((await project("metadata", "diff", "--exit-code")).code).toBe(0);
  });

  it("is not written over what somebody else has written, until that is applied", async () => {
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

  it("is not written over files that cannot be read", async () => {
    const before = await textOf(tablesFile);
    await writeFile(join(opened.folder, tablesFile), "table: [");
    await opened.ask("/v1/metadata", { type: "pg_untrack_table", args: { table: "done" } });
    expect(await write()).toMatchObject([400, { code: "parse-failed" }]);
    expect(await textOf(tablesFile)).toBe("table: [");
    await writeFile(join(opened.folder, tablesFile), before);
    expect(await write()).toMatchObject([200, { result: "written" }]);
  });
});

it.skipIf(missingProgram("script"))(
  "the command prints the address, and ends at Ctrl-C",
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

it("a port that is in use is said", async () => {
  const { port } = new URL(opened.origin);
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--console-port", port);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`--console-port: port ${port} is in use`)]);
});

it("a server that refuses the secret is said, and nothing is opened", async () => {
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--admin-secret", "wrong");
  expect([code, stderr]).toEqual([1, expect.stringContaining("access-denied")]);
});

it.each(["abc", "65536", ""])("a port that is none is refused: %j", async (port) => {
  const { code, stderr } = await runCommand("console", "--project", opened.folder, "--console-port", port);
  expect([code, stderr]).toEqual([1, expect.stringContaining("--console-port")]);
});
