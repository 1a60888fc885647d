/**
 * Objects that would give the schema two types of one name: a change that causes this is refused; otherwise, the
 * objects are excluded.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import {
  analysisOf,
  argument,
  catalogOf,
  failureOf,
  functionShape,
  library,
  parsed,
  resultOf,
  rowType,
  shape,
  sourceOf,
  table,
} from "./sample.ts";

const article = { table: "article" };
const author = { table: "author" };
const named = (table: object, configuration: object) => ({ ...table, configuration });
/** Custom names of root fields that differ from the root fields of other tables. */
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

describe("Type name conflicts", () => {
  it.each([
    ["article", "table article in source default, table author in source default"],
    ["article_bool_exp", "table article in source default, table author in source default"],
    ["article_updates", "table article in source default, table author in source default"],
    ["article_stream_cursor_input", "table article in source default, table author in source default"],
    ["article_constraint", "table article in source default, table author in source default"],
    ["article_update_column", "table article in source default, table author in source default"],
    ["article_obj_rel_insert_input", "table article in source default, table author in source default"],
    ["article_avg_fields", "table article in source default, table author in source default"],
    ["article_aggregate_bool_exp_count", "table article in source default, table author in source default"],
    ["Int_comparison_exp", "an input that compares values in source default, table author in source default"],
    ["__Type", "a type of every schema, table author in source default"],
    ["String", "a type of every schema, table author in source default"],
    ["query_root", "a type of every schema, table author in source default"],
    ["order_by", "a type of every schema, table author in source default"],
  ])("A type name conflict fails a metadata change and names both owners: %s", (name, owners) => {
    expect(messageOf([article, renamed(name)])).toBe(
      `Found conflicting definitions for GraphQL type '${name}' by [${owners}]. Give one of them another name: a custom_name, or a prefix or suffix for the type names of its source.`,
    );
  });

  it("A table and a column's scalar may conflict", () => {
    const scalars = named(article, { custom_name: "timestamptz" });
    expect(messageOf([scalars, author])).toContain(
      "by [the scalar of column joined of table author in source default, table article in source default]",
    );
    expect(messageOf([scalars])).toBeUndefined();
  });

  it("A table and a logical model may conflict", () => {
    const model = { name: "author", fields: [{ name: "id", type: { scalar: "integer" } }] };
    const sources = [sourceOf("default", [author], { logical_models: [model] })];
    expect(failureOf(parsed({ version: 3, sources }))?.message).toContain(
      "'author' by [table author in source default, logical model author in source default]",
    );
  });

  const search = functionShape("search", {
    arguments: [argument("word", "text")],
    returns: rowType("public", "article"),
    returnsTable: { schema: "public", name: "article" },
    returnsSet: true,
  });
  const other = { ...search, schema: "shop", arguments: [argument("words", "text")] };
  const withFunctions = { ...library, functions: [search, other] };
  const tracked = { function: "search" };
  const renamedSearch = {
    function: { schema: "shop", name: "search" },
    configuration: { custom_name: "search", custom_root_fields: { function: "a", function_aggregate: "b" } },
  };

  it("A table may conflict with the arguments of a function", () => {
    const catalog = catalogOf({ tables: [article, renamed("search_args")], functions: [tracked] });
    expect(failureOf(catalog, { shape: withFunctions })?.message).toContain(
      "'search_args' by [table author in source default, function search in source default]",
    );
  });

  it("The arguments of two functions conflict unless they are alike", () => {
    const catalog = catalogOf({ tables: [article], functions: [tracked, renamedSearch] });
    expect(failureOf(catalog, { shape: withFunctions })?.message).toContain(
      "'search_args' by [function search in source default, function shop.search in source default]",
    );
    const alike = { ...other, arguments: search.arguments };
    expect(failureOf(catalog, { shape: { ...library, functions: [search, alike] } })).toBeUndefined();
    const without = { ...other, arguments: [] };
    expect(failureOf(catalog, { shape: { ...library, functions: [search, without] } })).toBeUndefined();
  });

  it("A server that starts with two such functions omits the second one", () => {
    const input = { tables: [article], functions: [tracked, renamedSearch] };
    const analysis = analysisOf(input, { shape: withFunctions });
    expect(analysis.inconsistencies).toMatchObject([
      {
        reason: expect.stringContaining(
          "by [function search in source default, function shop.search in source default]",
        ),
      },
    ]);
    expect([...(analysis.sources.get("default")?.functions.keys() ?? [])]).toEqual(["public.search"]);
  });

  it("A table may conflict with the arguments of a native query and with the filter of its rows", () => {
    const model = { name: "row", fields: [{ name: "id", type: { scalar: "integer" } }] };
    const native = {
      root_field_name: "rows",
      code: "select {{id}} id",
      arguments: { id: { type: "int" } },
      returns: "row",
    };
    const messageWith = (name: string) => {
      const more = { logical_models: [model], native_queries: [native] };
      return failureOf(parsed({ version: 3, sources: [sourceOf("default", [article, renamed(name)], more)] }))?.message;
    };
    expect(messageWith("rows_arguments")).toContain(
      "table author in source default, native query rows in source default",
    );
    const both = "by [logical model row in source default, table author in source default]";
    expect(messageWith("row_bool_exp_bool_exp")).toContain(both);
    expect(messageWith("row_enum_name")).toContain(both);
    expect(messageWith("row_aggregate")).toBeUndefined();
  });

  it("A table may conflict with the namespace of a source", () => {
    const customization = { root_fields: { namespace: "shop" } };
    expect(messageOf([article, renamed("shop_query")], { customization })).toContain(
      "by [the namespace of source default, table author in source default]",
    );
  });

  it("Tables whose names differ only in case may conflict under the source's naming convention", () => {
    const options = { experimentalFeatures: new Set(["naming_convention"]) };
    const customization = { naming_convention: "graphql-default" };
    const tables = [article, named(author, { custom_name: "Article", custom_root_fields: apart })];
    expect(failureOf(catalogOf({ tables, customization }), { options })?.message).toContain("GraphQL type 'Article'");
    expect(messageOf(tables)).toBeUndefined();
  });

  it("Types that a table could have but does not have cause no conflict", () => {
    for (const name of ["article_enum", "article_if_matched", "article_bool_exp_bool_exp", "article_rows"]) {
      expect(messageOf([article, renamed(name)])).toBeUndefined();
    }
  });

  it("Hidden features do not cause type name conflicts", () => {
    const options = { experimentalFeatures: new Set(["hide_update_many_fields"]) };
    expect(failureOf(catalogOf({ tables: [article, renamed("article_updates")] }), { options })).toBeUndefined();
  });
});

