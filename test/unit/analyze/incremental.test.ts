/** An analysis with a previous Analysis has the same result as one without, and shares the unchanged objects. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Source, Table } from "../../../compiler/catalog/model.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import {
  analysisOf,
  argument,
  catalogOf,
  functionShape,
  library,
  rowType,
  sourceIn,
  table,
  tableIn,
} from "./sample.ts";

const toAuthor = { name: "author", using: { foreign_key_constraint_on: "author_id" } };
const toArticles = {
  name: "articles",
  using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
};
const select = (role: string, filter: object, columns: unknown = ["id"]) => ({ role, permission: { columns, filter } });

const permitted = (relationship: string) => ({ _permitted: { relationship, operation: "select" } });

const metadata = {
  tables: [
    {
      table: "article",
      object_relationships: [toAuthor],
      select_permissions: [select("a", {}), select("b", { author: { age: 1 } }), select("c", { id: "X-Engine-Id" })],
    },
    { table: "author", array_relationships: [toArticles], select_permissions: [select("a", {}), select("b", {})] },
  ],
};

function sourceOf({ sources: [source] }: Catalog): Source {
  if (source === undefined) throw new Error("no source");
  return source;
}

/** Returns the catalog with one table replaced; all other objects are the same. */
function withTable(catalog: Catalog, name: string, change: (table: Table) => Table): Catalog {
  const source = sourceOf(catalog);
  const tables = source.tables.map((each) => (each.table.name === name ? change(each) : each));
  return { ...catalog, sources: [{ ...source, tables }] };
}

const before = analysisOf(metadata);
const articles = (analysis: Analysis) => tableIn(analysis, "public.article");
const authors = (analysis: Analysis) => tableIn(analysis, "public.author");

describe("Reuse of analysed objects", () => {
  it("An unchanged catalog reuses all analysed objects", () => {
    const after = analysisOf({ ...before.catalog }, { previous: before });
    expect(sourceIn(after)).toBe(sourceIn(before));
    expect(after.restEndpoints).toBe(before.restEndpoints);
  });

  it("A permission change reuses all analysed objects except that permission", () => {
    const [fresh] = sourceOf(
      catalogOf({ tables: [{ table: "article", select_permissions: [select("b", { id: 1 })] }] }),
    ).tables;
    const catalog = withTable(before.catalog, "article", (article) => ({
      ...article,
      select_permissions: article.select_permissions.map((each) =>
        each.role === "b" ? (fresh?.select_permissions[0] ?? each) : each,
      ),
    }));
    const after = analysisOf(catalog, { previous: before });
    expect(articles(after)).not.toBe(articles(before));
    expect(articles(after).select.get("b")?.filter).toMatchObject({ kind: "compare" });
    for (const role of ["a", "c"]) expect(articles(after).select.get(role)).toBe(articles(before).select.get(role));
    expect(articles(after).columns).toBe(articles(before).columns);
    expect(articles(after).relationships).toBe(articles(before).relationships);
    expect(authors(after)).toBe(authors(before));
    expect(after).toEqual(analysisOf(catalog));
  });

  it("An equal new introspection reuses the analysed tables", () => {
    const after = analysisOf(before.catalog, { previous: before, shape: structuredClone(library) });
    expect(articles(after)).toBe(articles(before));
    expect(authors(after)).toBe(authors(before));
  });

  it("A changed table reuses the permissions that do not depend on the change", () => {
    const renamed: Shape = {
      ...library,
      tables: library.tables.map((each) =>
        each.name === "author" ? table("author", { columns: { id: "int4!", age: "int8" }, primaryKey: ["id"] }) : each,
      ),
    };
    const after = analysisOf(before.catalog, { previous: before, shape: renamed });
    expect(articles(after).select.get("a")).toBe(articles(before).select.get("a"));
    expect(articles(after).select.get("b")).not.toBe(articles(before).select.get("b"));
    expect(after).toEqual(analysisOf(before.catalog, { shape: renamed }));
  });
});

