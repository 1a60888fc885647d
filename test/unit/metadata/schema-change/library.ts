/**
 * A small library: its database, and metadata that names its tables and columns in every possible position. `changeBy`
 * runs SQL; then the metadata follows, or the change is refused.
 */

import { expect } from "vitest";
import type { Analysis, SourceIntrospection } from "../../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../../compiler/2-analyze/analyze.ts";
import type { Catalog } from "../../../../compiler/catalog/catalog.ts";
import type { Source, Table } from "../../../../compiler/catalog/model.ts";
import type { Result } from "../../../../compiler/diagnostics/diagnostic.ts";
import { type SchemaChange, schemaChange } from "../../../../compiler/metadata/schema-change/schema-change.ts";
import { catalogOf } from "../sample.ts";
import { FakeDatabase, split } from "./fake-database.ts";

function libraryDatabase(): FakeDatabase {
  return new FakeDatabase()
    .createTable("author", { id: "integer", name: "text", age: "integer" })
    .createTable("article", {
      id: "integer",
      title: "text",
      author_id: "integer",
      published: "boolean",
      rating: "integer",
    })
    .createTable("shop.review", { id: "integer", article_id: "integer", reviewer: "text", score: "integer" })
    .addForeignKey("article", "article_author", ["author_id"], "author", ["id"])
    .addForeignKey("shop.review", "review_article", ["article_id"], "article", ["id"])
    .createFunction("search_articles", { search: "text" }, "article")
    .createFunction("full_name", { author_row: "author" }, "text")
    .createFunction("shop.best_articles", { author_row: "author" }, "article");
}

/** A database with one table, independent of the SQL on the library. */
const otherDatabase = new FakeDatabase().createTable("visit", { id: "integer", article: "integer", author: "integer" });

const author = {
  table: "author",
  configuration: {
    column_config: { name: { custom_name: "fullName", comment: "as printed" }, id: { comment: "key" } },
  },
  array_relationships: [
    { name: "articles", using: { foreign_key_constraint_on: { table: "article", column: "author_id" } } },
    {
      name: "reviews_by",
      using: {
        manual_configuration: {
          remote_table: { schema: "shop", name: "review" },
          column_mapping: { name: "reviewer" },
        },
      },
    },
  ],
  computed_fields: [
    { name: "printed_name", definition: { function: "full_name" } },
    { name: "best", definition: { function: { schema: "shop", name: "best_articles" } } },
  ],
  select_permissions: [
    {
      role: "user",
      permission: {
        columns: "*",
        computed_fields: ["printed_name"],
        filter: { articles: { reviews: { score: { _gt: "X-Engine-Score" } } } },
      },
    },
  ],
  update_permissions: [
    {
      role: "editor",
      permission: {
        columns: ["name"],
        filter: { _not: { articles: { published: { _eq: "X-Engine-Published" } } } },
        check: { _or: [{ id: { _ceq: "age" } }, { id: { $ceq: ["age"] } }] },
        set: { age: "X-Engine-Age" },
      },
    },
  ],
  delete_permissions: [{ role: "editor", permission: { filter: { id: "X-Engine-User-Id" } } }],
};

const article = {
  table: "article",
  object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
  array_relationships: [
    {
      name: "reviews",
      using: { foreign_key_constraint_on: { table: { schema: "shop", name: "review" }, columns: ["article_id"] } },
    },
  ],
  remote_relationships: [
    {
      name: "visits",
      definition: {
        to_source: { relationship_type: "array", source: "other", table: "visit", field_mapping: { id: "article" } },
      },
    },
    {
      name: "news",
      definition: {
        to_remote_schema: {
          remote_schema: "press",
          lhs_fields: ["title", "rating"],
          remote_field: {
            search: {
              arguments: { where: { any: [{ text: "$title" }] }, text: "title", limit: 3 },
              field: { page: { arguments: { number: "$rating" } } },
            },
          },
        },
      },
    },
    {
      name: "old_news",
      definition: {
        remote_schema: "press",
        engine_fields: ["title"],
        remote_field: { search: { arguments: { text: "$title" } } },
      },
    },
  ],
  select_permissions: [
    {
      role: "user",
      permission: {
        columns: ["id", "title", "author_id"],
        filter: {
          $and: [
            { author: { id: "X-Engine-User-Id" } },
            { _exists: { _table: "author", _where: { age: { _cgt: ["$", "rating"] }, articles: { id: {} } } } },
          ],
          published: true,
        },
      },
    },
  ],
  insert_permissions: [
    {
      role: "user",
      permission: {
        columns: ["title", "author_id"],
        check: { author: { age: { _gt: "X-Engine-Age" } } },
        set: { published: false },
      },
    },
  ],
  event_triggers: [
    {
      name: "on_article",
      definition: {
        enable_manual: false,
        insert: { columns: "*", payload: ["id", "title"] },
        update: { columns: ["title", "rating"] },
      },
      retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
      webhook: "http://hook",
      condition: { new: { rating: { _gt: 3 } }, _or: [{ old: { title: { _ceq: "title" } } }, { _not: { old: {} } }] },
      ordering: { key: ["title", "id"] },
    },
  ],
};

