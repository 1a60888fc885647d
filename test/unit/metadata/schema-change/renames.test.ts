/** SQL renames tables, columns and functions: all references in the metadata follow, and nothing else changes. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ObjectId } from "../../../../compiler/2-analyze/object-id.ts";
import type { Catalog } from "../../../../compiler/catalog/catalog.ts";
import type { Permission, SelectPermission } from "../../../../compiler/catalog/model.ts";
import { JsonNumber } from "../../../../runtime/values/json-number.ts";
import { catalogOf } from "../sample.ts";
import { FakeDatabase } from "./fake-database.ts";
import { analysisOf, changeBy, changedBy, library, libraryMetadata, sourceIn, tableIn } from "./library.ts";

const column = (name: string) => (sql: FakeDatabase) => sql.renameColumns("article", { [name]: `new_${name}` });

function permissionOf<P>(list: readonly Permission<P>[], role: string): P {
  const found = list.find((each) => each.role === role);
  if (found === undefined) throw new Error(`no permission for ${role}`);
  return found.permission;
}

describe("Renamed tables", () => {
  const catalog = changedBy((sql) => sql.renameTable("author", "writer"));

  it("A renamed table keeps its metadata under the new name and has a new root field", () => {
    const { table, ...rest } = tableIn(catalog, "writer");
    const { table: before, ...restBefore } = tableIn(library().catalog, "author");
    expect([table, rest]).toEqual([{ schema: "public", name: "writer" }, restBefore]);
    expect(before.name).toBe("author");
  });

  it("Relationships of other tables follow a renamed table", () => {
    expect(tableIn(catalog, "shop.review").object_relationships[1]?.using).toEqual({
      manual_configuration: {
        remote_table: { schema: "public", name: "writer" },
        column_mapping: { reviewer: "name" },
      },
    });
  });

  it("_exists follows a renamed table in the form in which it was written", () => {
    const { filter } = permissionOf(tableIn(catalog, "article").select_permissions, "user");
    expect(filter).toMatchObject({ $and: [{}, { _exists: { _table: "writer" } }] });
  });

  it("Remote schemas, action types, native queries and logical models follow a renamed table", () => {
    expect(JSON.stringify(catalog.remote_schemas)).toContain('"table":"writer"');
    expect(catalog.custom_types.objects[0]?.relationships).toMatchObject([
      { name: "author", remote_table: { schema: "public", name: "writer" } },
    ]);
    const { native_queries, logical_models } = sourceIn(catalog);
    expect(JSON.stringify([native_queries, logical_models])).not.toContain('"author"}');
    expect(JSON.stringify(native_queries)).toContain('"remote_table":{"schema":"public","name":"writer"}');
    expect(JSON.stringify(logical_models)).toContain('"_table":"writer"');
  });

  it("References to a table moved to another schema include the schema", () => {
    const moved = changedBy((sql) => sql.renameTable("author", "shop.author"));
    expect(tableIn(moved, "shop.author").select_permissions).toHaveLength(1);
    const { filter } = permissionOf(tableIn(moved, "article").select_permissions, "user");
    expect(filter).toMatchObject({ $and: [{}, { _exists: { _table: { schema: "shop", name: "author" } } }] });
  });

  it("Foreign key relationships and relationships of other sources follow a renamed table", () => {
    const moved = changedBy((sql) => sql.renameTable("shop.review", "opinion"));
    expect(tableIn(moved, "article").array_relationships[0]?.using).toEqual({
      foreign_key_constraint_on: { table: { schema: "public", name: "opinion" }, columns: ["article_id"] },
    });
    expect(tableIn(moved, "visit", "other").remote_relationships[1]?.definition).toMatchObject({
      to_source: { table: { schema: "public", name: "opinion" }, field_mapping: { article: "article_id" } },
    });
  });
});

describe("Renamed columns", () => {
  it("The columns of permissions follow a renamed column", () => {
    const article = tableIn(changedBy(column("title")), "article");
    expect(permissionOf(article.select_permissions, "user").columns).toEqual(["id", "new_title", "author_id"]);
    expect(permissionOf(article.insert_permissions, "user").columns).toEqual(["new_title", "author_id"]);
  });

  it("Presets and filters of all tables that reach it follow a renamed column", () => {
    const catalog = changedBy(column("published"));
    const { set } = permissionOf(tableIn(catalog, "article").insert_permissions, "user");
    expect(set).toEqual({ new_published: false });
    const { filter } = permissionOf(tableIn(catalog, "article").select_permissions, "user");
    expect(filter).toMatchObject({ new_published: true });
    expect(permissionOf(tableIn(catalog, "author").update_permissions, "editor").filter).toEqual({
      _not: { articles: { new_published: { _eq: "X-Engine-Published" } } },
    });
  });

  it("Column comparisons in all spellings follow a renamed column", () => {
    const own = changedBy((sql) => sql.renameColumns("author", { age: "years" }));
    expect(permissionOf(tableIn(own, "author").update_permissions, "editor").check).toEqual({
      _or: [{ id: { _ceq: "years" } }, { id: { $ceq: ["years"] } }],
    });
    const root = changedBy(column("rating"));
    expect(JSON.stringify(tableIn(root, "article").select_permissions)).toContain('"_cgt":["$","new_rating"]');
  });

  it("Columns of the same name in other tables do not follow a renamed column", () => {
    const catalog = changedBy((sql) => sql.renameColumns("author", { id: "author_id" }));
    const filter = permissionOf(tableIn(catalog, "article").select_permissions, "user").filter;
    expect(filter).toEqual({
      $and: [
        { author: { author_id: "X-Engine-User-Id" } },
        { _exists: { _table: "author", _where: { age: { _cgt: ["$", "rating"] }, articles: { id: {} } } } },
      ],
      published: true,
    });
  });

  it("Foreign keys and mappings of relationships follow a renamed column", () => {
    expect(tableIn(changedBy(column("author_id")), "article").object_relationships[0]?.using).toEqual({
      foreign_key_constraint_on: "new_author_id",
    });
    expect(tableIn(changedBy(column("author_id")), "author").array_relationships[0]?.using).toEqual({
      foreign_key_constraint_on: { table: { schema: "public", name: "article" }, column: "new_author_id" },
    });
    const review = changedBy((sql) => sql.renameColumns("shop.review", { article_id: "about", reviewer: "by" }));
    expect(tableIn(review, "shop.review").object_relationships.map(({ using }) => using)).toEqual([
      { foreign_key_constraint_on: ["about"] },
      { manual_configuration: { remote_table: { schema: "public", name: "author" }, column_mapping: { by: "name" } } },
    ]);
    expect(tableIn(review, "author").array_relationships[1]?.using).toMatchObject({
      manual_configuration: { column_mapping: { name: "by" } },
    });
  });

  it("Event triggers follow a renamed column", () => {
    expect(tableIn(changedBy(column("title")), "article").event_triggers[0]?.definition).toEqual({
      enable_manual: false,
      insert: { columns: "*", payload: ["id", "new_title"] },
      update: { columns: ["new_title", "rating"] },
    });
    const { condition, ordering } = tableIn(changedBy(column("title")), "article").event_triggers[0] ?? {};
    expect(ordering).toEqual({ key: ["new_title", "id"] });
    expect(condition).toEqual({
      new: { rating: { _gt: 3 } },
      _or: [{ old: { new_title: { _ceq: "new_title" } } }, { _not: { old: {} } }],
    });
  });

  it("A renamed column keeps its settings", () => {
    const author = tableIn(
      changedBy((sql) => sql.renameColumns("author", { name: "called" })),
      "author",
    );
    expect(author.configuration).toEqual({
      column_config: { called: { custom_name: "fullName", comment: "as printed" }, id: { comment: "key" } },
    });
  });

  it("The local side of remote relationships follows a renamed column in all three forms", () => {
    const title = tableIn(changedBy(column("title")), "article").remote_relationships.map(
      ({ definition }) => definition,
    );
    expect(title[1]).toEqual({
      to_remote_schema: {
        remote_schema: "press",
        lhs_fields: ["new_title", "rating"],
        remote_field: {
          search: {
            arguments: { where: { any: [{ text: "$new_title" }] }, text: "title", limit: 3 },
            field: { page: { arguments: { number: "$rating" } } },
          },
        },
      },
    });
    expect(title[2]).toEqual({
      remote_schema: "press",
      engine_fields: ["new_title"],
      remote_field: { search: { arguments: { text: "$new_title" } } },
    });
    expect(tableIn(changedBy(column("id")), "article").remote_relationships[0]?.definition).toMatchObject({
      to_source: { table: "visit", field_mapping: { new_id: "article" } },
    });
    const rating = tableIn(changedBy(column("rating")), "article").remote_relationships[1]?.definition;
    expect(JSON.stringify(rating)).toContain('{"page":{"arguments":{"number":"$new_rating"}}}');
  });

  it("The remote side of relationships from sources, remote schemas and actions follows a renamed column", () => {
    const id = changedBy((sql) => sql.renameColumns("article", { id: "key", author_id: "by" }));
    expect(tableIn(id, "visit", "other").remote_relationships[0]?.definition).toMatchObject({
      to_source: { field_mapping: { article: "key" } },
    });
    expect(JSON.stringify(id.custom_types)).toContain('"field_mapping":{"id":"by"}');
    const name = changedBy((sql) => sql.renameColumns("author", { name: "called", id: "key" }));
    expect(JSON.stringify(name.remote_schemas)).toContain('"field_mapping":{"name":"called"}');
    expect(JSON.stringify(name.custom_types)).toContain('"field_mapping":{"id":"key"}');
    expect(JSON.stringify(sourceIn(name).native_queries)).toContain('"column_mapping":{"id":"key"}');
    // The model's own field `id` is not a column of the table.
    expect(sourceIn(name).logical_models[0]?.select_permissions).toMatchObject([
      { permission: { filter: { id: { _gt: 1 }, _exists: { _where: { key: { _eq: 1 } } } } } },
    ]);
  });

  it("Filters through a computed field of rows follow a renamed column", () => {
    const [author, ...others] = libraryMetadata.sources[0]?.tables ?? [];
    const filter = { best: { title: { _eq: "X-Engine-Title" } } };
    const tables = [
      { ...author, select_permissions: [{ role: "user", permission: { columns: "*", filter } }] },
      ...others,
    ];
    const situation = { catalog: catalogOf({ sources: [{ tables }] }), database: library().database };
    const change = changeBy(column("title"), { situation });
    const next = change.ok ? tableIn(change.value.catalog, "author").select_permissions : [];
    expect(permissionOf<SelectPermission>(next, "user").filter).toEqual({
      best: { new_title: { _eq: "X-Engine-Title" } },
    });
  });

  it("Casts follow a renamed column, and compared values do not", () => {
    const big = new JsonNumber("12345678901234567890");
    const filter = {
      a: { _contains: { _ceq: "a", a: "a", b: big }, _cast: { String: { _eq: "a", _ceq: "a" } } },
      _or: [{ b: { _in: ["a", "b"] } }],
    };
    const situation = {
      catalog: catalogOf({
        sources: [{ tables: [{ table: "t", delete_permissions: [{ role: "u", permission: { filter } }] }] }],
      }),
      database: new FakeDatabase().createTable("t", { id: "integer", a: "text", b: "text" }),
    };
    const change = changeBy((sql) => sql.renameColumns("t", { a: "b", b: "a" }), { situation });
    const next = change.ok ? tableIn(change.value.catalog, "t").delete_permissions : [];
    expect(permissionOf(next, "u").filter).toEqual({
      b: { _contains: { _ceq: "a", a: "a", b: big }, _cast: { String: { _eq: "a", _ceq: "b" } } },
      _or: [{ a: { _in: ["a", "b"] } }],
    });
  });
});

describe("Laws of renaming", () => {
  it("Renaming a column leaves objects that do not refer to it unchanged", () => {
    const situation = library();
    const { catalog } = situation;
    const next = changedBy((sql) => sql.renameColumns("shop.review", { score: "points" }), { situation });
    expect(next).not.toBe(catalog);
    expect(tableIn(next, "article")).toBe(tableIn(catalog, "article"));
    expect(tableIn(next, "shop.review")).toBe(tableIn(catalog, "shop.review"));
    expect(sourceIn(next, "other")).toBe(sourceIn(catalog, "other"));
    expect(sourceIn(next).native_queries).toBe(sourceIn(catalog).native_queries);
    expect(next.remote_schemas).toBe(catalog.remote_schemas);
    expect(next.custom_types).toBe(catalog.custom_types);
    const [before, after] = [tableIn(catalog, "author"), tableIn(next, "author")];
    expect(after.select_permissions).not.toBe(before.select_permissions);
    const { select_permissions: _one, ...others } = after;
    for (const [key, value] of Object.entries(others)) expect(value).toBe(before[key as keyof typeof before]);
  });

  it("A renamed object keeps its identity under the new name", () => {
    const change = changeBy((sql) =>
      sql
        .renameTable("article", "text")
        .renameColumns("text", { id: "key" })
        .renameFunction("search_articles", "search"),
    );
    if (!change.ok) throw new Error(change.error.message);
    const { renamed } = change.value;
    const [article, text] = ["article", "text"].map((name) => ({
      source: "default",
      table: { schema: "public", name },
    }));
    if (!article || !text) throw new Error("two tables");
    const role = { kind: "permission", permission: "select", role: "user" } as const;
    expect(renamed({ ...role, ...article })).toEqual({ ...role, ...text });
    expect(renamed({ kind: "column", column: "id", ...article })).toEqual({ kind: "column", column: "key", ...text });
    const search = { kind: "function", source: "default" } as const;
    expect(renamed({ ...search, function: { schema: "public", name: "search_articles" } })).toEqual({
      ...search,
      function: { schema: "public", name: "search" },
    });
    const untouched: readonly ObjectId[] = [
      { ...role, ...article, source: "other" },
      { kind: "remote_schema", name: "article" },
      { kind: "native_query", source: "default", name: "article" },
    ];
    for (const id of untouched) expect(renamed(id)).toEqual(id);
  });

  const columnNames: Readonly<Record<string, readonly string[]>> = {
    author: ["id", "name", "age"],
    article: ["id", "title", "author_id", "published", "rating"],
    "shop.review": ["id", "article_id", "reviewer", "score"],
  };
  /** Maps old names to a permutation of them, or to new names, which may be equal in several tables. */
  const renaming = (names: readonly string[]) =>
    fc.shuffledSubarray([...names, "one", "two", "three"], { minLength: names.length, maxLength: names.length });

  it("Renames keep the metadata consistent and are reversible", () => {
    const tables = Object.keys(columnNames);
    const columns = fc.record(Object.fromEntries(tables.map((table) => [table, renaming(columnNames[table] ?? [])])));
    // A name keeps its form (string or object) if the schema stays the same.
    const targets = fc
      .tuple(
        fc.shuffledSubarray(["author", "article", "book"], { minLength: 2, maxLength: 2 }),
        fc.constantFrom("shop.review", "shop.author"),
      )
      .map(([inPublic, inShop]) => [...inPublic, inShop]);
    fc.assert(
      fc.property(columns, targets, (columns, targets) => {
        const situation = library();
        const original = situation.catalog;
        const forth = changedBy((sql) => rename(sql, columns, tables, targets), { situation });
        const back = (sql: FakeDatabase) => undo(sql, columns, tables, targets);
        const restored: Catalog = changedBy(back, { situation: { catalog: forth, database: situation.database } });
        expect(restored).toEqual(original);
        expect(analysisOf(restored, situation.database)).toEqual(analysisOf(original, library().database));
      }),
      { numRuns: 60 },
    );

    function rename(
      sql: FakeDatabase,
      names: Readonly<Record<string, readonly string[]>>,
      from: readonly string[],
      to: readonly string[],
    ) {
      for (const table of from) sql.renameColumns(table, pairs(columnNames[table], names[table]));
      renameTables(sql, from, to);
    }

    function undo(
      sql: FakeDatabase,
      names: Readonly<Record<string, readonly string[]>>,
      from: readonly string[],
      to: readonly string[],
    ) {
      renameTables(sql, to, from);
      for (const table of from) sql.renameColumns(table, pairs(names[table], columnNames[table]));
    }

    /** Renames through temporary names, as real tables require. */
    function renameTables(sql: FakeDatabase, from: readonly string[], to: readonly string[]) {
      from.forEach((table, i) => {
        sql.renameTable(table, `temporary${i}`);
      });
      to.forEach((table, i) => {
        sql.renameTable(`temporary${i}`, table);
      });
    }

    function pairs(from: readonly string[] = [], to: readonly string[] = []): Readonly<Record<string, string>> {
      return Object.fromEntries(from.map((name, i) => [name, to[i] ?? name]));
    }
  });
});
