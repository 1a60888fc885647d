import { describe, expect, it } from "vitest";
import {
  argument,
  catalogOf,
  failureOf,
  functionShape,
  library,
  parsed,
  resultOf,
  rowType,
  type Setting,
  sourceOf,
} from "./sample.ts";

const messageOf = (catalog: Parameters<typeof failureOf>[0], setting: Setting = {}) =>
  failureOf(catalog, setting)?.message;

const article = { table: "article" };
const author = { table: "author" };
const named = (table: object, configuration: object) => ({ ...table, configuration });

describe("Conflicting root fields", () => {
  it("A root field conflict fails the metadata and names every field of the first root type", () => {
    const catalog = catalogOf({ tables: [article, named(author, { custom_name: "article" })] });
    const both = "defined in [table article in source default, table author in source default]";
    expect(failureOf(catalog)).toEqual({
      code: "unexpected",
      path: "$.args",
      status: 500,
      message: `Encountered conflicting definitions in the selection set for 'mutation_root' for fields: [
  'delete_article_by_pk' ${both},
  'delete_article' ${both},
  'update_article_many' ${both},
  'update_article_by_pk' ${both},
  'update_article' ${both},
  'insert_article_one' ${both},
  'insert_article' ${both}
]. Fields must not be defined more than once across all sources.`,
    });
  });

  it.each<[string, readonly object[]]>([
    ["of two tables", [article, named(author, { custom_root_fields: { select: "article" } })]],
    ["of one table", [named(article, { custom_root_fields: { select_by_pk: "article" } })]],
  ])("A root field conflict fails the metadata and names the field: %s", (_, tables) => {
    const owners = tables.length === 1 ? "table article in source default, " : "";
    const last = tables.length === 1 ? "table article in source default" : "table author in source default";
    expect(messageOf(catalogOf({ tables }))).toBe(
      `Encountered conflicting definitions in the selection set for 'query_root' for field 'article' defined in [${owners}${tables.length === 1 ? "" : "table article in source default, "}${last}]. Fields must not be defined more than once across all sources.`,
    );
  });

  it("A table and an action may conflict", () => {
    const actions = [{ name: "insert_author", definition: { handler: "http://x", output_type: "String" } }];
    expect(messageOf(catalogOf({ tables: [author], actions }))).toBe(
      "Encountered conflicting definitions in the selection set for 'mutation_root' for field 'insert_author' defined in [action insert_author, table author in source default]. Fields must not be defined more than once across all sources.",
    );
    const query = [{ name: "author", definition: { type: "query", handler: "http://x", output_type: "String" } }];
    expect(messageOf(catalogOf({ tables: [author], actions: query }))).toContain("'query_root' for field 'author'");
  });

  it("A table and a function may conflict", () => {
    const search = functionShape("author", {
      arguments: [argument("word", "text")],
      returns: rowType("public", "author"),
      returnsTable: { schema: "public", name: "author" },
    });
    const catalog = catalogOf({ tables: [author], functions: [{ function: "author" }] });
    expect(messageOf(catalog, { shape: { ...library, functions: [search] } })).toContain(
      "'author_aggregate' defined in [function author in source default, table author in source default]",
    );
    const volatile = { ...search, volatility: "volatile" } as const;
    expect(messageOf(catalog, { shape: { ...library, functions: [volatile] } })).toBeUndefined();
  });

  it("Tables of two sources may conflict unless their customizations differ", () => {
    const two = (customization: object) =>
      parsed({ version: 3, sources: [sourceOf("a", [author]), sourceOf("b", [author], { customization })] });
    expect(messageOf(two({}))).toContain("defined in [table author in source a, table author in source b]");
    expect(messageOf(two({ root_fields: { prefix: "b_" } }))).toBeUndefined();
    expect(messageOf(two({ root_fields: { suffix: "_b" } }))).toBeUndefined();
    expect(messageOf(two({ root_fields: { namespace: "b" } }))).toBeUndefined();
    expect(messageOf(two({ root_fields: { namespace: "author" } }))).toContain(
      "'query_root' for field 'author' defined in [source b, table author in source a]",
    );
  });

  it("Root fields may also conflict inside a namespace", () => {
    const customization = { root_fields: { namespace: "lib" }, type_names: { prefix: "p_" } };
    const tables = [article, named(author, { custom_root_fields: { select: "article" } })];
    expect(messageOf(catalogOf({ tables, customization }))).toContain("'p_lib_query' for field 'article'");
  });
});

