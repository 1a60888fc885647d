/** Changed, new and dropped tables: the result equals that of a full analysis, and only these tables are analysed. */
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import { analyzeChangedTables } from "../../../compiler/2-analyze/changed-tables.ts";
import { LazyOtherSources } from "../../../compiler/2-analyze/other-sources.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Shape, TableShape } from "../../../compiler/shape/shape.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { analysisOf, columns, functionShape, parsed, shape, sourceIn, table } from "./sample.ts";

const count = 200;
const nameOf = (index: number) => `t${String(index).padStart(3, "0")}`;
const database = shape(
  Array.from({ length: count }, (_, index) =>
    table(nameOf(index), {
      columns: { id: "int4!", parent_id: "int4", owner: "text" },
      primaryKey: ["id"],
      foreignKeys:
        index === 0
          ? []
          : [
              {
                columns: ["parent_id"],
                foreignTable: { schema: "public", name: nameOf(index - 1) },
                foreignColumns: ["id"],
              },
            ],
    }),
  ),
);

const select_permissions = [
  { role: "reader", permission: { columns: ["id"], filter: { owner: { _eq: "X-Engine-User-Id" } } } },
];
const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };

interface Tracked {
  readonly table: string;
  readonly [key: string]: unknown;
}

/** Returns a table. Every second table has a relationship to the previous one. */
const tracked = (index: number): Tracked => ({
  table: nameOf(index),
  select_permissions,
  object_relationships: index % 2 === 1 ? [parent] : [],
});
const everyTable = Array.from({ length: count }, (_, index) => tracked(index));

function catalogOf(tables: readonly Tracked[]): Catalog {
  const configuration = { connection_info: { database_url: "postgres://x" } };
  return parsed({ version: 3, sources: [{ name: "default", configuration, tables }] });
}

/** Returns the catalog with these tables; its other tables are the same objects. */
function changed(catalog: Catalog, change: (tables: Catalog["sources"][number]["tables"]) => unknown[]): Catalog {
  const [source] = catalog.sources;
  if (source === undefined) throw new Error("there is a source");
  return { ...catalog, sources: [{ ...source, tables: change(source.tables) as typeof source.tables }] };
}

const without = (catalog: Catalog, name: string): Catalog =>
  changed(catalog, (tables) => tables.filter(({ table }) => table.name !== name));

const analysed = (catalog: Catalog, previous?: Analysis): Analysis =>
  analysisOf(catalog, {
    ...(previous && { previous }),
    introspections: previous
      ? new Map([...previous.sources].map(([name, { introspection }]) => [name, introspection]))
      : new Map([["default", { shape: database }]]),
  });

const tablesOf = (analysis: Analysis): ReadonlyMap<string, AnalyzedTable> => sourceIn(analysis).tables;

describe("Tracking and untracking one table", () => {
  const all = catalogOf(everyTable);
  const before = analysed(all);

  it("Tracking or untracking one table yields the same analysis as a full analysis", () => {
    // No relationship targets t101: only tables with odd numbers have relationships, to the previous table.
    const less = without(all, nameOf(101));
    const fewer = analysed(less, before);
    expect(sourceIn(fewer)).toEqual(sourceIn(analysed(less)));
    const again = analysed(all, fewer);
    expect(sourceIn(again)).toEqual(sourceIn(analysed(all)));
    expect([...tablesOf(again).keys()]).toEqual([...tablesOf(before).keys()]);
  });

  it("Tracking or untracking one table keeps the other tables and all groups of tables but one", () => {
    const less = without(all, nameOf(101));
    const fewer = analysed(less, before);
    for (const [key, known] of tablesOf(before)) {
      if (key !== "public.t101") expect(tablesOf(fewer).get(key)).toBe(known);
    }
    const known = new Set(sourceIn(before).tables.groups);
    expect(sourceIn(fewer).tables.groups.filter((group) => !known.has(group))).toHaveLength(1);
    expect(sourceIn(fewer).tables.groups.length).toBeGreaterThan(4);
  });

  it("Untracking a table also updates the tables that refer to it", () => {
    // t101 has a relationship to t100.
    const less = without(all, nameOf(100));
    const fewer = analysed(less, before);
    expect(sourceIn(fewer)).toEqual(sourceIn(analysed(less)));
    expect(tablesOf(fewer).get("public.t101")?.relationships.size).toBe(0);
    expect(fewer.inconsistencies.map(({ name }) => name)).toEqual([expect.stringContaining("parent")]);
    // Objects that were inconsistent without the table become consistent again.
    const again = analysed(all, fewer);
    expect(again.inconsistencies).toEqual([]);
    expect(tablesOf(again).get("public.t101")?.relationships.size).toBe(1);
    expect(sourceIn(again)).toEqual(sourceIn(analysed(all)));
  });

  it("A newly tracked table that the database lacks is reported as inconsistent", () => {
    const more = changed(all, (tables) => [...tables, ...(catalogOf([{ table: "t999" }]).sources[0]?.tables ?? [])]);
    const found = analysed(more, before);
    expect(found.inconsistencies.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('no such table/view exists in source: "t999"'),
    ]);
  });

  it("A newly tracked table may not take the name of an existing root field", () => {
    const less = analysed(without(all, nameOf(101)), before);
    const configuration = { custom_root_fields: { select: nameOf(7) } };
    const clashing = catalogOf([{ table: nameOf(101), configuration }]).sources[0]?.tables ?? [];
    const catalog = changed(without(all, nameOf(101)), (tables) => [...tables, ...clashing]);
    expect(() => analysed(catalog, less)).toThrow("Encountered conflicting definitions");
  });
});

