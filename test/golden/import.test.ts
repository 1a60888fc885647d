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

it.each([
  [
    "an included file",
    {
      "version.yaml": "version: 3",
      "databases/databases.yaml": '- tables: "!include all/tabels.yaml"',
      "databases/all/tables.yaml": "[]",
    },
    'databases.yaml:1:11: the included file "all/tabels.yaml" does not exist: did you mean "tables.yaml"?',
  ],
  [
    "the metadata directory",
    {
      "config.yaml": "version: 3\nmetadata_directory: metadat",
      "migrations/1_a/up.sql": "",
      "metadata/version.yaml": "",
    },
    'config.yaml: metadata_directory: metadat does not exist: did you mean "metadata"?',
  ],
  [
    "a directory in a project of Nhost",
    { "nhost/config.yaml": "version: 3\nmetadata_directory: meta", "nhost/nhost.toml": "" },
    "nhost/config.yaml: metadata_directory: nhost/meta does not exist",
  ],
  [
    "a key of version 1",
    { "migrations/metadata.yaml": "tabels:\n- table: author\n" },
    'migrations/metadata.yaml:1: parse-failed: key "tables" not found ($) – did you mean "tables" instead of "tabels"?',
  ],
])("An error names the file and the nearest name of %s", async (_, files, message) => {
  const project = await temporaryDirectory(files);
  const { code, stderr } = await runCommand("import", project, "--out", join(project, "out"));
  expect([code, stderr.trim()]).toEqual([1, expect.stringContaining(message)]);
});

it("A misspelt kind of a database is reported with the nearest kind", async () => {
  const project = await temporaryDirectory({
    "version.yaml": "version: 3",
    "databases/databases.yaml": "- {name: shop, kind: postgress, tables: [], configuration: {}}",
  });
  const { stdout } = await runCommand("import", project, "--out", join(project, "out"));
  expect(stdout).toContain('shop is left out: databases of kind postgress are not supported: did you mean "postgres"?');
});

it("The import of a project of Nhost shows no value that may be a secret", async () => {
  const project = await temporaryDirectory({
    "nhost/nhost.toml":
      "[hasura]\nadminSecret = 'hidden-1'\nwebhookSecret = \"hidden-2\"\n[[hasura.jwtSecrets]]\nkey = 'hidden-3'\n" +
      "[[global.environment]]\nname = 'KEY'\nvalue = 'hidden-4'\n[hasura.settings]\ncorsDomain = [\n 'https://a.example', # 'hidden-5'\n]\n",
    ".secrets": "HASURA_GRAPHQL_ADMIN_SECRET='hidden-6'\n",
    "nhost/metadata/version.yaml": "version: 3",
    "nhost/metadata/databases/databases.yaml": "[]",
  });
  const out = join(project, "out");
  const { stdout, stderr } = await runCommand("import", project, "--out", out);
  expect(stdout).toContain("nhost/nhost.toml:10: corsDomain: set ENGINE_GRAPHQL_CORS_DOMAIN=https://a.example\n");
  expect(stdout + stderr).not.toContain("hidden");
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