describe("Root field conflicts without a metadata change", () => {
  const withoutKey = {
    ...library,
    tables: library.tables.map((table) => (table.name === "article" ? { ...table, primaryKey: null } : table)),
  };
  const tables = [article, named(author, { custom_name: "article_by_pk" })];
  const catalog = catalogOf({ tables });
  const found = (result: ReturnType<typeof resultOf>) => {
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  };
  const before = found(resultOf(catalog, { shape: withoutKey }));
  const reason = expect.stringMatching(/_article_by_pk' defined in \[table article in .*, table author in /);

  it("A conflict caused by the database omits one object and reports both", () => {
    expect(before.inconsistencies).toEqual([]);
    for (const previous of [undefined, before]) {
      const after = found(resultOf(catalog, previous ? { previous } : {}));
      expect(after.inconsistencies).toMatchObject([{ name: "table author in source default", reason }]);
      expect([...(after.sources.get("default")?.tables.keys() ?? [])]).toEqual(["public.article"]);
      expect(after.catalog).toBe(catalog);
    }
  });

  it("A conflict caused by the database remains through other changes until one object is renamed", () => {
    const clashing = found(resultOf(catalog));
    const actions = [{ name: "pay", definition: { handler: "http://x", output_type: "String" } }];
    const more = found(resultOf(catalogOf({ tables, actions }), { previous: clashing }));
    expect(more.inconsistencies).toMatchObject([{ reason }]);
    const apart = found(resultOf(catalogOf({ tables: [article, author] }), { previous: more }));
    expect(apart.inconsistencies).toEqual([]);
    expect(apart.sources.get("default")?.tables.size).toBe(2);
  });
});

describe("Absent root fields", () => {
  const withoutKey = (name: string) => ({
    ...library,
    tables: library.tables.map((table) => (table.name === name ? { ...table, primaryKey: null } : table)),
  });
  const clash = (key: string) =>
    catalogOf({ tables: [article, named(author, { custom_root_fields: { [key]: "article" } })] });

  it("The by-key field of a table without a key does not conflict", () => {
    expect(messageOf(clash("select_by_pk"))).toContain("'article'");
    expect(messageOf(clash("select_by_pk"), { shape: withoutKey("author") })).toBeUndefined();
  });

  it("A mutation that the database does not allow does not conflict", () => {
    const readOnly = {
      ...library,
      tables: library.tables.map((table) => ({ ...table, insertable: false, updatable: false, deletable: false })),
    };
    const tables = [
      article,
      named(author, {
        custom_root_fields: { insert: "insert_article", update: "update_article", delete: "delete_article" },
      }),
    ];
    expect(messageOf(catalogOf({ tables }))).toContain("'mutation_root'");
    expect(messageOf(catalogOf({ tables }), { shape: readOnly })).toBeUndefined();
  });

  it.each([
    ["update_many", "update_article_many", "hide_update_many_fields"],
    ["select_stream", "article_stream", "hide_stream_fields"],
  ])("The root field %s does not conflict if it is hidden", (key, name, feature) => {
    const catalog = catalogOf({ tables: [article, named(author, { custom_root_fields: { [key]: name } })] });
    expect(messageOf(catalog)).toContain(`'${name}'`);
    expect(messageOf(catalog, { options: { experimentalFeatures: new Set([feature]) } })).toBeUndefined();
  });

  it("A conflict is detected when a source loses its namespace", () => {
    const customization = { root_fields: { namespace: "b" } };
    const sources = [sourceOf("a", [author]), sourceOf("b", [author], { customization })];
    const apart = resultOf(parsed({ version: 3, sources }));
    if (!apart.ok) throw new Error(apart.error.message);
    const { catalog } = apart.value;
    const together = { ...catalog, sources: catalog.sources.map((source) => ({ ...source, customization: {} })) };
    expect(messageOf(together, { previous: apart.value })).toContain("conflicting definitions");
  });

  it("A conflict is detected after a change of another table", () => {
    const first = resultOf(catalogOf({ tables: [article, author] }));
    if (!first.ok) throw new Error(first.error.message);
    const [source] = first.value.catalog.sources;
    if (source === undefined) throw new Error("no source");
    const tables = source.tables.map((table) => ({ ...table, configuration: { custom_name: "article" } }));
    const changed = { ...first.value.catalog, sources: [{ ...source, tables }] };
    expect(messageOf(changed, { previous: first.value })).toContain("conflicting definitions");
  });
});
