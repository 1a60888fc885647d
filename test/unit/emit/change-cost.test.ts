/**
 * What one permission change costs, counted rather than timed, so that it is the same on every machine: tables analysed
 * again, parts of metadata stored again, modules made again; and how large the modules of a role are.
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

/** The metadata with another permission of one role on one table. */
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

describe("one permission change", () => {
  it("analyses one table, and of it one permission", () => {
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

  it("stores one part of the metadata", () => {
    const { written, removed } = changedParts(before.catalog, after.catalog);
    expect(written.map(({ name }) => name)).toEqual([changedTable]);
    expect(removed).toEqual([]);
  });

  it("makes the modules of one permission again, and nothing of other roles", () => {
    const first = compile({ analysis: before });
    const known = modules(first);
    const second = compile({ analysis: after, previous: first });
    const made = second.paths().filter((path) => second.module(path) !== known.get(path));
    expect(made).toEqual([
      `roles/${changedRole}/default/public.${changedTable}.ts`,
      `roles/${changedRole}/resolvers.ts`,
    ]);
  });
});

it("the modules of a role stay small: bytes for each table", () => {
  const all = modules(compile({ analysis: before }));
  const bytesBelow = (folder: string) =>
    [...all].reduce(
      (sum, [path, { text }]) => sum + (path.startsWith(folder) && path.endsWith(".ts") ? Buffer.byteLength(text) : 0),
      0,
    );
  // What was seen, and a tenth more: a change that makes every module longer has to be meant.
  expect(bytesBelow("roles/role_1/") / tables).toBeLessThan(1250);
  expect(bytesBelow("sources/") / tables).toBeLessThan(1250);
});
