/** The inputs of permission tests: the changes that affect a test of a role, and those that do not. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Table } from "../../../compiler/catalog/model.ts";
import { type AnalyzedProgram, analyzeCatalog, introspectionsOf } from "../../../runtime/cli/compile/analyze-input.ts";
import { type CatalogFiles, readCatalog } from "../../../runtime/cli/compile/read-catalog.ts";
import { TestInputs } from "../../../runtime/cli/dev/affected-tests.ts";
import type { TestToRun } from "../../../runtime/cli/permission-tests/run-tests.ts";

const library = join(import.meta.dirname, "../../../fixtures/library");
const metadata = join(library, "metadata");
let files: CatalogFiles;
let before: AnalyzedProgram;

async function programOf(catalog: Catalog): Promise<AnalyzedProgram> {
  const introspections = await introspectionsOf(catalog, { metadata, shape: join(library, "shape.json") });
  const program = await analyzeCatalog(
    { ...files, catalog },
    introspections,
    { metadata, allowInconsistent: true },
    {},
  );
  if ("problems" in program) throw new Error(program.problems.join("\n"));
  return program;
}

beforeAll(async () => {
  const read = await readCatalog(metadata);
  if ("diagnostic" in read) throw new Error("the metadata is valid");
  files = read;
  before = await programOf(read.catalog);
});

function testOf(role: string, more: Partial<TestToRun["test"]> = {}): TestToRun {
  const test = { name: "A", at: "a.yaml:1:1", index: 0, sessionName: undefined, session: { role, variables: {} } };
  const request = { query: "{ book { id } }", operation: null, variables: {}, setup: [], expected: undefined };
  return { file: { path: "a.yaml", seeds: false, setup: [], cases: [] }, test: { ...test, ...request, ...more } };
}

const roles = ["admin", "librarian", "member", "nobody", "visitor"];

/** Returns the roles whose tests the change affects. */
async function affectedBy(change: (catalog: Catalog) => Catalog): Promise<readonly string[]> {
  const [one, other] = [new TestInputs(before, ""), new TestInputs(await programOf(change(files.catalog)), "")];
  return roles.filter((role) => one.of(testOf(role)) !== other.of(testOf(role)));
}

const withTable =
  (name: string, change: (table: Table) => Table) =>
  (catalog: Catalog): Catalog => ({
    ...catalog,
    sources: catalog.sources.map((source) => ({
      ...source,
      tables: source.tables.map((table) => (table.table.name === name ? change(table) : table)),
    })),
  });

describe("The inputs of permission tests", { timeout: 60_000 }, () => {
  it("A changed permission affects the tests of its role only", async () => {
    const change = withTable("loan", (table) => ({
      ...table,
      select_permissions: table.select_permissions.map((each) =>
        each.role === "member" ? { ...each, permission: { ...each.permission, filter: {} } } : each,
      ),
    }));
    expect(await affectedBy(change)).toEqual(["member"]);
  });

  it("A renamed field affects the tests of all roles that read the table", async () => {
    const change = withTable("loan", (table) => ({
      ...table,
      configuration: { ...table.configuration, column_config: { due_on: { custom_name: "due" } } },
    }));
    expect(await affectedBy(change)).toEqual(["admin", "librarian", "member"]);
  });

  it("Limits, which are in no module, affect all tests, and equal metadata none", async () => {
    const limits = { disabled: false, depth_limit: { global: 7, per_role: {} } };
    expect(await affectedBy((catalog) => ({ ...catalog, api_limits: limits }))).toEqual(roles);
    expect(await affectedBy((catalog) => ({ ...catalog }))).toEqual([]);
  });

  it("Changed databases, cases and setups affect a test, and its place in the file does not", () => {
    const inputs = new TestInputs(before, "");
    const same = inputs.of(testOf("member"));
    expect(new TestInputs(before, "select 1").of(testOf("member"))).not.toBe(same);
    expect(inputs.of(testOf("member", { query: "{ book { title } }" }))).not.toBe(same);
    expect(inputs.of(testOf("member", { expected: { data: {} } }))).not.toBe(same);
    const { file, test } = testOf("member");
    expect(inputs.of({ file: { ...file, seeds: true }, test })).not.toBe(same);
    expect(inputs.of({ file: { ...file, setup: [{ at: "", database: undefined, sql: "select 1" }] }, test })).not.toBe(
      same,
    );
    expect(inputs.of(testOf("member", { at: "a.yaml:9:1", index: 4 }))).toBe(same);
  });
});
