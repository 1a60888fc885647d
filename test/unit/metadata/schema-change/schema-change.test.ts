/** Changes of the schema by `run_sql`: one test for each kind of change, and for combinations. */

import { describe, expect, it } from "vitest";
import { DependencyIndex } from "../../../../compiler/2-analyze/dependency-index.ts";
import { type ObjectId, objectKey } from "../../../../compiler/2-analyze/object-id.ts";
import { schemaChange } from "../../../../compiler/metadata/schema-change/schema-change.ts";
import { catalogOf } from "../sample.ts";
import { FakeDatabase } from "./fake-database.ts";
import {
  analysisOf,
  changeBy,
  changedBy,
  library,
  libraryMetadata,
  refusalOf,
  sourceIn,
  tableIn,
  tableNames,
} from "./library.ts";

/** Returns the error for dependent objects. The source `default` is added to items without a source. */
const dependents = (...items: readonly string[]) => ({
  code: "dependency-error",
  message: `cannot drop due to the following dependent objects: ${items
    .map((item) => (item.includes(" in source ") ? item : `${item} in source "default"`))
    .join(", ")}`,
});

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("The sample library", () => {
  it("The sample library is consistent", () => {
    const { catalog, database } = library();
    expect(analysisOf(catalog, database).inconsistencies).toEqual([]);
  });
});

describe("Schema changes without metadata objects", () => {
  it("A change of unnamed objects keeps the same catalog", () => {
    const situation = library();
    const change = changeBy((sql) => sql.createTable("new", { id: "integer" }).addColumn("author", "born", "integer"), {
      situation,
    });
    expect(change.ok && change.value.catalog).toBe(situation.catalog);
  });

  it("A change of untracked tables or tracked missing tables keeps the same catalog", () => {
    const catalog = catalogOf({ sources: [{ tables: [{ table: "gone" }, { table: "here" }] }] });
    const database = new FakeDatabase()
      .createTable("here", { id: "integer" })
      .createTable("untracked", { id: "integer" });
    const change = changeBy((sql) => sql.dropTable("untracked"), { situation: { catalog, database } });
    expect(change.ok && change.value.catalog).toBe(catalog);
  });
});

describe("Dropped tables", () => {
  it("A dropped table without dependents is untracked with all its objects", () => {
    const situation = {
      catalog: catalogOf({
        sources: [
          {
            tables: [
              {
                table: "lone",
                select_permissions: [{ role: "user", permission: { columns: ["id"], filter: { id: 1 } } }],
              },
              { table: "other" },
            ],
          },
        ],
      }),
      database: new FakeDatabase().createTable("lone", { id: "integer" }).createTable("other", { id: "integer" }),
    };
    const other = tableIn(situation.catalog, "other");
    const catalog = changedBy((sql) => sql.dropTable("lone"), { situation });
    expect(tableNames(catalog)).toEqual(["public.other"]);
    expect(tableIn(catalog, "other")).toBe(other);
  });

  it("Dropping a table is refused while objects of other tables depend on it", () => {
    expect(refusalOf((sql) => sql.dropTable("shop.review"))).toEqual(
      dependents(
        "permission author.user.select",
        "relationship article.reviews",
        "relationship author.reviews_by",
        'remote relationship visit.reviews in source "other"',
      ),
    );
  });

  it("Dropping a table with cascade removes its dependents", () => {
    const catalog = changedBy((sql) => sql.dropTable("shop.review"), { cascade: true });
    expect(tableNames(catalog)).toEqual(["public.author", "public.article"]);
    const author = tableIn(catalog, "author");
    expect(names(author.array_relationships)).toEqual(["articles"]);
    expect(author.select_permissions).toEqual([]);
    expect(author.update_permissions).toHaveLength(1);
    expect(tableIn(catalog, "article").array_relationships).toEqual([]);
    expect(names(tableIn(catalog, "visit", "other").remote_relationships)).not.toContain("reviews");
  });

  it("Dropping a table also removes the functions dropped with it", () => {
    const situation = {
      catalog: catalogOf({ sources: [{ tables: [{ table: "article" }], functions: [{ function: "search" }] }] }),
      database: new FakeDatabase()
        .createTable("article", { id: "integer" })
        .createFunction("search", { text: "text" }, "article"),
    };
    const catalog = changedBy((sql) => sql.dropTable("article"), { situation });
    expect(sourceIn(catalog)).toMatchObject({ tables: [], functions: [] });
  });

  it("A table recreated under the same name counts as a new table", () => {
    const situation = {
      catalog: catalogOf({ sources: [{ tables: [{ table: "lone" }] }] }),
      database: new FakeDatabase().createTable("lone", { id: "integer" }),
    };
    const catalog = changedBy((sql) => sql.dropTable("lone").createTable("lone", { id: "integer" }), { situation });
    expect(tableNames(catalog)).toEqual([]);
  });

  it("A table may be dropped together with all tables that depend on it", () => {
    const using = { foreign_key_constraint_on: "author_id" };
    const article = { table: "article", object_relationships: [{ name: "author", using }] };
    const situation = {
      catalog: catalogOf({ sources: [{ tables: [{ table: "author" }, article] }] }),
      database: new FakeDatabase()
        .createTable("author", { id: "integer" })
        .createTable("article", { author_id: "integer" })
        .addForeignKey("article", "article_author", ["author_id"], "author", ["id"]),
    };
    const catalog = changedBy((sql) => sql.dropTable("author").dropTable("article"), { situation });
    expect(tableNames(catalog)).toEqual([]);
  });
});

