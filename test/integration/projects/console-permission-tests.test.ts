/** Permission tests of a project, through the server of its console. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openProjectConsole, type ProjectConsole } from "../../support/project-console.ts";

let opened: ProjectConsole;

const metadata = (type: string, args: object) => opened.ask("/v1/metadata", { type, args });
const write = (file: string, text: string) => writeFile(join(opened.folder, "tests", file), text);

const notes = `
sessions:
  ben: { role: writer, variables: { x-engine-user-id: ben } }
  guest: { role: guest }
setup:
  - rows:
      note: [{ id: 1, owner: ann, text: Milk }, { id: 2, owner: ben, text: Tea }]
cases:
  - name: Writers read their own notes
    session: ben
    query: "{ note { id author { name } } }"
    data: { note: [{ id: 2, author: null }] }
  - name: Writers read all notes
    session: ben
    query: "query Q { ...n } fragment n on query_root { note { id } }"
    data: { note: [{ id: 1 }, { id: 2 }] }
  - name: Guests read no notes
    session: guest
    query: "{ note { id } }"
    error: { code: validation-failed }
  - name: A set-up cannot commit
    session: ben
    setup: [{ sql: "commit" }]
    query: "{ note { id } }"
    data: { note: [] }
`;

beforeAll(async () => {
  opened = await openProjectConsole();
  const up = `create table author (name text primary key);
    create table note (id int primary key, owner text, text text);
    insert into note values (9, 'ben', 'of the server')`;
  expect((await opened.ask("/project/migrations", { source: "default", name: "note", up }))[0]).toBe(200);
  for (const table of ["author", "note"]) await metadata("pg_track_table", { table });
  const using = { manual_configuration: { remote_table: "author", column_mapping: { owner: "name" } } };
  await metadata("pg_create_object_relationship", { table: "note", name: "author", using });
  const filter = { owner: { _eq: "X-Engine-User-Id" } };
  const permission = { columns: ["id", "text"], filter };
  await metadata("pg_create_select_permission", { table: "note", role: "writer", permission });
  const all = { columns: ["name"], filter: {} };
  for (const role of ["writer", "guest"]) {
    await metadata("pg_create_select_permission", { table: "author", role, permission: all });
  }
  expect((await opened.ask("/project/metadata", {}))[0]).toBe(200);
  await rm(join(opened.folder, "tests"), { recursive: true });
  await mkdir(join(opened.folder, "tests"));
  // The migration inserts a row, which belongs to the databases of the tests too.
  await write("notes.yaml", notes.replace("  - rows:", "  - sql: delete from note\n  - rows:"));
}, 180_000);

afterAll(() => opened?.close());

const file = "notes.yaml";

describe("Permission tests in the console of a project", { timeout: 120_000 }, () => {
  it("The list has the cases in their order, with their sessions and the tables that they concern", async () => {
    const [status, list] = await opened.ask("/project/tests", {});
    expect(status).toBe(200);
    const note = { source: "default", name: "note" };
    expect(list).toMatchObject({
      folder: join(opened.folder, "tests"),
      problems: [],
      cases: [
        { name: "Writers read their own notes", role: "writer", tables: [note, { source: "default", name: "author" }] },
        { name: "Writers read all notes", session: "ben", variables: { "x-engine-user-id": "ben" }, tables: [note] },
        // A table that the role must not read is listed too.
        {
          name: "Guests read no notes",
          role: "guest",
          tables: [note],
          expected: "error:\n  code: validation-failed\n",
        },
        { name: "A set-up cannot commit" },
      ],
    });
  });

  it("A run reports passed cases, and failed ones with what was expected and received", async () => {
    const [status, run] = await opened.ask("/project/test-runs", {});
    expect(status).toBe(200);
    expect(run).toMatchObject({
      problems: [],
      skipped: 0,
      results: [
        { file, name: "Writers read their own notes", outcome: "passed" },
        {
          outcome: "different",
          failure: {
            expected: "data:\n  note:\n    - id: 1\n    - id: 2\n",
            received: "data:\n  note:\n    - id: 2\n",
          },
        },
        { outcome: "passed" },
        { outcome: "broken", failure: { reason: expect.stringContaining("transaction") } },
      ],
    });
  });

  it("A run does not change the database of the server", async () => {
    const [, rows] = await opened.ask("/v1/graphql", { query: "{ note { id } }" });
    expect(rows).toEqual({ data: { note: [{ id: 9 }] } });
  });

  it("A run contains only the chosen cases", async () => {
    const cases = [{ file, name: "Guests read no notes" }];
    const [, run] = await opened.ask("/project/test-runs", { cases });
    expect(run).toMatchObject({ results: [{ name: "Guests read no notes", outcome: "passed" }] });
  });

  it.each([
    [{ cases: [{ file, name: "Gone" }] }, "not-found", "$.cases"],
    [{ cases: [{ file: "../../x", name: "Gone" }] }, "not-found", "$.cases"],
    [{ cases: [{ name: "Gone" }] }, "parse-failed", "$.cases.0.file"],
    [{ all: true }, "parse-failed", "$"],
  ])("A run with other cases is refused: %j", async (body, code, path) => {
    expect(await opened.ask("/project/test-runs", body)).toMatchObject([400, { code, path }]);
  });

  it("A case that changed since the list was loaded runs in its present form", async () => {
    await write(
      "notes.yaml",
      notes.replace("  - rows:", "  - sql: delete from note\n  - rows:").replace(", { id: 2 }", ""),
    );
    const [, run] = await opened.ask("/project/test-runs", { cases: [{ file, name: "Writers read all notes" }] });
    expect(run).toMatchObject({
      results: [{ outcome: "different", failure: { expected: "data:\n  note:\n    - id: 1\n" } }],
    });
  });

  it("An invalid file is listed as a problem with its line, and prevents a run", async () => {
    await write("wrong.yaml", "cases:\n  - name: x\n    sesion: ben\n");
    const [, list] = await opened.ask("/project/tests", {});
    expect(list).toMatchObject({ problems: [expect.stringMatching(/wrong\.yaml:3:13: .*unknown key "sesion"/)] });
    const [status, run] = await opened.ask("/project/test-runs", {});
    expect([status, run]).toMatchObject([200, { results: [], problems: [expect.stringContaining("wrong.yaml:3:13")] }]);
  });
});
