import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnalyzedSource, qualifiedKey } from "../../../compiler/2-analyze/analysis.ts";
import type { AnalyzedRelationship, AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import { TableMap } from "../../../compiler/2-analyze/table-map.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Table } from "../../../compiler/catalog/model.ts";
import type { State } from "../../../compiler/metadata/operation.ts";
import { renameInPermissions } from "../../../compiler/metadata/rename-in-permissions.ts";
import { catalogOf, stateOf } from "./sample.ts";

/** Returns an analysed table that consists only of the targets of its relationships. */
function analyzedTable(source: string, table: Table, targets: Readonly<Record<string, string>>): AnalyzedTable {
  const relationships = Object.entries(targets).map(([name, target]): [string, AnalyzedRelationship] => [
    name,
    {
      name,
      kind: "object",
      comment: undefined,
      target: `public.${target}`,
      mapping: [],
      unique: true,
      required: false,
      origin: "manual",
      insertionOrder: "before_parent",
    },
  ]);
  const { schema, name } = table.table;
  return {
    source,
    key: qualifiedKey(table.table),
    table,
    shape: {
      schema,
      name,
      id: 1,
      kind: "table",
      comment: null,
      columns: [],
      primaryKey: null,
      uniqueKeys: [],
      foreignKeys: [],
      insertable: true,
      updatable: true,
      deletable: true,
    },
    displayName: name,
    graphqlName: name,
    rootFields: null,
    connectionField: null,
    description: undefined,
    columns: [],
    primaryKey: [],
    relationships: new Map(relationships),
    computedFields: new Map(),
    remoteRelationships: new Map(),
    eventTriggers: new Map(),
    select: new Map(),
    insert: new Map(),
    update: new Map(),
    delete: new Map(),
    dangling: [],
    dependencies: new Map(),
    inconsistencies: [],
  };
}

const relationships: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  author: { articles: "article" },
  article: { author: "author", articles: "tag" },
  tag: {},
};

/**
 * Returns a catalog with the tables author, article and tag, where one table has a select permission with this filter.
 */
function sample(owner: string, permissions: object): State {
  const catalog = catalogOf({
    sources: [
      { tables: Object.keys(relationships).map((table) => ({ table, ...(table === owner ? permissions : {}) })) },
    ],
  });
  const state = stateOf(catalog);
  const source = state.analysis.sources.get("default");
  if (source === undefined) throw new Error("no source");
  const tables = TableMap.of(
    source.source.tables.map((table) => analyzedTable("default", table, relationships[table.table.name] ?? {})),
  );
  const analyzed: AnalyzedSource = { ...source, tables };
  return { ...state, analysis: { ...state.analysis, sources: new Map([["default", analyzed]]) } };
}

const renaming = {
  source: "default",
  table: { schema: "public", name: "author" },
  from: "articles",
  to: "posts",
};