describe("Invalidation of analysed objects", () => {
  it("Changed options invalidate the analysed objects that depend on them", () => {
    const [trigger] = [{ name: "t", webhook_from_env: "HOOK", retry_conf: { num_retries: 0, interval_sec: 1 } }];
    const event_triggers = [{ ...trigger, definition: { insert: { columns: "*" } } }];
    const catalog = catalogOf({ tables: [{ table: "author", event_triggers }] });
    const set = analysisOf(catalog, { options: { environment: { HOOK: "x" } } });
    expect(set.inconsistencies).toEqual([]);
    expect(analysisOf(catalog, { previous: set, options: { environment: {} } }).inconsistencies).toHaveLength(1);
  });

  it("The first rows of an enum table invalidate its previous analysis", () => {
    const colors = table("colors", { columns: { value: "text!" }, primaryKey: ["value"] });
    const withRows = { ...colors, enumValues: [{ value: "red", comment: null }] };
    const plain = catalogOf({ tables: [{ table: "colors" }] });
    const first = analysisOf(plain, { shape: { ...library, tables: [colors] } });
    const catalog = catalogOf({ tables: [{ table: "colors", is_enum: true }] });
    const second = analysisOf(catalog, { previous: first, shape: { ...library, tables: [withRows] } });
    expect(second.inconsistencies).toEqual([]);
    expect(tableIn(second, "public.colors").shape.enumValues).toHaveLength(1);
  });

  it("A changed customization of a source invalidates the names of its tables", () => {
    const [source] = [sourceOf(before.catalog)];
    const customization = { root_fields: { prefix: "p_" } };
    const after = analysisOf({ ...before.catalog, sources: [{ ...source, customization }] }, { previous: before });
    expect(authors(after).rootFields?.select.name).toBe("p_author");
  });
});

/** Parts of metadata, each one object, so that equal choices give the same objects. */
const parts = {
  article: sourceOf(
    catalogOf({
      tables: [
        {
          table: "article",
          object_relationships: [toAuthor],
          select_permissions: metadata.tables[0]?.select_permissions,
        },
        {
          table: { schema: "x", name: "1" },
          object_relationships: [toAuthor, { name: "bad", using: { foreign_key_constraint_on: "title" } }],
          select_permissions: [
            select("a", { none: 1 }),
            select("b", { author: { articles: {} } }),
            select("c", { bad: {} }),
          ],
        },
        {
          table: { schema: "x", name: "2" },
          object_relationships: [toAuthor],
          configuration: { column_config: { title: { custom_name: "heading" } } },
          select_permissions: [select("a", { _exists: { _table: "author", _where: { age: { _gt: 1 } } } }, "*")],
          insert_permissions: [{ role: "a", permission: { check: { author: {} }, set: { title: "x" } } }],
        },
        { table: { schema: "x", name: "3" } },
        { table: { schema: "x", name: "4" }, object_relationships: [{ ...toAuthor, comment: "by" }] },
        {
          table: { schema: "x", name: "5" },
          object_relationships: [toAuthor],
          select_permissions: [select("a", permitted("author")), select("b", {})],
          insert_permissions: [{ role: "b", permission: { check: { _not: permitted("author") } } }],
        },
      ],
    }),
  ).tables,
  author: sourceOf(
    catalogOf({
      tables: [
        { table: "author", array_relationships: [toArticles], select_permissions: [select("a", { articles: {} })] },
        {
          table: { schema: "x", name: "1" },
          computed_fields: [
            { name: "shout", definition: { function: "shout" } },
            { name: "written", definition: { function: "articles_of" } },
          ],
          select_permissions: [{ role: "a", permission: { columns: [], computed_fields: ["shout"], filter: {} } }],
          update_permissions: [{ role: "b", permission: { columns: ["age", "name"], filter: { name: "x" } } }],
        },
        { table: { schema: "x", name: "2" }, configuration: { column_config: { nothing: {} } } },
        { table: { schema: "x", name: "3" }, array_relationships: [{ ...toArticles, comment: "what they wrote" }] },
        {
          table: { schema: "x", name: "4" },
          computed_fields: [
            { name: "shout", definition: { function: "shout" }, comment: "aloud" },
            { name: "written", definition: { function: "articles_of" } },
          ],
        },
        {
          table: { schema: "x", name: "5" },
          array_relationships: [toArticles],
          select_permissions: [select("a", permitted("articles")), select("b", permitted("articles"))],
        },
      ],
    }),
  ).tables,
};

