import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CatalogRows } from "../../../compiler/dialects/postgres/introspect/rows.ts";
import { introspectPostgres } from "../../../compiler/dialects/postgres/introspect.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { answerOf, library, serverWith } from "./catalog-rows.ts";

describe("Introspection of PostgreSQL", () => {
  it("Introspection of PostgreSQL returns the same bytes for any order of rows", async () => {
    const rows = answerOf(library);
    const expected = JSON.stringify(await introspectPostgres(serverWith(rows)));
    const permutations = fc.shuffledSubarray([...rows], { minLength: rows.length });
    await fc.assert(
      fc.asyncProperty(permutations, async (shuffled) => {
        expect(JSON.stringify(await introspectPostgres(serverWith(shuffled)))).toBe(expected);
      }),
    );
  });

  it("Introspection of PostgreSQL sorts tables, keys and overloads by code units", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.tables.map((table) => `${table.schema}.${table.name}`)).toEqual([
      "Zoo.author",
      "shop.author",
      "shop.book",
    ]);
    const book = shape.tables[2];
    expect(book?.foreignKeys.map((key) => key.name)).toEqual(["a_author", "z_author"]);
    expect(book?.uniqueKeys).toEqual([
      { name: "b_unique", columns: ["mood"] },
      { name: "z_unique", columns: ["mood", "author_id"] },
    ]);
    expect(shape.functions.map((each) => `${each.name} ${each.arguments[0]?.type.sql}`)).toEqual([
      "books shop.book",
      "title integer",
      "title text",
    ]);
  });

  it("Introspection of PostgreSQL lists the statements that a view accepts", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.tables[0]).toMatchObject({ kind: "view", insertable: false, updatable: true, deletable: false });
  });

  it("Introspection of PostgreSQL assigns defaults to the last arguments", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.functions[0]?.arguments.map(({ name, hasDefault }) => ({ name, hasDefault }))).toEqual([
      { name: "of", hasDefault: false },
      { name: null, hasDefault: true },
    ]);
  });

  it("Introspection of PostgreSQL lists the types in use and their component types", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.types.map((type) => `${type.kind} ${type.name}`)).toEqual(["enum mood", "domain moods"]);
  });

  it.each([
    ["15.18 (Debian 15.18-0+deb12u1)", "15.18"],
    ["18.4", "18.4"],
    ["19beta1", "19beta1"],
  ])("Introspection parses the server version %s as %s", async (answered, version) => {
    const shape = await introspectPostgres(serverWith([], answered));
    expect(shape).toEqual({
      format: 1,
      kind: "postgres",
      serverVersion: version,
      tables: [],
      functions: [],
      types: [],
    });
  });

  it("Introspection rejects with the error of the query", async () => {
    const refused = introspectPostgres(async () => {
      throw new Error("connection refused");
    });
    await expect(refused).rejects.toThrow("connection refused");
  });
});

type Section = keyof CatalogRows;

/** Returns the catalogue with other rows in one section. */
const changed = <S extends Section>(section: S, change: (rows: CatalogRows[S]) => CatalogRows[S]): CatalogRows => ({
  ...library,
  [section]: change(library[section]),
});
const replaced =
  <Row extends readonly unknown[]>(oid: string, at: number, value: unknown) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => (row[0] === oid ? (row.with(at, value) as unknown as Row) : row));
const without =
  <Row extends readonly unknown[]>(at: number, oid: string) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => row[at] !== oid);

const catalogs: readonly (readonly [what: string, rows: CatalogRows, others: readonly string[]])[] = [
  ["nothing", library, []],
  ["the order of rows", { ...library, relation: library.relation.toReversed() }, []],
  ["a comment", changed("relation", replaced("101", 5, null)), ["author"]],
  [
    "the name of the table that a key references",
    changed("relation", replaced("101", 2, "writer")),
    ["writer", "book"],
  ],
  [
    "the name of the column that a key references",
    changed("columns", replaced("101", 1, [[1, "key", "23", true, false, "a", false, null]])),
    ["author", "book"],
  ],
  [
    "an invisible table that a key references",
    {
      ...library,
      relation: library.relation.filter(([oid]) => oid !== "101"),
      columns: library.columns.filter(([oid]) => oid !== "101"),
      constraint: library.constraint.filter(([, relation]) => relation !== "101"),
    },
    ["book"],
  ],
  ["a removed key", changed("constraint", without(0, "305")), ["book"]],
  ["a view that accepts more statements", changed("relation", replaced("102", 6, 28)), ["author"]],
  ["the name of an enum type below a domain", changed("type", replaced("200", 2, "state")), ["book"]],
  ["a domain that is not null", changed("type", replaced("201", 7, true)), ["book"]],
  ["the values of an enum type", changed("labels", replaced("200", 1, ["sad"])), []],
  ["a type without a table", changed("type", replaced("203", 2, "other")), []],
  ["a removed function", changed("function", without(0, "401")), []],
];

describe("Reuse of the previous introspection", () => {
  const read = (rows: CatalogRows, known?: Shape) => introspectPostgres(serverWith(answerOf(rows)), known);

  it.each(catalogs)("Unchanged tables are reused: %s changed", async (_, rows, others) => {
    const before = await read(library);
    const after = await read(rows, before);
    expect(after).toEqual(await read(rows));
    const known = new Set(before.tables);
    const fresh = after.tables.filter((table) => !known.has(table)).map(({ name }) => name);
    expect(fresh.sort()).toEqual([...others].sort());
    // The reverse change restores the original result.
    expect(await read(library, after)).toEqual(before);
  });

  it("Unchanged tables are reused even if another process read them", async () => {
    const kept: Shape = structuredClone(await read(library));
    const after = await read(changed("constraint", without(0, "305")), kept);
    const again = await read(library, after);
    for (const shape of [after, again]) {
      expect(shape.tables.filter((table) => kept.tables.includes(table)).map(({ id }) => id)).toEqual([102, 101]);
    }
  });

  it("Incremental introspection equals full introspection after any changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...catalogs), { minLength: 1, maxLength: 5 }), async (several) => {
        let known: Shape | undefined;
        for (const [, rows] of several) {
          known = await read(rows, known);
          expect(known).toEqual(await read(rows));
        }
      }),
    );
  });
});
