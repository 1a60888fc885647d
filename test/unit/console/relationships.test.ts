/** Relationships of the console in words, and many-to-many relationships. */
import { describe, expect, it } from "vitest";
import type { TableInfo } from "../../../runtime/console/http/data-api.ts";
import type { JsonObject, QualifiedName } from "../../../runtime/console/http/metadata-types.ts";
import { acrossJunction, meaningOf } from "../../../runtime/console/pages/data/relationships/meaning.ts";

const named = (name: string): QualifiedName => ({ schema: "public", name });

const table = (primary: readonly string[], keys: Readonly<Record<string, readonly string[]>>): TableInfo => ({
  kind: "table",
  comment: null,
  columns: [],
  primary_key: primary,
  foreign_keys: Object.fromEntries(
    Object.entries(keys).map(([name, columns]) => [
      name,
      {
        foreign_table: named(name.replace(/\d/, "")),
        column_mapping: Object.fromEntries(columns.map((each) => [each, "id"])),
      },
    ]),
  ),
  indexes: [],
  constraints: [],
  view_definition: null,
  estimated_rows: null,
});

describe("Relationships in words", () => {
  const info = table(["id"], { author: ["author_id"], region: ["country", "code"] });
  const words = (type: "object" | "array" | "remote", definition: JsonObject): string => {
    const { amount, table: target, elsewhere, field, by } = meaningOf({ name: "x", type, definition }, info);
    return [field ?? `${amount} ${target?.name ?? "?"}`, elsewhere === null ? "" : `of ${elsewhere}`, by]
      .filter((part) => part !== "")
      .join(" ");
  };

  it.each([
    ["object", { foreign_key_constraint_on: "author_id" }, "one author by author_id"],
    ["object", { foreign_key_constraint_on: ["code", "country"] }, "one region by code, country"],
    ["object", { foreign_key_constraint_on: "gone" }, "one ? by gone"],
    ["array", { foreign_key_constraint_on: { table: named("book"), column: "a" } }, "many book by its a"],
    ["object", { foreign_key_constraint_on: { table: "pass", columns: ["a", "b"] } }, "one pass by its a, b"],
    [
      "array",
      { manual_configuration: { remote_table: named("tag"), column_mapping: { a: "b", c: "d" } } },
      "many tag where a = b and c = d",
    ],
    [
      "remote",
      { to_source: { relationship_type: "array", source: "s", table: named("t"), field_mapping: { a: "b" } } },
      "many t of s where a = b",
    ],
    [
      "remote",
      {
        to_remote_schema: {
          remote_schema: "r",
          lhs_fields: ["a"],
          remote_field: { x: { arguments: {}, field: { y: { arguments: {} } } } },
        },
      },
      "x.y of r by a",
    ],
    ["remote", { remote_schema: "r", engine_fields: ["a"], remote_field: { x: { arguments: {} } } }, "x of r by a"],
  ] as const)("A relationship of the type %s has words: %j", (type, definition, expected) => {
    expect(words(type, definition as JsonObject).trim()).toBe(expected);
  });

  it.each([
    ["two keys that are the primary key", table(["a", "b"], { book: ["a"], tag: ["b"] }), "tag"],
    ["two keys of the same table", table(["a", "b"], { book1: ["a"], book2: ["b"] }), "book"],
    ["another column in the primary key", table(["a", "b", "c"], { book: ["a"], tag: ["b"] }), undefined],
    ["a key beside the primary key", table(["a", "b"], { book: ["a"], tag: ["b"], user: ["c"] }), "tag"],
    ["one key", table(["a"], { book: ["a"] }), undefined],
    ["keys of other tables", table(["a", "b"], { user: ["a"], tag: ["b"] }), undefined],
  ])("A junction table is found by its keys: %s", (_case, junction, expected) => {
    expect(acrossJunction(junction, named("book"))?.name).toBe(expected);
  });
});