describe("Dropped columns", () => {
  it("Dropping a column is refused while any object depends on it", () => {
    expect(refusalOf((sql) => sql.dropColumn("article", "title"))).toEqual(
      dependents(
        "event-trigger article.on_article",
        "permission article.user.insert",
        "permission article.user.select",
        "remote relationship article.news",
        "remote relationship article.old_news",
      ),
    );
  });

  it("Dropping a column with cascade removes whole dependents", () => {
    const situation = {
      catalog: catalogOf({
        sources: [
          {
            tables: [
              {
                table: "t",
                select_permissions: [
                  { role: "a", permission: { columns: ["id", "gone"], filter: {} } },
                  { role: "b", permission: { columns: ["id"], filter: {} } },
                  { role: "c", permission: { columns: "*", filter: {} } },
                ],
              },
            ],
          },
        ],
      }),
      database: new FakeDatabase().createTable("t", { id: "integer", gone: "text" }),
    };
    const catalog = changedBy((sql) => sql.dropColumn("t", "gone"), { situation, cascade: true });
    expect(tableIn(catalog, "t").select_permissions.map(({ role }) => role)).toEqual(["b", "c"]);
  });

  it("The refusal to drop a column names the relationships that use it", () => {
    expect(refusalOf((sql) => sql.dropColumn("shop.review", "reviewer"))).toEqual(
      dependents("relationship author.reviews_by", "relationship shop.review.reviewing_author"),
    );
  });

  it("A dropped column without dependents loses its settings", () => {
    const situation = {
      catalog: catalogOf({
        sources: [
          {
            tables: [
              {
                table: "t",
                configuration: {
                  custom_name: "things",
                  column_config: { gone: { custom_name: "g" }, id: { comment: "k" } },
                },
              },
            ],
          },
        ],
      }),
      database: new FakeDatabase().createTable("t", { id: "integer", gone: "text" }),
    };
    const catalog = changedBy((sql) => sql.dropColumn("t", "gone"), { situation });
    expect(tableIn(catalog, "t").configuration).toEqual({
      custom_name: "things",
      column_config: { id: { comment: "k" } },
    });
  });

  it("A column added again under the same name counts as a new column", () => {
    expect(refusalOf((sql) => sql.dropColumn("author", "age").addColumn("author", "age", "integer"))).toEqual(
      dependents("permission article.user.insert", "permission article.user.select", "permission author.editor.update"),
    );
  });
});