describe("Tables changed in the database", () => {
  const catalog = catalogOf(everyTable);
  const before = analysed(catalog);
  const inTable = (name: string, change: (shape: TableShape) => Partial<TableShape>): Shape => ({
    ...database,
    tables: database.tables.map((each) => (each.name === name ? { ...each, ...change(each) } : each)),
  });
  const [extra] = columns({ extra: "int4" });
  const withColumn = (name: string): Shape =>
    inTable(name, (each) => ({ columns: [...each.columns, ...(extra ? [{ ...extra, position: 4 }] : [])] }));

  /** Returns the source after a partial analysis; `undefined` if that is impossible. */
  const inPart = (after: Shape) => {
    const [source] = catalog.sources;
    if (source === undefined) throw new Error("there is a source");
    const introspection = { shape: after };
    const introspections = new Map([["default", introspection]]);
    const others = new LazyOtherSources({ catalog, introspections, options: analysisOptions, previous: before });
    return analyzeChangedTables(sourceIn(before), { source, introspection, options: analysisOptions, others });
  };
  const whole = (after: Shape) => sourceIn(analysisOf(catalog, { shape: after }));

  it.each([
    ["another column", withColumn(nameOf(100)), ["public.t100"]],
    [
      "a column of another type",
      inTable(nameOf(100), ({ columns: [first, ...others] }) => ({
        columns: [...columns({ id: "int8!" }), ...others].filter((each) => each !== first),
      })),
      ["public.t100"],
    ],
    ["a removed primary key", inTable(nameOf(100), () => ({ primaryKey: null })), ["public.t100"]],
    [
      "a foreign key that its relationship does not need",
      inTable(nameOf(100), () => ({ foreignKeys: [] })),
      ["public.t100"],
    ],
    [
      "a foreign key of another name",
      inTable(nameOf(101), ({ foreignKeys }) => ({ foreignKeys: foreignKeys.map((key) => ({ ...key, name: "key" })) })),
      ["public.t101"],
    ],
    ["a comment", inTable(nameOf(100), () => ({ comment: "A table" })), ["public.t100"]],
    ["only its place in the list", { ...database, tables: structuredClone(database.tables) }, []],
    ["a function beside it", { ...database, functions: [functionShape("beside")] }, []],
  ])("Only the changed table is analysed again: %s", (_, after, keys) => {
    const found = inPart(after);
    expect(found).toEqual(whole(after));
    const changed = [...(found?.tables ?? [])].filter(([key, each]) => tablesOf(before).get(key) !== each);
    expect(changed.map(([key]) => key)).toEqual(keys);
  });

  it("All tables are analysed again if the change causes an inconsistency", () => {
    const gone = inTable(nameOf(101), () => ({ foreignKeys: [] }));
    expect(inPart(gone)).toBeUndefined();
    expect(inPart({ ...database, tables: database.tables.filter(({ name }) => name !== nameOf(101)) })).toBeUndefined();
    const after = analysisOf(catalog, { shape: gone, previous: before });
    expect(after.inconsistencies).toHaveLength(1);
    // Later changes also analyse all tables, until the metadata is consistent.
    const again = analysisOf(catalog, { shape: withColumn(nameOf(3)), previous: after });
    expect(sourceIn(again)).toEqual(whole(withColumn(nameOf(3))));
  });
});
