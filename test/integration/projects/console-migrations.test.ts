/** Migrations in `engine console`: their list, the plan of a change, and changes that follow only a confirmed plan. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { openProjectConsole, type ProjectConsole } from "../../support/project-console.ts";

let opened: ProjectConsole;

beforeAll(async () => {
  opened = await openProjectConsole();
}, 120_000);

afterAll(() => opened?.close());

const folderOf = (name: string) => join(opened.folder, "migrations/default", name);

async function write(name: string, up: string, down?: string): Promise<void> {
  await mkdir(folderOf(name), { recursive: true });
  await writeFile(join(folderOf(name), "up.sql"), up);
  if (down !== undefined) await writeFile(join(folderOf(name), "down.sql"), down);
}

const source = "default";

async function states(): Promise<readonly unknown[]> {
  const [, body] = await opened.ask("/project/migration-list", { source });
  return (body as { migrations: readonly Record<string, unknown>[] }).migrations.map(({ version, name, state }) => [
    version,
    name,
    state,
  ]);
}

const plan = (change: object) => opened.ask("/project/migration-plan", { source, change });

/** Runs a change with the plan that the server returns for it. */
async function run(change: object, more: object = {}) {
  const [, planned] = await plan(change);
  const confirmed = (planned as { plan?: string }).plan ?? "";
  return opened.ask("/project/migration-runs", { source, change, plan: confirmed, ...more });
}

const tables = async () =>
  JSON.stringify(await opened.ask("/v1/metadata", { type: "pg_get_source_tables", args: { source } }));

