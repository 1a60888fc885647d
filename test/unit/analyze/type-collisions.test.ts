/** Objects that give the schema two types of one name: refused where a change brings them about, else left out. */
import { describe, expect, it } from "vitest";
import { analysisOf, catalogOf, failureOf, parsed, resultOf, sourceOf } from "./sample.ts";

const article = { table: "article" };
const author = { table: "author" };
const named = (table: object, configuration: object) => ({ ...table, configuration });
/** No root field is called as one of another table. */
const apart = Object.fromEntries(
  ["", "_by_pk", "_aggregate", "_stream", "_many", "_one"].flatMap((end, i) => {
    const keys = [
      ["select", "insert", "update", "delete"],
      ["select_by_pk", "update_by_pk", "delete_by_pk"],
      ["select_aggregate"],
      ["select_stream"],
      ["update_many"],
      ["insert_one"],
    ];
    return (keys[i] ?? []).map((key) => [key, `${key.split("_", 1)[0]}_other${end}`]);
  }),
);
const renamed = (custom_name: string) => named(author, { custom_name, custom_root_fields: apart });
const messageOf = (tables: readonly object[], more: object = {}) => failureOf(catalogOf({ tables, ...more }))?.message;

describe("two types of one name", () => {
  it.each([
    ["article", "table article in source default, table author in source default"],
    ["article_bool_exp", "table article in source default, table author in source default"],
    ["article_updates", "table article in source default, table author in source default"],
    ["article_stream_cursor_input", "table article in source default, table author in source default"],
    ["String", "a type of every schema, table author in source default"],
    ["query_root", "a type of every schema, table author in source default"],
    ["order_by", "a type of every schema, table author in source default"],
  ])("fail a change that brings them about, and both are named: %s", (name, owners) => {
    expect(messageOf([article, renamed(name)])).toBe(
      `Found conflicting definitions for GraphQL type '${name}' by [${owners}]. Give one of them another name: a custom_name, or a prefix or suffix for the type names of its source.`,
    );
  });

  it("may be a table and the scalar of a column", () => {
    const scalars = named(article, { custom_name: "timestamptz" });
    expect(messageOf([scalars, author])).toContain(
      "by [the scalar of column joined of table author in source default, table article in source default]",
    );
    expect(messageOf([scalars])).toBeUndefined();
  });

  it("may be a table and a model", () => {
    const model = { name: "author", fields: [{ name: "id", type: { scalar: "integer" } }] };
    const sources = [sourceOf("default", [author], { logical_models: [model] })];
    expect(failureOf(parsed({ version: 3, sources }))?.message).toContain(
      "'author' by [table author in source default, logical model author in source default]",
    );
  });

  it("may be tables whose names differ in case alone, in the naming convention of the source", () => {
    const options = { experimentalFeatures: new Set(["naming_convention"]) };
    const customization = { naming_convention: "graphql-default" };
    const tables = [article, named(author, { custom_name: "Article", custom_root_fields: apart })];
    expect(failureOf(catalogOf({ tables, customization }), { options })?.message).toContain("GraphQL type 'Article'");
    expect(messageOf(tables)).toBeUndefined();
  });

  it("are told apart by the hidden features", () => {
    const options = { experimentalFeatures: new Set(["hide_update_many_fields"]) };
    expect(failureOf(catalogOf({ tables: [article, renamed("article_updates")] }), { options })).toBeUndefined();
  });
});

describe("tables of two sources in a namespace", () => {
  const two = (second: object, customization: object = {}) =>
    parsed({
      version: 3,
      sources: [
        sourceOf("a", [author]),
        sourceOf("b", [second], { customization: { root_fields: { namespace: "b" }, ...customization } }),
      ],
    });
  const other = named(article, { custom_name: "author" });

  it("may share a type where their columns are alike", () => {
    expect(failureOf(two(author))).toBeUndefined();
  });

  it("collide where they are not, unless the source customizes its types", () => {
    expect(failureOf(two(other))?.message).toContain("by [table author in source a, table article in source b]");
    expect(failureOf(two(other, { type_names: { prefix: "b_" } }))).toBeUndefined();
  });

  it("leave out the second where metadata is served as it is, with an entry that names both", () => {
    const analysis = analysisOf(two(other));
    expect(analysis.inconsistencies).toMatchObject([
      {
        name: "table article in source b",
        reason: expect.stringContaining("by [table author in source a, table article in source b]"),
      },
    ]);
    expect(analysis.sources.get("a")?.tables.size).toBe(1);
    expect(analysis.sources.get("b")?.tables.size).toBe(0);
    // The same again, whatever else changes.
    expect(resultOf(two(other), { previous: analysis })).toMatchObject({ ok: true, value: { inconsistencies: [{}] } });
  });
});