function tableOf(catalog: Catalog, name: string): Table {
  const table = catalog.sources[0]?.tables.find((each) => each.table.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

function renamedFilter(owner: string, filter: object): unknown {
  const state = sample(owner, { select_permissions: [{ role: "u", permission: { columns: [], filter } }] });
  return tableOf(renameInPermissions(state, renaming), owner).select_permissions[0]?.permission.filter;
}

/** Returns the analysis of the renamed catalog, in which the relationship has the same target. */
function renameBack(state: State, catalog: Catalog): Catalog {
  const source = state.analysis.sources.get("default");
  const author = source?.tables.get("public.author");
  const target = author?.relationships.get("articles");
  if (source === undefined || author === undefined || target === undefined) throw new Error("no relationship");
  const tables = source.tables.with([{ ...author, relationships: new Map([["posts", target]]) }]);
  const analysis = { ...state.analysis, sources: new Map([["default", { ...source, tables }]]) };
  return renameInPermissions({ catalog, analysis }, { ...renaming, from: "posts", to: "articles" });
}

describe("Renaming of relationships in permissions", () => {
  const published = { published: { _eq: true } };

  it.each([
    ["at the top", { articles: published }, { posts: published }],
    [
      "in _and, _or and _not",
      { _and: [{ _or: [{ _not: { articles: {} } }] }] },
      { _and: [{ _or: [{ _not: { posts: {} } }] }] },
    ],
    ["in the older spelling", { $and: [{ $not: { articles: {} } }] }, { $and: [{ $not: { posts: {} } }] }],
    ["keeping the order of keys", { id: 1, articles: {}, name: 2 }, { id: 1, posts: {}, name: 2 }],
    ["twice on one path", { articles: { author: { articles: {} } } }, { posts: { author: { posts: {} } } }],
  ])("Renaming a relationship updates filters %s", (_, filter, expected) => {
    const renamed = renamedFilter("author", filter);
    expect(JSON.stringify(renamed)).toBe(JSON.stringify(expected));
  });

  it("Renaming a relationship updates permissions of other tables through their relationships", () => {
    expect(renamedFilter("article", { author: { articles: published } })).toEqual({ author: { posts: published } });
  });

  it("Renaming a relationship updates _exists conditions", () => {
    const exists = (name: string) => ({ _exists: { _table: "author", _where: { [name]: {} } } });
    expect(renamedFilter("tag", exists("articles"))).toEqual(exists("posts"));
    const other = { _exists: { _table: { name: "article" }, _where: { articles: {} } } };
    expect(renamedFilter("tag", other)).toEqual(other);
  });

  it("Renaming a relationship leaves a relationship of the same name of another table unchanged", () => {
    const filter = { articles: { name: {} }, author: { id: 1 } };
    expect(renamedFilter("article", filter)).toEqual(filter);
  });

  it("Renaming a relationship leaves values that equal the name unchanged", () => {
    const filter = { name: { _in: ["articles"] }, data: { _contains: { articles: 1 } } };
    expect(renamedFilter("author", filter)).toEqual(filter);
  });

  it("Renaming a relationship updates all kinds of permission", () => {
    const filter = { articles: {} };
    const state = sample("author", {
      insert_permissions: [{ role: "u", permission: { check: filter } }],
      update_permissions: [
        { role: "u", permission: { columns: [], filter, check: filter } },
        { role: "v", permission: { columns: [], filter: {}, check: null } },
      ],
      delete_permissions: [{ role: "u", permission: { filter } }],
    });
    const table = tableOf(renameInPermissions(state, renaming), "author");
    expect(table.insert_permissions[0]?.permission.check).toEqual({ posts: {} });
    expect(table.update_permissions[0]?.permission).toMatchObject({ filter: { posts: {} }, check: { posts: {} } });
    expect(table.update_permissions[1]).toBe(tableOf(state.catalog, "author").update_permissions[1]);
    expect(table.delete_permissions[0]?.permission.filter).toEqual({ posts: {} });
  });

  it("Renaming a relationship back restores the permissions", () => {
    const { expression } = fc.letrec<{ expression: unknown }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 5 },
        fc.constant({}),
        fc.record({ name: fc.constant({ _eq: "articles" }) }),
        fc.record({ _and: fc.array(tie("expression"), { maxLength: 2 }) }),
        fc.record({ _not: tie("expression") }),
        fc.record({ articles: tie("expression"), author: tie("expression") }),
        fc.record({ _exists: fc.record({ _table: fc.constantFrom("author", "article"), _where: tie("expression") }) }),
      ),
    }));
    fc.assert(
      fc.property(expression, (filter) => {
        const state = sample("author", { select_permissions: [{ role: "u", permission: { columns: [], filter } }] });
        const there = renameInPermissions(state, renaming);
        const author = tableOf(there, "author");
        const back = renameBack(state, there);
        expect(tableOf(back, "author")).toEqual(tableOf(state.catalog, "author"));
        expect(JSON.stringify(author).includes("posts")).toBe(there !== state.catalog);
      }),
    );
  });

  it("Renaming a relationship shares permissions that do not mention it", () => {
    const state = sample("author", { select_permissions: [{ role: "u", permission: { columns: [], filter: {} } }] });
    expect(renameInPermissions(state, renaming)).toBe(state.catalog);
    const mentioned = sample("author", {
      delete_permissions: [{ role: "u", permission: { filter: { articles: {} } } }],
    });
    const renamed = renameInPermissions(mentioned, renaming);
    expect(tableOf(renamed, "article")).toBe(tableOf(mentioned.catalog, "article"));
    expect(tableOf(renamed, "author").select_permissions).toBe(tableOf(mentioned.catalog, "author").select_permissions);
  });
});