describe("Dropped foreign keys", () => {
  it("Dropping a foreign key is refused with the relationships that use it", () => {
    expect(refusalOf((sql) => sql.dropForeignKey("shop.review", "review_article")).message).toContain(
      'relationship article.reviews in source "default", relationship shop.review.article in source "default"',
    );
  });

  it("Dropping a foreign key with cascade removes its relationships and their dependents", () => {
    const catalog = changedBy((sql) => sql.dropForeignKey("shop.review", "review_article"), { cascade: true });
    expect(tableIn(catalog, "article").array_relationships).toEqual([]);
    expect(names(tableIn(catalog, "shop.review").object_relationships)).toEqual(["reviewing_author"]);
    expect(tableIn(catalog, "author").select_permissions).toEqual([]);
  });

  it("A foreign key recreated between the same columns is unchanged", () => {
    const situation = library();
    const change = changeBy(
      (sql) =>
        sql
          .dropForeignKey("shop.review", "review_article")
          .addForeignKey("shop.review", "another_name", ["article_id"], "article", ["id"]),
      { situation },
    );
    expect(change.ok && change.value.catalog).toBe(situation.catalog);
  });

  it("A foreign key recreated after renames of its table and columns is unchanged", () => {
    const catalog = changedBy((sql) =>
      sql
        .dropForeignKey("shop.review", "review_article")
        .renameTable("article", "text")
        .renameColumns("text", { id: "text_id" })
        .renameColumns("shop.review", { article_id: "text_id" })
        .addForeignKey("shop.review", "another_name", ["text_id"], "text", ["text_id"]),
    );
    expect(names(tableIn(catalog, "text").array_relationships)).toEqual(["reviews"]);
  });

  it("A foreign key recreated to another target counts as dropped", () => {
    const refusal = refusalOf((sql) =>
      sql
        .dropForeignKey("shop.review", "review_article")
        .addForeignKey("shop.review", "review_article", ["article_id"], "author", ["id"]),
    );
    expect(refusal.message).toContain("relationship article.reviews");
  });

  /** Adds a foreign key with two columns, and a relationship that uses it. */
  const twoColumnKey = () => ({
    catalog: catalogOf({
      sources: [
        {
          tables: [
            { table: "a" },
            { table: "b", object_relationships: [{ name: "a", using: { foreign_key_constraint_on: ["x", "y"] } }] },
          ],
        },
      ],
    }),
    database: new FakeDatabase()
      .createTable("a", { x: "integer", y: "integer" })
      .createTable("b", { x: "integer", y: "integer" })
      .addForeignKey("b", "k", ["x", "y"], "a", ["x", "y"]),
  });

  it("A foreign key recreated with another pairing of its columns counts as dropped", () => {
    const swap = (sql: FakeDatabase) =>
      sql.dropForeignKey("b", "k").addForeignKey("b", "k", ["x", "y"], "a", ["y", "x"]);
    expect(refusalOf(swap, { situation: twoColumnKey() })).toEqual(dependents("relationship b.a"));
  });

  it("A foreign key recreated with the same pairs in another order is unchanged", () => {
    const turn = (sql: FakeDatabase) =>
      sql.dropForeignKey("b", "k").addForeignKey("b", "k", ["y", "x"], "a", ["y", "x"]);
    expect(changeBy(turn, { situation: twoColumnKey() })).toMatchObject({ ok: true });
  });
});

describe("Changed column types", () => {
  const refusal = {
    code: "dependency-error",
    message:
      'cannot change type of column "published" in table "article" because of the following dependencies: ' +
      'permission article.user.insert in source "default", permission article.user.select in source "default"',
  };

  it("A type change is refused while static values depend on the column", () => {
    expect(refusalOf((sql) => sql.retypeColumn("article", "published", "text"))).toEqual(refusal);
  });

  it("A type change is refused even with cascade", () => {
    expect(refusalOf((sql) => sql.retypeColumn("article", "published", "text"), { cascade: true })).toEqual(refusal);
  });

  it("A type change is refused even if the column is also renamed", () => {
    const sql = (database: FakeDatabase) =>
      database.retypeColumn("article", "published", "text").renameColumns("article", { published: "state" });
    expect(refusalOf(sql)).toEqual(refusal);
  });

  it("A type change is accepted if only session variables are compared", () => {
    const filter = { age: { _gt: "X-Engine-Age" } };
    const situation = {
      catalog: catalogOf({
        sources: [
          {
            tables: [
              {
                table: "t",
                update_permissions: [{ role: "u", permission: { columns: ["age"], filter, set: { n: "X-Engine-N" } } }],
              },
            ],
          },
        ],
      }),
      database: new FakeDatabase().createTable("t", { id: "integer", age: "integer", n: "integer" }),
    };
    changedBy((sql) => sql.retypeColumn("t", "age", "bigint").retypeColumn("t", "n", "text"), { situation });
  });

  it("A type change is accepted if its dependents are dropped by the same SQL", () => {
    const sql = (database: FakeDatabase) =>
      database.dropColumn("article", "title").retypeColumn("article", "published", "text");
    const catalog = changedBy(sql, { cascade: true });
    expect(tableIn(catalog, "article")).toMatchObject({ select_permissions: [], insert_permissions: [] });
  });
});

