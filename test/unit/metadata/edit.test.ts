/** Lookups of tables use cached positions, which must belong to the searched list. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Table } from "../../../compiler/catalog/model.ts";
import { replacedTables } from "../../../compiler/catalog/parts.ts";
import { changeTable, sameName, tableNamed } from "../../../compiler/metadata/edit.ts";
import { catalogOf } from "./sample.ts";

const named = (name: string) => ({ schema: "public", name });
const start: Catalog = catalogOf({
  sources: [{ name: "default", tables: ["a", "b", "c"].map((table) => ({ table })) }],
});
const names = ["a", "b", "c", "d"];

function tablesOf({ sources: [source] }: Catalog): readonly Table[] {
  return source?.tables ?? [];
}

const withTables = (catalog: Catalog, change: (tables: readonly Table[]) => readonly Table[]): Catalog => ({
  ...catalog,
  sources: catalog.sources.map((source) => ({ ...source, tables: change(source.tables) })),
});

const anyName = fc.constantFrom(...names);
const anyEdit = fc.oneof(
  anyName.map((name) => (catalog: Catalog) => changeTable(catalog, "default", named(name), (t) => ({ ...t }))),
  // Renamed in place; a name of another table is not used.
  fc.tuple(anyName, anyName).map(([name, other]) => (catalog: Catalog) => {
    const isFree = !tablesOf(catalog).some(({ table }) => table.name === other);
    const to = (table: Table): Table => (isFree ? { ...table, table: named(other) } : table);
    return changeTable(catalog, "default", named(name), to);
  }),
  anyName.map((name) => (catalog: Catalog) => {
    return withTables(catalog, (tables) => tables.filter(({ table }) => table.name !== name));
  }),
  fc.constant((catalog: Catalog) => withTables(catalog, (tables) => [...tables].reverse())),
);

describe("Edits of tables", () => {
  it("Looking up a table returns the same as a linear search, after any edits", () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 8 }), (edits) => {
        let catalog = start;
        for (const edit of edits) {
          catalog = edit(catalog);
          const tables = tablesOf(catalog);
          for (const name of names) {
            expect(tableNamed(tables, named(name))).toBe(tables.find(({ table }) => sameName(table, named(name))));
          }
        }
      }),
    );
  });

  it("An edit that leaves a table unchanged leaves the catalog unchanged", () => {
    expect(changeTable(start, "default", named("a"), (table) => table)).toBe(start);
    expect(changeTable(start, "default", named("none"), (table) => ({ ...table }))).toBe(start);
  });
});

describe("Replaced tables", () => {
  const [a, b] = tablesOf(start);
  if (a === undefined || b === undefined) throw new Error("there are tables");

  it("replacedTables returns the tables that are different objects in the same positions", () => {
    const after = { ...b, is_enum: true };
    expect(replacedTables([a, b], [a, after])).toEqual([{ before: b, after }]);
    expect(replacedTables([a, b], [a, b])).toEqual([]);
  });

  it("replacedTables returns undefined if tables were added, removed, moved or renamed", () => {
    expect(replacedTables([a, b], [a])).toBeUndefined();
    expect(replacedTables([a, b], [b, a])).toBeUndefined();
    expect(replacedTables([a], [{ ...a, table: named("z") }])).toBeUndefined();
  });
});