const review = {
  table: { schema: "shop", name: "review" },
  object_relationships: [
    { name: "article", using: { foreign_key_constraint_on: ["article_id"] } },
    {
      name: "reviewing_author",
      using: { manual_configuration: { remote_table: "author", column_mapping: { reviewer: "name" } } },
    },
  ],
};

const visit = {
  table: "visit",
  remote_relationships: [
    {
      name: "visited",
      definition: {
        to_source: {
          relationship_type: "object",
          source: "default",
          table: "article",
          field_mapping: { article: "id" },
        },
      },
    },
    {
      name: "reviews",
      definition: {
        to_source: {
          relationship_type: "array",
          source: "default",
          table: { schema: "shop", name: "review" },
          field_mapping: { article: "article_id" },
        },
      },
    },
  ],
};

export const libraryMetadata = {
  sources: [
    {
      tables: [author, article, review],
      functions: [{ function: "search_articles", permissions: [{ role: "user" }] }],
      native_queries: [
        {
          root_field_name: "top_authors",
          code: "select 1 as id",
          returns: "top_author",
          object_relationships: [{ name: "author", using: { remote_table: "author", column_mapping: { id: "id" } } }],
        },
      ],
      logical_models: [
        {
          name: "top_author",
          fields: [{ name: "id", type: { scalar: "integer" } }],
          select_permissions: [
            {
              role: "user",
              permission: {
                columns: ["id"],
                filter: { id: { _gt: 1 }, _exists: { _table: "author", _where: { id: { _eq: 1 } } } },
              },
            },
          ],
        },
      ],
    },
    { name: "other", tables: [visit] },
  ],
  remote_schemas: [
    {
      name: "press",
      definition: { url: "http://press" },
      remote_relationships: [
        {
          type_name: "News",
          relationships: [
            {
              name: "author",
              definition: {
                to_source: {
                  relationship_type: "object",
                  source: "default",
                  table: "author",
                  field_mapping: { name: "name" },
                },
              },
            },
          ],
        },
      ],
    },
  ],
  custom_types: {
    objects: [
      {
        name: "Contract",
        fields: [{ name: "id", type: "Int" }],
        relationships: [{ name: "author", type: "object", remote_table: "author", field_mapping: { id: "id" } }],
        remote_relationships: [
          {
            name: "articles",
            definition: {
              to_source: {
                relationship_type: "array",
                source: "default",
                table: "article",
                field_mapping: { id: "author_id" },
              },
            },
          },
        ],
      },
    ],
  },
};

export interface Situation {
  readonly catalog: Catalog;
  readonly database: FakeDatabase;
}

export function library(): Situation {
  return { catalog: catalogOf(libraryMetadata), database: libraryDatabase() };
}

export function analysisOf(catalog: Catalog, database: FakeDatabase): Analysis {
  const introspections = new Map<string, SourceIntrospection>([
    ["default", { shape: database.shape() }],
    ["other", { shape: otherDatabase.shape() }],
  ]);
  const options = {
    environment: {},
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default" as const,
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
  };
  const analysis = analyze({ catalog, introspections, options });
  if (!analysis.ok) throw new Error(analysis.error.message);
  return analysis.value;
}

interface ChangeOptions {
  readonly situation?: Situation;
  readonly cascade?: boolean;
}

/** Returns the effect of a schema change on the library's metadata. */
export function changeBy(
  execute: (database: FakeDatabase) => unknown,
  { situation = library(), cascade = false }: ChangeOptions = {},
): Result<SchemaChange> {
  const { catalog, database } = situation;
  const analysis = analysisOf(catalog, database);
  const before = database.shape();
  execute(database);
  return schemaChange({
    catalog,
    analysis,
    source: "default",
    before,
    after: database.shape(),
    cascade,
    path: "$.args",
  });
}

/** Returns the metadata after a change that must succeed without inconsistencies. */
export function changedBy(execute: (database: FakeDatabase) => unknown, options: ChangeOptions = {}): Catalog {
  const { situation = library() } = options;
  const change = changeBy(execute, { ...options, situation });
  if (!change.ok) throw new Error(`refused: ${change.error.message}`);
  const { catalog } = change.value;
  expect(analysisOf(catalog, situation.database).inconsistencies).toEqual([]);
  return catalog;
}

export function refusalOf(execute: (database: FakeDatabase) => unknown, options: ChangeOptions = {}) {
  const change = changeBy(execute, options);
  if (change.ok) throw new Error("not refused");
  const { code, message, path } = change.error;
  expect(path).toBe("$.args");
  return { code, message };
}

export function sourceIn({ sources }: Catalog, name = "default"): Source {
  const source = sources.find((each) => each.name === name);
  if (source === undefined) throw new Error(`no source ${name}`);
  return source;
}

/** Returns a tracked table by its printed name. */
export function tableIn(catalog: Catalog, name: string, source = "default"): Table {
  const { schema, name: bare } = split(name);
  const found = sourceIn(catalog, source).tables.find(({ table }) => table.schema === schema && table.name === bare);
  if (found === undefined) throw new Error(`${name} is not tracked`);
  return found;
}

export function tableNames(catalog: Catalog): readonly string[] {
  return sourceIn(catalog).tables.map(({ table }) => `${table.schema}.${table.name}`);
}