const shout = functionShape("shout", { arguments: [argument("r", rowType("public", "author"))] });
const articlesOf = functionShape("articles_of", {
  arguments: [argument("r", rowType("public", "author"))],
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
});
const shapes: readonly Shape[] = [
  { ...library, functions: [shout, articlesOf] },
  { ...library, functions: [{ ...shout, volatility: "volatile" }, articlesOf] },
  {
    ...library,
    functions: [shout, articlesOf],
    tables: library.tables.map((each) =>
      each.name === "author" ? table("author", { columns: { id: "int4!", age: "int8" }, primaryKey: ["id"] }) : each,
    ),
  },
  { ...library, tables: library.tables.filter(({ name }) => name === "article") },
];

const made = new Map<string, Table>();

const none: readonly never[] = [];

/** Returns the same object for all empty lists. */
function shared<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list;
}

/** Returns a table assembled from parts: the same object for the same parts. */
function assembled(name: "article" | "author", fields: number, permissions: number): Table {
  const key = JSON.stringify([name, fields, permissions]);
  const [base, others] = [parts[name][fields], parts[name][permissions]];
  if (base === undefined || others === undefined) throw new Error(key);
  const { select_permissions, insert_permissions, update_permissions } = others;
  const { object_relationships, array_relationships, computed_fields } = base;
  const known = made.get(key) ?? {
    ...base,
    table: { schema: "public", name },
    object_relationships: shared(object_relationships),
    array_relationships: shared(array_relationships),
    computed_fields: shared(computed_fields),
    select_permissions,
    insert_permissions,
    update_permissions,
  };
  made.set(key, known);
  return known;
}

interface State {
  readonly article: Table | undefined;
  readonly author: Table | undefined;
  readonly shape: Shape;
  readonly customization: object;
}

const part = fc.nat({ max: 5 });
const anyTable = (name: "article" | "author") => fc.tuple(part, part).map((chosen) => assembled(name, ...chosen));
const anyEdit: fc.Arbitrary<Partial<State>> = fc.oneof(
  anyTable("article").map((article) => ({ article })),
  anyTable("author").map((author) => ({ author })),
  fc.constantFrom({ article: undefined }, { author: undefined }),
  fc.constantFrom(...shapes, ...shapes.map((shape) => structuredClone(shape))).map((shape) => ({ shape })),
  fc.constantFrom({}, { root_fields: { prefix: "p_" } }).map((customization) => ({ customization })),
);
const start: State = {
  article: assembled("article", 0, 0),
  author: assembled("author", 0, 0),
  shape: shapes[0] ?? library,
  customization: {},
};

it("A chain of incremental analyses equals a full analysis of each catalog", { timeout: 60_000 }, () => {
  const empty = catalogOf({});
  fc.assert(
    fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 8 }), (edits) => {
      let state = start;
      let previous: Analysis | undefined;
      for (const edit of edits) {
        state = { ...state, ...edit };
        const { article, author, shape, customization } = state;
        const tables = [article, author].filter((each) => each !== undefined);
        const catalog: Catalog = { ...empty, sources: [{ ...sourceOf(empty), tables, customization }] };
        const alone = analysisOf(catalog, { shape });
        const chained = analysisOf(catalog, { shape, ...(previous && { previous }) });
        expect(chained).toEqual(alone);
        expect([...sourceIn(chained).tables.keys()]).toEqual([...sourceIn(alone).tables.keys()]);
        previous = chained;
      }
    }),
    { numRuns: 400 },
  );
});
