import { join } from "node:path";
import { expect, it } from "vitest";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { type Compiled, compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { must } from "../../support/compiled.ts";

const library = join(import.meta.dirname, "../../../fixtures/library");

async function libraryCatalog(): Promise<Catalog> {
  const { metadata } = await readMetadataDirectory(join(library, "metadata"));
  return must(readMetadataDocument(metadata, emptyCatalog));
}

async function load(catalog: Catalog, previous?: Compiled): Promise<Compiled> {
  const saved = await readShapeFile(join(library, "shape.json"));
  if (saved.kind !== "one") throw new Error("the library has one source");
  const options = { ...analysisOptions, remoteSchemaPermissions: false };
  const analysis = must(analyze({ catalog, introspections: new Map([["default", { shape: saved.shape }]]), options }));
  return compileAnalysis({ analysis, previous, planning: { stringifyNumbers: false, nullCollapse: false } });
}

/** Returns the modules with plans, by role and query. */
function plansOf({ program, planned }: Compiled): ReadonlyMap<string, unknown> {
  const plans = program.roles().flatMap((role) =>
    [...program.savedOperations()].map((operation) => {
      const path = planned.savedPlans(operation, role);
      return [`${role} ${operation.name}`, path === undefined ? undefined : planned.file(path)] as const;
    }),
  );
  return new Map(plans);
}

/** Returns the catalog with another row filter of members on reviews. */
function withOtherFilter(catalog: Catalog): Catalog {
  const sources = catalog.sources.map((source) => ({
    ...source,
    tables: source.tables.map((table) => {
      if (table.table.name !== "review") return table;
      const select_permissions = table.select_permissions.map((each) =>
        each.role === "member" ? { ...each, permission: { ...each.permission, filter: { stars: { _gt: 2 } } } } : each,
      );
      return { ...table, select_permissions };
    }),
  }));
  return { ...catalog, sources };
}

it("A metadata change plans again only the saved operations that it affects", async () => {
  const catalog = await libraryCatalog();
  const before = await load(catalog);
  const old = plansOf(before);
  const now = plansOf(await load(withOtherFilter(catalog), before));
  const changed = [...now].filter(([key, plans]) => plans !== old.get(key)).map(([key]) => key);
  expect(changed).toEqual(["member book"]);
  expect(now.get("visitor my_loans")).toBeUndefined();
  expect(now.get("member search")).toBeUndefined();
});

it("brokenSince returns the saved operations that a role could run before", async () => {
  const catalog = await libraryCatalog();
  const before = await load(catalog);
  plansOf(before);
  const sources = catalog.sources.map((source) => ({
    ...source,
    tables: source.tables.map((table) =>
      table.table.name === "review" ? { ...table, select_permissions: [] } : table,
    ),
  }));
  const broken = (await load({ ...catalog, sources }, before)).planned.brokenSince(before.planned);
  expect(broken.map(({ operation, role }) => `${role} ${operation.name}`)).toEqual([
    "librarian book",
    "member book",
    "visitor book",
  ]);
  expect(broken[0]?.faults).toEqual(["$.book_by_pk.reviews: field 'reviews' not found in object 'book'"]);
});
