/** Tables in groups: they behave like one map, and unchanged groups are shared. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import { ofGroup, TableMap } from "../../../compiler/2-analyze/table-map.ts";
import { analysisOf, library, sourceIn, table } from "./sample.ts";

const nameOf = (index: number) => `t${String(index).padStart(4, "0")}`;
const count = 300;
const [first] = [
  ...sourceIn(
    analysisOf(
      { tables: [{ table: "t" }] },
      { shape: { ...library, tables: [table("t", { columns: { id: "int4" } })] } },
    ),
  ).tables.values(),
];

function tableOf(index: number, description = ""): AnalyzedTable {
  if (first === undefined) throw new Error("there is a table");
  return { ...first, key: `public.${nameOf(index)}`, description };
}

const tables = Array.from({ length: count }, (_, index) => tableOf(index));
const whole = TableMap.of(tables);

function entries(map: ReadonlyMap<string, AnalyzedTable>): unknown {
  const visited: unknown[] = [];
  map.forEach((value, key) => {
    visited.push([key, value]);
  });
  return { all: [...map], entries: [...map.entries()], keys: [...map.keys()], values: [...map.values()], visited };
}

describe("Table maps", () => {
  it("A table map equals a reference map after any changes", () => {
    const change = fc.tuple(fc.nat(count + 20), fc.string());
    fc.assert(
      fc.property(fc.nat(count), fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 5 }), (size, rounds) => {
        const reference = new Map(tables.slice(0, size).map((each) => [each.key, each]));
        let map = TableMap.of(tables.slice(0, size));
        for (const changes of rounds) {
          const others = changes.map(([index, description]) => tableOf(index, description));
          for (const other of others) if (reference.has(other.key)) reference.set(other.key, other);
          map = map.with(others);
          expect(entries(map)).toEqual(entries(reference));
          expect(map.size).toBe(reference.size);
          for (const { key } of others) {
            expect(map.get(key)).toBe(reference.get(key));
            expect(map.has(key)).toBe(reference.has(key));
          }
        }
      }),
    );
  });

  it("A table map replaces only the group of a changed table", () => {
    const after = whole.with([tableOf(70, "other")]);
    const groups = after.groups.filter((group) => !whole.groups.includes(group));
    expect(groups).toHaveLength(1);
    expect(groups.flat()).toContain(after.get("public.t0070"));
    expect(after.groups.length).toBeGreaterThan(3);
    // Maps are not modified in place.
    expect(whole.get("public.t0070")?.description).toBe("");
  });

  it("A table map reuses the groups of an earlier map that have the same tables", () => {
    expect(TableMap.of([...tables], whole)).toBe(whole);
    const other = TableMap.of(tables.with(70, tableOf(70, "other")), whole);
    expect(other.groups.filter((group) => !whole.groups.includes(group))).toHaveLength(1);
    expect(TableMap.of(tables.slice(1), whole)).not.toBe(whole);
    expect(TableMap.of(tables.slice(0, -1), whole).size).toBe(count - 1);
    expect(TableMap.of([], TableMap.of([])).size).toBe(0);
  });

  it("A table map lists the changes since an earlier map, including added and removed tables", () => {
    const changed = tableOf(70, "other");
    const later = TableMap.of([...tables.slice(1).with(69, changed), tableOf(count)], whole);
    expect([...later.changesSince(whole)]).toEqual([
      [changed, tables[70]],
      [tableOf(count), undefined],
    ]);
    expect([...whole.changesSince(whole)]).toEqual([]);
    expect([...whole.changesSince(later)].map(([{ key }]) => key)).toEqual(["public.t0000", "public.t0070"]);
  });

  it("A table map differs from a map with another table", () => {
    expect(whole.with([tableOf(70, "other")])).not.toEqual(whole);
    expect(TableMap.of(tables)).toEqual(whole);
  });

  it("A value derived from a group is computed once for each group", () => {
    const seen: string[] = [];
    const sizeOf = ofGroup((group) => {
      seen.push(group[0]?.key ?? "");
      return group.length;
    });
    const sum = (map: TableMap) => map.groups.reduce((before, group) => before + sizeOf(group), 0);
    expect(sum(whole)).toBe(count);
    expect(seen).toHaveLength(whole.groups.length);
    expect(sum(whole.with([tableOf(70, "other")]))).toBe(count);
    expect(seen).toHaveLength(whole.groups.length + 1);
  });
});
