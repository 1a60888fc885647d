import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { introspectPostgres } from "../../../compiler/dialects/postgres/introspect.ts";
import { answerOf, library, serverWith } from "./catalog-rows.ts";

describe("introspectPostgres", () => {
  it("gives the same bytes in whatever order the server answers", async () => {
    const rows = answerOf(library);
    const expected = JSON.stringify(await introspectPostgres(serverWith(rows)));
    const permutations = fc.shuffledSubarray([...rows], { minLength: rows.length });
    await fc.assert(
      fc.asyncProperty(permutations, async (shuffled) => {
        expect(JSON.stringify(await introspectPostgres(serverWith(shuffled)))).toBe(expected);
      }),
    );
  });

  it("orders by code units: tables, keys and overloads", async () => {
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

  it("tells which statements a view takes", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.tables[0]).toMatchObject({ kind: "view", insertable: false, updatable: true, deletable: false });
  });

  it("gives defaults to the last arguments", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.functions[0]?.arguments.map(({ name, hasDefault }) => ({ name, hasDefault }))).toEqual([
      { name: "of", hasDefault: false },
      { name: null, hasDefault: true },
    ]);
  });

  it("lists the types in use, and those they are made of", async () => {
    const shape = await introspectPostgres(serverWith(answerOf(library)));
    expect(shape.types.map((type) => `${type.kind} ${type.name}`)).toEqual(["enum mood", "domain moods"]);
  });

  it.each([
    ["15.18 (Debian 15.18-0+deb12u1)", "15.18"],
    ["18.4", "18.4"],
    ["19beta1", "19beta1"],
  ])("reads the server version %s as %s", async (answered, version) => {
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

  it("rejects with the error of the query", async () => {
    const refused = introspectPostgres(async () => {
      throw new Error("connection refused");
    });
    await expect(refused).rejects.toThrow("connection refused");
  });
});
