import { describe, expect, it } from "vitest";
import {
  compareVersions,
  databasesWithFiles,
  readMigrations,
} from "../../../../runtime/cli/migrations/migration-files.ts";
import { temporaryDirectory } from "../../metadata-directory/temporary-directory.ts";

const read = async (files: Readonly<Record<string, string>>) => {
  const folder = await temporaryDirectory(files);
  return readMigrations(folder, "default").catch((error: Error) => error.message.replace(`${folder}/`, ""));
};

describe("Migration folders", () => {
  it("Migrations are ordered by version, regardless of its digits", async () => {
    const found = await read({
      "default/1700000000000000000_c/up.sql": "3",
      "default/00002_b/up.sql": "2",
      "default/1_ä b/down.sql": "1",
      "default/README.md": "about them",
      "default/.git/x": "",
    });
    expect(found).toMatchObject([
      { version: "1", name: "ä b", up: undefined, down: { sql: "1" } },
      { version: "2", name: "b" },
      { version: "1700000000000000000", name: "c" },
    ]);
  });

  it.each([
    [{ "default/1_a/up.sql": "", "default/01_b/up.sql": "" }, "default/1_a has the same version as"],
    [{ "default/first/up.sql": "" }, "default/first is not a migration: its name must be <version>_<name>"],
    [{ "default/1_a/other.sql": "" }, "default/1_a has neither up.sql nor down.sql"],
    [
      { "default/1_a/up.sql": "", "default/1_a/replaces": "1\nx\n" },
      "default/1_a/replaces:2: expected a list of versions",
    ],
    [
      { "default/1_a/up.yaml": "- type: track_table\n  args: t" },
      "up.yaml contains the operation track_table: only run_sql",
    ],
  ])("The migration files %j are refused: %s", async (files, message) => {
    expect(await read(files)).toContain(message);
  });

  it("Migrations may contain the YAML steps of older projects", async () => {
    const steps = "- type: run_sql\n  args: {sql: create table a ()}\n- type: run_sql\n  args:\n    sql: select 1;\n";
    expect(await read({ "default/1_a/up.yaml": steps })).toMatchObject([
      { up: { sql: "create table a ();\nselect 1;" } },
    ]);
  });

  it("Migrations are in a folder for each database", async () => {
    expect(await databasesWithFiles(await temporaryDirectory({ "b/1_x/up.sql": "", "a/1_x/up.sql": "" }))).toEqual([
      "a",
      "b",
    ]);
    expect(await databasesWithFiles("/nothing/here")).toEqual([]);
    const old = await temporaryDirectory({ "1_x/up.sql": "" });
    await expect(databasesWithFiles(old)).rejects.toThrow("1_x belongs to no database: move it into a folder");
  });
});

it("compareVersions compares versions as numbers", () => {
  expect(["10", "9", "1700000000000", "0"].sort(compareVersions)).toEqual(["0", "9", "10", "1700000000000"]);
});