describe("Migrations in the project console", { timeout: 60_000 }, () => {
  it("The list has each version with its name and state, and the SQL is read by version", async () => {
    await write("1_notes", "create table note (id int primary key, text text);\n", "drop table note;\n");
    await write("2_tags", "create table tag (id int primary key);\n");
    await write("10_labels", "create table label (id int);\n", "-- nothing\n");
    expect(await states()).toEqual([
      ["1", "notes", "pending"],
      ["2", "tags", "pending"],
      ["10", "labels", "pending"],
    ]);
    const [, list] = await opened.ask("/project/migration-list", { source });
    expect((list as { migrations: object[] }).migrations).toMatchObject([
      { can_revert: true },
      { can_revert: false },
      { can_revert: false },
    ]);
    expect(await opened.ask("/project/migration-sql", { source, version: "1" })).toMatchObject([
      200,
      { up: expect.stringContaining("create table note"), down: "drop table note;\n", folder: folderOf("1_notes") },
    ]);
    expect((await opened.ask("/project/migration-sql", { source, version: "2" }))[1]).toMatchObject({ down: null });
  });

  it("A plan lists its steps and changes nothing; the change runs exactly these steps", async () => {
    const change = { kind: "apply", version: "2" };
    expect(await plan(change)).toMatchObject([
      200,
      {
        steps: [
          { version: "1", name: "notes", action: "up" },
          { version: "2", name: "tags", action: "up" },
        ],
      },
    ]);
    expect(await tables()).not.toContain("note");
    expect(await run(change)).toMatchObject([200, { metadata: "same", steps: [{ version: "1" }, { version: "2" }] }]);
    expect(await tables()).toContain("note");
    expect(opened.output).toContain("applied 1_notes on default");
    expect(await states()).toEqual([
      ["1", "notes", "applied"],
      ["2", "tags", "applied"],
      ["10", "labels", "pending"],
    ]);
  });

  it("A change is refused if SQL or steps differ from the confirmed plan", async () => {
    const change = { kind: "apply" };
    const [, planned] = await plan(change);
    const confirmed = (planned as { plan: string }).plan;
    await write("10_labels", "create table label (id int, name text);\n", "-- nothing\n");
    const send = () => opened.ask("/project/migration-runs", { source, change, plan: confirmed });
    expect(await send()).toMatchObject([409, { code: "conflict", error: expect.stringContaining("nothing was run") }]);
    await write("10_labels", "create table label (id int);\n", "-- nothing\n");
    await write("11_late", "create table late (id int);\n");
    expect((await send())[0]).toBe(409);
    await rm(folderOf("11_late"), { recursive: true });
    expect(await tables()).not.toContain("label");
    expect((await send())[0]).toBe(200);
  });

  it.each([
    [{ kind: "revert", version: "1" }, "cannot be reverted before 10, which was applied after it"],
    [{ kind: "revert", version: "10" }, "down.sql without statements"],
    [{ kind: "revert", version: "99" }, "is not applied"],
    [{ kind: "apply", version: "1" }, "is applied already"],
    [{ kind: "apply", version: "99" }, "has no files"],
    [{ kind: "mark", version: "1" }, "is applied already"],
    [{ kind: "mark", version: "99" }, "no file has migration 99"],
    [{ kind: "repeat", version: "1" }, "is not unfinished"],
    [{ kind: "unmark", version: "1" }, "revert it"],
    [{ kind: "unmark", version: "99" }, "it has no mark"],
  ])("The change %j is refused with its reason, before a plan and without one", async (change, reason) => {
    const before = await states();
    const refused = { error: expect.stringContaining(reason) };
    expect(await plan(change)).toMatchObject([400, refused]);
    expect(await opened.ask("/project/migration-runs", { source, change, plan: "" })).toMatchObject([400, refused]);
    expect(await states()).toEqual(before);
  });

  it("The migration that was applied last is reverted, and marked as applied again without running it", async () => {
    await write("10_labels", "create table label (id int);\n", "drop table label;\n");
    expect((await run({ kind: "revert", version: "10" }))[0]).toBe(200);
    expect(await tables()).not.toContain("label");
    expect(await plan({ kind: "mark", version: "10" })).toMatchObject([200, { steps: [{ action: "mark" }] }]);
    expect((await run({ kind: "mark", version: "10" }))[0]).toBe(200);
    expect(await tables()).not.toContain("label");
    expect((await states()).at(-1)).toEqual(["10", "labels", "applied"]);
  });

  it("A version without files has only a mark, which can be removed", async () => {
    await rm(folderOf("10_labels"), { recursive: true });
    expect((await states()).at(-1)).toEqual(["10", null, "applied"]);
    expect((await plan({ kind: "revert", version: "10" }))[1]).toMatchObject({ code: "not-found" });
    expect((await run({ kind: "unmark", version: "10" }))[0]).toBe(200);
    expect(await states()).toHaveLength(2);
  });

  it("SQL that fails has its file and line, and the migrations before it stay applied", async () => {
    await write("20_good", "create table good (id int);\n", "drop table good;\n");
    await write("21_bad", "select 1;\nselect nothing;\n");
    const [status, body] = await run({ kind: "apply" });
    expect([status, body]).toMatchObject([
      400,
      { error: expect.stringMatching(/21_bad\/up\.sql:2:8: column "nothing"/) },
    ]);
    expect((body as { error: string }).error).toContain("applied before it: 20 (up)");
    expect((await states()).slice(2)).toEqual([
      ["20", "good", "applied"],
      ["21", "bad", "pending"],
    ]);
    await rm(folderOf("21_bad"), { recursive: true });
  });

  it("An unfinished migration prevents others, and is run again or loses its mark", async () => {
    await write("30_index", "create table i (id int);\nselect nothing;\n");
    const change = { kind: "apply" };
    expect((await run(change, { transaction: false }))[0]).toBe(400);
    expect((await states()).at(-1)).toEqual(["30", "index", "unfinished"]);
    expect(await plan(change)).toMatchObject([400, { code: "unfinished" }]);
    await write("30_index", "create index concurrently good_id on good (id);\n");
    expect((await run({ kind: "repeat", version: "30" }, { transaction: false }))[0]).toBe(200);
    expect((await states()).at(-1)).toEqual(["30", "index", "applied"]);
  });

  it("A migration that renames a column renames it in the metadata of the project", async () => {
    await opened.ask("/v1/metadata", { type: "pg_track_table", args: { table: "note" } });
    const permission = { columns: ["text"], filter: {} };
    await opened.ask("/v1/metadata", {
      type: "pg_create_select_permission",
      args: { table: "note", role: "user", permission },
    });
    await opened.ask("/project/metadata", {});
    await write(
      "40_content",
      "alter table note rename text to content;\n",
      "alter table note rename content to text;\n",
    );
    expect(await run({ kind: "apply" })).toMatchObject([200, { metadata: "written" }]);
    const file = join(opened.folder, "metadata/databases/default/tables/public_note.yaml");
    expect(await readFile(file, "utf8")).toContain("- content");
    await writeFile(file, (await readFile(file, "utf8")).replace("role: user", "role: writer"));
    const [status, body] = await run({ kind: "revert", version: "40" });
    expect([status, body]).toMatchObject([400, { code: "conflict" }]);
    expect((await states()).at(-1)).toEqual(["40", "content", "applied"]);
    await runCommand("metadata", "export", "--project", opened.folder);
  });

  it.each([
    [{ source: "defaults" }, "not-found", 'did you mean "default"?'],
    [{ source: "../.." }, "not-found", "no database ../.."],
    [{ source: "default", version: "../../etc" }, "parse-failed", "version"],
    [{ source: "default", version: "1", more: 1 }, "parse-failed", "more"],
  ])("The SQL of the migration %j is refused", async (request, code, message) => {
    const body = { version: "1", ...request };
    const [, refused] = await opened.ask("/project/migration-sql", body);
    expect(refused).toMatchObject({ code, error: expect.stringContaining(message) });
  });
});
