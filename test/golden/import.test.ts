/** `engine import`: projects of the other engine, and the resulting projects. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { expectGolden, type Files } from "../support/golden.ts";
import { filesBelow, temporaryDirectory } from "../unit/metadata-directory/temporary-directory.ts";

const root = join(import.meta.dirname, "import");
const projects = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());

/** Returns the files without empty sections of the metadata directory, which do not matter to a case. */
async function written(folder: string): Promise<Files> {
  const files = new Map<string, string>();
  for (const path of await filesBelow(folder)) {
    const text = await readFile(join(folder, path), "utf8");
    if (!["", "[]\n", "{}\n"].includes(text)) files.set(`expected/${path}`, text);
  }
  return files;
}

describe.each(projects.map(({ name }) => name))("Import of the project %s", (name) => {
  it("The import writes a project with a report and is repeatable", async () => {
    const out = await temporaryDirectory();
    const first = await runCommand("import", join(root, name, "project"), "--out", out);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const files = await written(out);
    await expectGolden(join(root, name), files, { isInput: (path) => path.startsWith("project/") });
    expect(await runCommand("import", join(root, name, "project"), "--out", out)).toEqual(first);
    expect(await written(out)).toEqual(files);
  });
});

it("The import without a project describes the expected files", async () => {
  const empty = await temporaryDirectory();
  const out = join(empty, "out");
  expect(await runCommand("import", empty, "--out", out)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not a project: expected "),
  });
});

it("The import reports file and line of invalid metadata", async () => {
  const project = await temporaryDirectory({
    "tables.yaml": "- table: t\n  select_permissions: 5\n",
    "version.yaml": "version: 2",
  });
  const { code, stderr } = await runCommand("import", project, "--out", join(project, "out"));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^tables\.yaml:2: parse-failed/)]);
});

it("The import reports migration files that are not SQL", async () => {
  const project = await temporaryDirectory({
    "migrations/default/1_a/notes.txt": "a note",
    "migrations/default/1_a/up.sql": "select 1",
  });
  const out = join(await temporaryDirectory(), "out");
  const { stdout } = await runCommand("import", project, "--out", out);
  expect(stdout).toContain("migrations/default/1_a/notes.txt: not imported: not an SQL file");
  expect(await filesBelow(join(out, "migrations"))).toEqual(["default/1_a/up.sql"]);
});
