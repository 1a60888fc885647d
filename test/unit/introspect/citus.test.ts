import { describe, expect, it } from "vitest";
import type { Query } from "../../../compiler/dialects/dialect.ts";
import { introspectPostgres } from "../../../compiler/dialects/postgres/introspect.ts";
import { answerOf, library, type Rows, serverWith } from "./catalog-rows.ts";

/** A server with Citus. @param places rows of the statement for tables @param functions rows of that for functions */
function citusServer(places: Rows, functions: Rows): { readonly query: Query; readonly statements: string[] } {
  const statements: string[] = [];
  const query: Query = async (sql) => {
    statements.push(sql);
    if (sql.includes("server_version_num")) return [["150018", "15.18", "13.2-1"]];
    if (sql.includes("FROM pg_catalog.pg_dist_partition")) return places;
    return sql.includes("pg_dist_object") ? functions : answerOf(library);
  };
  return { query, statements };
}

describe("Introspection of Citus", () => {
  it("Introspection of Citus adds the places of tables to their shapes", async () => {
    const places = [
      ["100", "distributed", "author_id", "7"],
      ["101", "reference", null, "1"],
    ];
    const shape = await introspectPostgres(citusServer(places, []).query);
    expect(shape.citus).toEqual({ version: "13.2-1" });
    expect(shape.tables.map(({ name, distribution }) => [name, distribution])).toEqual([
      ["author", undefined],
      ["author", { kind: "reference" }],
      ["book", { kind: "distributed", column: "author_id", colocation: 7 }],
    ]);
  });

  it("A table of a distributed schema has one shard and no distribution column", async () => {
    const shape = await introspectPostgres(citusServer([["100", "distributed", null, "9"]], []).query);
    expect(shape.tables[2]?.distribution).toEqual({ kind: "distributed", colocation: 9 });
  });

  it("Introspection of Citus marks functions by their language, by what they read, and by the servers that have them", async () => {
    const [first, second] = library.function.map(([oid]) => oid);
    const rows = [
      [first ?? "", "sql", "true", "true"],
      [second ?? "", "plpgsql", "true", "false"],
    ];
    const shape = await introspectPostgres(citusServer([], rows).query);
    const marks = new Map(
      shape.functions.map(({ id, readsDistributed, isOnlyLocal }) => [String(id), { readsDistributed, isOnlyLocal }]),
    );
    expect(marks.get(first ?? "")).toEqual({ readsDistributed: "sql" });
    expect(marks.get(second ?? "")).toEqual({ readsDistributed: "other", isOnlyLocal: true });
  });

  it("Introspection without Citus runs two statements, and its shape has no member for Citus", async () => {
    const { query, statements } = citusServer([], []);
    await introspectPostgres(query);
    expect(statements).toHaveLength(4);
    const text = JSON.stringify(await introspectPostgres(serverWith(answerOf(library))));
    expect(text).not.toMatch(/citus|distribution|readsDistributed|isOnlyLocal/);
  });
});