describe("Dependents in other sources", () => {
  const dropId = (cascade: boolean) => {
    const { catalog, database } = library();
    const visit = { source: "other", table: { schema: "public", name: "visit" } };
    const object: ObjectId = { kind: "remote_relationship", ...visit, name: "reviews" };
    const review = { source: "default", table: { schema: "shop", name: "review" } };
    const on: ObjectId = { kind: "column", ...review, column: "id" };
    const analysis = analysisOf(catalog, database);
    const dependencies = new DependencyIndex([], new Map([[objectKey(object), [{ object, on }]]]));
    const before = database.shape();
    const after = database.dropColumn("shop.review", "id").shape();
    const shapes = { source: "default", before, after };
    return schemaChange({ catalog, analysis: { ...analysis, dependencies }, ...shapes, cascade, path: "$.args" });
  };

  it("Dependents in another source refuse the SQL", () => {
    expect(dropId(false)).toMatchObject({
      ok: false,
      error: {
        message:
          'cannot drop due to the following dependent objects: remote relationship visit.reviews in source "other"',
      },
    });
  });

  it("Dependents in another source are dropped with cascade", () => {
    const change = dropId(true);
    const visit = change.ok && tableIn(change.value.catalog, "visit", "other");
    expect(visit && names(visit.remote_relationships)).toEqual(["visited"]);
  });
});

describe("Changed functions", () => {
  it("A dropped tracked function is removed from the metadata", () => {
    expect(sourceIn(changedBy((sql) => sql.dropFunction("search_articles"))).functions).toEqual([]);
  });

  it("Overloading a tracked function is refused", () => {
    const overload = (sql: FakeDatabase) => sql.createFunction("search_articles", { limit: "integer" }, "article");
    const refusal = {
      code: "not-supported",
      message: "the following tracked function(s) cannot be overloaded: search_articles",
    };
    expect(refusalOf(overload)).toEqual(refusal);
    expect(refusalOf(overload, { cascade: true })).toEqual(refusal);
  });

  it("An earlier overload does not refuse unrelated SQL", () => {
    const situation = library();
    situation.database.createFunction("search_articles", { limit: "integer" }, "article");
    const change = changeBy((sql) => sql.addColumn("author", "born", "integer"), { situation });
    expect(change).toMatchObject({ ok: true });
  });

  it("Altering a tracked function to VOLATILE is refused", () => {
    const alter = (sql: FakeDatabase) => sql.alterFunction("search_articles", "volatile");
    const refusal = {
      code: "not-supported",
      message: 'type of function "search_articles" is altered to "VOLATILE" which is not supported now',
    };
    expect(refusalOf(alter)).toEqual(refusal);
    expect(refusalOf(alter, { cascade: true })).toEqual(refusal);
  });

  it("Other alterations of a tracked function are accepted", () => {
    changedBy((sql) => sql.alterFunction("search_articles", "immutable"));
  });

  it("A computed field and its dependents depend on its function", () => {
    expect(refusalOf((sql) => sql.dropFunction("full_name"))).toEqual(
      dependents("computed field author.printed_name", "permission author.user.select"),
    );
    const catalog = changedBy((sql) => sql.dropFunction("full_name"), { cascade: true });
    expect(names(tableIn(catalog, "author").computed_fields)).toEqual(["best"]);
    expect(tableIn(catalog, "author").select_permissions).toEqual([]);
  });

  it("The function of a computed field may be dropped with its table", () => {
    const situation = {
      catalog: catalogOf({
        sources: [{ tables: [{ table: "t", computed_fields: [{ name: "c", definition: { function: "f" } }] }] }],
      }),
      database: new FakeDatabase().createTable("t", { id: "integer" }).createFunction("f", { row: "t" }, "text"),
    };
    expect(tableNames(changedBy((sql) => sql.dropTable("t"), { situation }))).toEqual([]);
  });

  it("Overloading the function of a computed field is refused", () => {
    expect(refusalOf((sql) => sql.createFunction("full_name", { row: "article" }, "text"))).toEqual({
      code: "not-supported",
      message:
        'The function "full_name" associated with computed field"printed_name" of table "author" is being overloaded',
    });
  });

  it("Altering the function of a computed field to VOLATILE is refused", () => {
    expect(refusalOf((sql) => sql.alterFunction("shop.best_articles", "volatile"), { cascade: true })).toEqual({
      code: "not-supported",
      message:
        'The type of function "shop.best_articles" associated with computed field "best" of table "author" is being altered to "VOLATILE"',
    });
  });

  it("Tracked functions and computed fields follow a renamed function", () => {
    const catalog = changedBy((sql) =>
      sql.renameFunction("search_articles", "shop.find").renameFunction("full_name", "print_name"),
    );
    expect(sourceIn(catalog).functions).toMatchObject([
      { function: { schema: "shop", name: "find" }, permissions: [{ role: "user" }] },
    ]);
    expect(tableIn(catalog, "author").computed_fields[0]?.definition.function).toEqual({
      schema: "public",
      name: "print_name",
    });
  });
});

