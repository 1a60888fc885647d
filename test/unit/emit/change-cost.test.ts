/**
 * The cost of one permission change, counted rather than timed, so that it is equal on every machine: tables re-analysed,
 * parts of metadata rewritten, modules regenerated; and the size of a role's modules.
 */
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Table } from "../../../compiler/catalog/model.ts";
import { changedParts } from "../../../compiler/catalog/parts.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import { analysisOf, library, parsed, sourceIn, table } from "../analyze/sample.ts";

const tables = 60;
const roles = 10;
const nameOf = (index: number) => `table_${index}`;
const permission = (columns: readonly string[]) => ({ columns, filter: { owner: { _eq: "X-Engine-User-Id" } } });

const shape = {
  ...library,
  tables: Array.from({ length: tables }, (_, index) =>
    table(nameOf(index), { columns: { id: "int4!", name: "text", owner: "text" }, primaryKey: ["id"] }),
  ),
};
const before: Analysis = analysisOf(
  parsed({
    version: 3,
    sources: [
      {
        name: "default",
        configuration: { connection_info: { database_url: "postgres://x" } },
        tables: shape.tables.map(({ name }) => ({
          table: name,
          select_permissions: Array.from({ length: roles }, (_, role) => ({
            role: `role_${role}`,
            permission: permission(["id", "name", "owner"]),
          })),
        })),
      },
    ],
  }),
  { shape },
);

const changedTable = nameOf(tables >> 1);
const changedRole = "role_7";

/** Returns the metadata with one permission changed. */
function withChange(catalog: Catalog): Catalog {
  const change = (each: Table): Table => ({
    ...each,
    select_permissions: each.select_permissions.map((given) =>
      given.role === changedRole ? { role: changedRole, permission: permission(["id"]) } : given,
    ),
  });
  const sources = catalog.sources.map((source) => ({
    ...source,
    tables: source.tables.map((each) => (each.table.name === changedTable ? change(each) : each)),
  }));
  return { ...catalog, sources };
}

const after = analysisOf(withChange(before.catalog), { previous: before, introspections: introspectionsOf(before) });

function introspectionsOf(analysis: Analysis) {
  return new Map([...analysis.sources].map(([name, { introspection }]) => [name, introspection]));
}

const modules = (program: Program) => new Map(program.paths().map((path) => [path, program.module(path)]));

describe("The cost of one permission change", () => {
  it("A permission change analyses one table and one of its permissions", () => {
    const [old, now] = [sourceIn(before), sourceIn(after)];
    expect(now.shape).toBe(old.shape);
    const analysed = [...now.tables.values()].filter((each) => old.tables.get(each.key) !== each);
    expect(analysed.map(({ table: { table: each } }) => each.name)).toEqual([changedTable]);
    const [own] = analysed;
    const kept = [...(own?.select ?? [])].filter(
      ([role, each]) => old.tables.get(own?.key ?? "")?.select.get(role) === each,
    );
    expect(kept).toHaveLength(roles - 1);
  });

  it("A permission change stores one part of the metadata", () => {
    const { written, removed } = changedParts(before.catalog, after.catalog);
    expect(written.map(({ name }) => name)).toEqual([changedTable]);
    expect(removed).toEqual([]);
  });

  it("A permission change emits the modules of one permission and of no other role", () => {
    const first = compile({ analysis: before });
    const known = modules(first);
    const second = compile({ analysis: after, previous: first });
    const made = second.paths().filter((path) => second.module(path) !== known.get(path));
    expect(made).toEqual([
      `roles/${changedRole}/default/public.${changedTable}.ts`,
      `roles/${changedRole}/root-fields.ts`,
    ]);
  });
});

it("The modules of a role stay within the size limit for each table", () => {
  const all = modules(compile({ analysis: before }));
  const bytesBelow = (folder: string) =>
    [...all].reduce(
      (sum, [path, { text }]) => sum + (path.startsWith(folder) && path.endsWith(".ts") ? Buffer.byteLength(text) : 0),
      0,
    );
  // The observed size plus 10 %: a change that makes every module longer must be intended.
  expect(bytesBelow("roles/role_1/") / tables).toBeLessThan(1250);
  expect(bytesBelow("sources/") / tables).toBeLessThan(1250);
});