describe("Types of two sources in a namespace", () => {
  const two = (second: object, customization: object = {}) =>
    parsed({
      version: 3,
      sources: [
        sourceOf("a", [author]),
        sourceOf("b", [second], { customization: { root_fields: { namespace: "b" }, ...customization } }),
      ],
    });
  const other = named(article, { custom_name: "author" });

  it("Tables of two sources may share a type if their columns are equal", () => {
    expect(failureOf(two(author))).toBeUndefined();
  });

  it("Tables of two sources conflict if their columns differ, unless the source customizes its type names", () => {
    expect(failureOf(two(other))?.message).toContain("by [table author in source a, table article in source b]");
    expect(failureOf(two(other, { type_names: { prefix: "b_" } }))).toBeUndefined();
  });

  it("In served metadata, a conflict omits the second table and reports both", () => {
    const analysis = analysisOf(two(other));
    expect(analysis.inconsistencies).toMatchObject([
      {
        name: "table article in source b",
        reason: expect.stringContaining("by [table author in source a, table article in source b]"),
      },
    ]);
    expect(analysis.sources.get("a")?.tables.size).toBe(1);
    expect(analysis.sources.get("b")?.tables.size).toBe(0);
    // Other changes do not affect the result.
    expect(resultOf(two(other), { previous: analysis })).toMatchObject({ ok: true, value: { inconsistencies: [{}] } });
  });
});

describe("A change of a few tables", () => {
  const count = 6;
  const keys = ["select", "select_by_pk", "select_aggregate", "select_stream", "insert", "insert_one"];
  const writes = ["update", "update_by_pk", "update_many", "delete", "delete_by_pk"];
  const tables = Array.from({ length: count }, (_, i) =>
    table(`table_${i}`, {
      columns: { id: "int4!", name: i % 2 === 0 ? "text" : "timestamptz", extra: i % 3 === 0 ? "jsonb" : "numeric" },
      primaryKey: ["id"],
    }),
  );
  const shapes = shape(tables);

  /** Returns tracked tables whose root fields are unique, so that only types can collide. */
  const trackedAs = (names: readonly string[]) =>
    names.map((custom_name, i) => {
      const custom_root_fields = Object.fromEntries([...keys, ...writes].map((key) => [key, `field_${i}_${key}`]));
      return named({ table: `table_${i}` }, { custom_name, custom_root_fields });
    });

  // Names that are likely to collide with a row type, a generated type or a scalar.
  const base = fc.constantFrom("a", "A", "aB", "text", "numeric", "b", "int", "x_a");
  const suffix = [
    "_order_by",
    "OrderBy",
    "_bool_exp",
    "_aggregate",
    "AggregateBoolExpCount",
    "_comparison_exp",
    "_query",
  ];
  const name = fc.tuple(base, fc.constantFrom("", "", "", ...suffix)).map((parts) => parts.join(""));
  const customization = fc.constantFrom<object>(
    {},
    { naming_convention: "graphql-default" },
    { type_names: { prefix: "x_" } },
    { type_names: { prefix: "x", suffix: "Y" }, naming_convention: "graphql-default" },
    { root_fields: { namespace: "a" } },
  );
  const options = { experimentalFeatures: new Set(["naming_convention"]) };

  it("A change of a few tables is refused exactly when the whole metadata is", () => {
    let refused = 0;
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.array(name, { minLength: count, maxLength: count }),
        fc.integer({ min: 0, max: count - 1 }),
        customization,
        (names, kept, custom) => {
          const all = parsed({
            version: 3,
            sources: [sourceOf("default", trackedAs(names), { customization: custom })],
          });
          const some = (tracked: (at: number) => boolean): Catalog => ({
            ...all,
            sources: all.sources.map((source) => ({ ...source, tables: source.tables.filter((_, at) => tracked(at)) })),
          });
          const introspections = new Map([["default", { shape: shapes }]]);
          const start = resultOf(
            some((at) => at < kept),
            { introspections, options },
          );
          fc.pre(start.ok && start.value.inconsistencies.length === 0);
          if (!start.ok) return;
          const next = some((at) => at <= kept);
          const stepwise = resultOf(next, { introspections, options, previous: start.value });
          // A collision of older tables excludes them from the schema, and the change is refused later.
          const isAccepted = stepwise.ok && stepwise.value.inconsistencies.length === 0;
          expect(isAccepted).toBe(failureOf(next, { introspections, options }) === undefined);
          if (isAccepted) accepted++;
          else refused++;
        },
      ),
      { numRuns: 300 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(0);
  });
});