describe("Names already in use", () => {
  it("Renaming a table to the root field of another table is refused", () => {
    const situation = {
      catalog: catalogOf({
        sources: [{ tables: [{ table: "a" }, { table: "b", configuration: { custom_root_fields: { select: "c" } } }] }],
      }),
      database: new FakeDatabase().createTable("a", { id: "integer" }).createTable("b", { id: "integer" }),
    };
    expect(refusalOf((sql) => sql.renameTable("a", "c"), { situation, cascade: true })).toEqual({
      code: "remote-schema-conflicts",
      message: "node c already exists in current graphql schema",
    });
  });

  it("Renaming a function to the root field of a table is refused", () => {
    const refusal = refusalOf((sql) => sql.renameFunction("search_articles", "shop.review").renameTable("author", "x"));
    expect(refusal.message).toBe("node shop_review already exists in current graphql schema");
  });

  it("A table may be renamed to its own custom name", () => {
    const situation = {
      catalog: catalogOf({ sources: [{ tables: [{ table: "a", configuration: { custom_name: "b" } }] }] }),
      database: new FakeDatabase().createTable("a", { id: "integer" }),
    };
    expect(tableNames(changedBy((sql) => sql.renameTable("a", "b"), { situation }))).toEqual(["public.b"]);
  });

  const twoTables = () => ({
    catalog: catalogOf({ sources: [{ tables: [{ table: "a" }, { table: "b", configuration: { comment: "B" } }] }] }),
    database: new FakeDatabase().createTable("a", { id: "integer" }).createTable("b", { id: "integer" }),
  });

  it("Tables may exchange their names", () => {
    const exchange = (sql: FakeDatabase) => sql.renameTable("a", "c").renameTable("b", "a").renameTable("c", "b");
    const catalog = changedBy(exchange, { situation: twoTables() });
    expect(tableNames(catalog)).toEqual(["public.b", "public.a"]);
    expect(tableIn(catalog, "a").configuration).toEqual({ comment: "B" });
  });

  it("A table may take the name of a dropped one", () => {
    const replace = (sql: FakeDatabase) => sql.dropTable("a").renameTable("b", "a");
    const catalog = changedBy(replace, { situation: twoTables() });
    expect(tableNames(catalog)).toEqual(["public.a"]);
    expect(tableIn(catalog, "a").configuration).toEqual({ comment: "B" });
  });

  it("Renaming a table to the name of a missing tracked table is refused", () => {
    const situation = {
      catalog: catalogOf({ sources: [{ tables: [{ table: "a" }, { table: "gone" }] }] }),
      database: new FakeDatabase().createTable("a", { id: "integer" }),
    };
    expect(refusalOf((sql) => sql.renameTable("a", "gone"), { situation })).toEqual({
      code: "already-tracked",
      message: 'view/table already tracked: "gone"',
    });
  });

  it("Renaming a function to the name of a missing tracked function is refused", () => {
    const functions = [{ function: "search_articles" }, { function: "gone" }];
    const [source] = libraryMetadata.sources;
    const situation = { catalog: catalogOf({ sources: [{ ...source, functions }] }), database: library().database };
    expect(refusalOf((sql) => sql.renameFunction("search_articles", "gone"), { situation })).toEqual({
      code: "already-tracked",
      message: 'function already tracked: "gone"',
    });
  });

  it.each(["author", "reviews", "visits"])(
    "Renaming a column to the name of the relationship %s is refused",
    (name) => {
      expect(refusalOf((sql) => sql.renameColumns("article", { rating: name }), { cascade: true })).toEqual({
        code: "already-exists",
        message: `cannot rename column "rating" to "${name}" in table "article" as a relationship with the name already exists`,
      });
    },
  );

  it("A column may take the name of a relationship that is dropped", () => {
    const sql = (database: FakeDatabase) =>
      database.dropTable("shop.review").renameColumns("article", { rating: "reviews" });
    changedBy(sql, { cascade: true });
  });
});
