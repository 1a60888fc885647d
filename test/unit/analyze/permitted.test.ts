/** `_permitted` in permissions: references to select permissions of related tables, and their faults. */
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { objectKey } from "../../../compiler/2-analyze/object-id.ts";
import { withInheritance } from "../../../compiler/3-lower/inherited-roles.ts";
import { analysisOf, catalogOf, library, reasonsOf, tableIn } from "./sample.ts";

const toAuthor = { name: "author", using: { foreign_key_constraint_on: "author_id" } };
const toArticles = {
  name: "articles",
  using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
};
const permitted = (relationship: string) => ({ _permitted: { relationship, operation: "select" } });
const select = (role: string, filter: object) => ({ role, permission: { columns: ["id"], filter } });
const ofAge = { age: { _gte: 18 } };

interface Permissions {
  readonly article?: object;
  readonly author?: object;
  readonly [key: string]: unknown;
}

/** Returns the analysis of both tables with their relationships and these permissions. */
function analyzed({ article, author, ...others }: Permissions, previous?: Analysis): Analysis {
  const tables = [
    { table: "article", object_relationships: [toAuthor], ...article },
    { table: "author", array_relationships: [toArticles], ...author },
  ];
  return analysisOf(catalogOf({ tables, ...others }), { shape: library, ...(previous && { previous }) });
}

const onArticle = 'in table "article": in permission for role "user": ';
const reasons = (given: Permissions) => reasonsOf(analyzed(given));
const hints = (given: Permissions) => analyzed(given).inconsistencies.map(({ hint }) => hint);

describe("References to permissions", () => {
  it("A reference has the row filter of the role on the related table", () => {
    const analysis = analyzed({
      article: { select_permissions: [select("user", permitted("author")), select("other", permitted("author"))] },
      author: { select_permissions: [select("user", ofAge), select("other", {})] },
    });
    expect(reasonsOf(analysis)).toEqual([]);
    const { select: permissions } = tableIn(analysis, "public.article");
    expect(permissions.get("user")?.filter).toMatchObject({
      kind: "permitted",
      relationship: { name: "author" },
      where: { kind: "compare", column: { name: "age" }, operator: "_gte" },
    });
    expect(permissions.get("other")?.filter).toMatchObject({ where: { kind: "and", items: [] } });
  });

  it("References combine with connectives, and with conditions on related rows", () => {
    const filter = {
      _or: [{ _not: { author: { articles: permitted("author") } } }, { _and: [permitted("author"), { id: 1 }] }],
    };
    const analysis = analyzed({
      article: { delete_permissions: [{ role: "user", permission: { filter } }] },
      author: { select_permissions: [select("user", ofAge)] },
    });
    expect(reasonsOf(analysis)).toEqual([]);
  });

  it("A chain of references has all row filters on its way", () => {
    const analysis = analyzed({
      article: {
        select_permissions: [select("user", permitted("author"))],
        insert_permissions: [{ role: "user", permission: { check: { author: permitted("articles") } } }],
      },
      author: { select_permissions: [select("user", ofAge)] },
    });
    expect(tableIn(analysis, "public.article").insert.get("user")?.check).toMatchObject({
      kind: "related",
      where: { kind: "permitted", where: { kind: "permitted", where: { kind: "compare" } } },
    });
  });

  it("A column with the name of the operator keeps its meaning", () => {
    const shape = {
      ...library,
      tables: library.tables.map((each) => ({
        ...each,
        columns: each.columns.map((column) => (column.name === "tags" ? { ...column, name: "_permitted" } : column)),
      })),
    };
    const catalog = catalogOf({
      tables: [{ table: "article", select_permissions: [select("user", { _permitted: { _is_null: true } })] }],
    });
    const analysis = analysisOf(catalog, { shape });
    expect(tableIn(analysis, "public.article").select.get("user")?.filter).toMatchObject({ kind: "is_null" });
  });

  it("A permission depends on the relationship and on the permission that it refers to", () => {
    const analysis = analyzed({
      article: { select_permissions: [select("user", permitted("author"))] },
      author: { select_permissions: [select("user", ofAge)] },
    });
    const permission = (table: string) =>
      ({
        kind: "permission",
        source: "default",
        table: { schema: "public", name: table },
        permission: "select",
        role: "user",
      }) as const;
    const needed = analysis.dependencies.get(objectKey(permission("article"))) ?? [];
    const on = needed.map((each) => objectKey(each.on));
    expect(on).toContain(objectKey(permission("author")));
    expect(on).toContain(
      objectKey({
        kind: "object_relation",
        source: "default",
        table: { schema: "public", name: "article" },
        name: "author",
      }),
    );
  });
});

describe("Faults of references", () => {
  const byUser = (filter: object) => ({ article: { select_permissions: [select("user", filter)] } });

  it("A reference to a relationship that does not exist is inconsistent and names the nearest one", () => {
    expect(reasons(byUser(permitted("autor")))).toEqual([
      `${onArticle}relationship "autor" does not exist on table "article"`,
    ]);
    expect(hints(byUser(permitted("autor")))).toEqual(['did you mean "author"?']);
    expect(reasons(byUser(permitted("title")))).toEqual([
      `${onArticle}_permitted needs a relationship, and "title" is a column of table "article"`,
    ]);
  });

  it("A reference to an operation other than select is inconsistent", () => {
    const given = byUser({ _permitted: { relationship: "author", operation: "update" } });
    expect(reasons(given)).toEqual([
      `${onArticle}_permitted has the operation "update", and only "select" is possible`,
    ]);
    expect(hints(byUser({ _permitted: { relationship: "author", operation: "selct" } }))).toEqual([
      'did you mean "select"?',
    ]);
  });

  it.each([
    [{ relationship: "author" }, 'key "operation" not found'],
    [{ operation: "select" }, 'key "relationship" not found'],
    [{ relationship: "author", operation: "select", role: "admin" }, '_permitted has no member "role"'],
    ["author", "parsing Object failed, expected Object, but encountered String"],
    [{ relationship: ["author"], operation: "select" }, "parsing Text failed, expected String, but encountered Array"],
  ])("A reference of another form is inconsistent: %j", (value, reason) => {
    expect(reasons(byUser({ _permitted: value }))).toEqual([`${onArticle}${reason}`]);
  });

  it("A reference to a table that the role may not read names the missing permission", () => {
    const given = { ...byUser(permitted("author")), author: { select_permissions: [select("other", {})] } };
    expect(reasons(given)).toEqual([
      `${onArticle}_permitted follows relationship "author" of table "article" to table "author", on which role "user" has no select permission`,
    ]);
    expect(hints(given)).toEqual([
      'create the select permission of role "user" on table "author", or remove _permitted',
    ]);
  });

  it("A reference to an inconsistent permission is inconsistent because of it", () => {
    const analysis = analyzed({
      ...byUser(permitted("author")),
      author: { select_permissions: [select("user", { nothing: 1 })] },
    });
    expect(analysis.inconsistencies.map(({ name, causedBy }) => [name, causedBy])).toEqual([
      ["select_permission user in table author in source default", undefined],
      [
        "select_permission user in table article in source default",
        "select_permission user in table author in source default",
      ],
    ]);
    expect(tableIn(analysis, "public.article").select.size).toBe(0);
  });

  it("Permissions that refer to each other are inconsistent, each with the cycle", () => {
    const given = {
      article: { select_permissions: [select("user", permitted("author"))] },
      author: { select_permissions: [select("user", { _not: permitted("articles") })] },
    };
    const cycle = '_permitted refers to itself: the select permissions of role "user" need each other: ';
    expect(reasons(given)).toEqual([
      `${onArticle}${cycle}"article" → "author" → "article"`,
      `in table "author": in permission for role "user": ${cycle}"author" → "article" → "author"`,
    ]);
  });

  it("A select permission that refers to its own table is inconsistent, and one of another kind is not", () => {
    const self = {
      name: "namesake",
      using: { manual_configuration: { remote_table: "article", column_mapping: { title: "title" } } },
    };
    const article = (permissions: object) => ({ article: { object_relationships: [self], ...permissions } });
    expect(reasons(article({ select_permissions: [select("user", permitted("namesake"))] }))).toEqual([
      `${onArticle}_permitted refers to itself: the select permissions of role "user" need each other: "article" → "article"`,
    ]);
    const deletes = [{ role: "user", permission: { filter: permitted("namesake") } }];
    expect(reasons(article({ select_permissions: [select("user", {})], delete_permissions: deletes }))).toEqual([]);
  });

  it("A permission that leads to a cycle is inconsistent without being part of it", () => {
    const given = {
      article: {
        select_permissions: [select("user", permitted("author"))],
        delete_permissions: [{ role: "user", permission: { filter: permitted("author") } }],
      },
      author: { select_permissions: [select("user", permitted("articles"))] },
    };
    expect(reasons(given)).toContain(
      `${onArticle}_permitted needs the select permission of role "user" on table "author", which is inconsistent`,
    );
  });

  it("A reference in the condition of an event trigger is inconsistent", () => {
    const trigger = {
      name: "changed",
      webhook: "http://x",
      definition: { update: { columns: "*" } },
      retry_conf: { num_retries: 0, interval_sec: 1 },
      condition: { new: permitted("author") },
    };
    expect(reasons({ article: { event_triggers: [trigger] } })).toEqual([
      'in table "article": in event trigger "changed": the condition of an event trigger cannot use _permitted',
    ]);
  });

  it("A reference in the permission of a logical model is inconsistent", () => {
    const filter = { _exists: { _table: "article", _where: { _not: permitted("author") } } };
    const model = {
      name: "hit",
      fields: [{ name: "id", type: { scalar: "integer" } }],
      select_permissions: [select("user", filter)],
    };
    const source = {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://x" } },
      tables: [
        { table: "article", object_relationships: [toAuthor] },
        { table: "author", select_permissions: [select("user", {})] },
      ],
      logical_models: [model],
    };
    const analysis = analysisOf(catalogOf({ sources: [source] }), { shape: library });
    expect(reasonsOf(analysis)).toEqual([
      'in logical model "hit": in permission for role "user": _permitted can be used only in permissions of tables',
    ]);
  });

  it("A reference across sources is inconsistent, directly and below a relationship to another source", () => {
    const remote = {
      name: "writer",
      definition: {
        to_source: {
          source: "default",
          table: { schema: "public", name: "author" },
          relationship_type: "object",
          field_mapping: { author_id: "id" },
        },
      },
    };
    const given = (filter: object) => ({
      article: { remote_relationships: [remote], select_permissions: [select("user", filter)] },
      author: { select_permissions: [select("user", {})] },
    });
    expect(reasons(given(permitted("writer")))).toEqual([
      `${onArticle}_permitted cannot follow the remote relationship "writer": only relationships within the source`,
    ]);
    expect(reasons(given({ writer: { _not: permitted("articles") } }))).toEqual([
      `${onArticle}_permitted cannot be used for rows of another source, where the permission is not evaluated`,
    ]);
  });

  it("A repaired permission repairs the permissions that refer to it", () => {
    const article = { select_permissions: [select("user", permitted("author"))] };
    const broken = analyzed({ article });
    expect(broken.inconsistencies).toHaveLength(1);
    const whole = { article, author: { select_permissions: [select("user", ofAge)] } };
    const repaired = analyzed(whole, broken);
    expect(repaired.inconsistencies).toEqual([]);
    expect(repaired).toEqual(analyzed(whole));
  });
});

describe("References of inherited roles", () => {
  const roles = (permissions: Permissions, merge?: true) => {
    const heir = { role_name: "heir", role_set: ["a", "b"], ...(merge && { merge }) };
    const analysis = analyzed({ ...permissions, inherited_roles: [heir] });
    const { tables } = [...withInheritance(analysis, "heir").sources.values()][0] ?? {};
    return { analysis, article: tables?.get("public.article"), author: tables?.get("public.author") };
  };

  it("The reference of a parent leads to the merged permission of the inherited role", () => {
    const { article, analysis } = roles({
      article: { select_permissions: [select("a", permitted("author"))] },
      author: { select_permissions: [select("a", ofAge), select("b", { name: "x" })] },
    });
    expect(reasonsOf(analysis)).toEqual([]);
    const compared = (name: string) => ({ kind: "compare", column: { name } });
    expect(article?.select.get("heir")?.parents?.[0]?.filter).toMatchObject({
      kind: "permitted",
      where: { kind: "or", items: [compared("age"), compared("name")] },
    });
    expect(article?.select.get("a")?.filter).toMatchObject({ kind: "permitted", where: compared("age") });
  });

  it("The reference of a parent leads to the own permission of the inherited role", () => {
    const { article } = roles({
      article: { select_permissions: [select("a", permitted("author"))] },
      author: { select_permissions: [select("a", ofAge), select("b", {}), select("heir", { name: "x" })] },
    });
    expect(article?.select.get("heir")?.filter).toMatchObject({ items: [{ where: { column: { name: "name" } } }] });
  });

  it("The permission of an inherited role may refer to an inherited permission", () => {
    const { analysis } = roles({
      article: { insert_permissions: [{ role: "heir", permission: { check: permitted("author") } }] },
      author: {
        select_permissions: [select("b", ofAge)],
        delete_permissions: [{ role: "a", permission: { filter: {} } }],
      },
    });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(tableIn(analysis, "public.article").insert.get("heir")?.check).toMatchObject({
      kind: "permitted",
      where: { kind: "compare" },
    });
  });

  it("Write permissions of parents that differ only in what they may read are inherited without merging", () => {
    const insert = (role: string) => ({ role, permission: { check: permitted("author") } });
    const { analysis, article } = roles({
      article: { insert_permissions: [insert("a"), insert("b")] },
      author: { select_permissions: [select("a", ofAge), select("b", { name: "x" })] },
    });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(article?.insert.get("heir")?.check).toMatchObject({ kind: "permitted", where: { kind: "or" } });
  });

  it("Merged write permissions lead to the permission of the inherited role", () => {
    const remove = (role: string, filter: object) => ({ role, permission: { filter } });
    const { article } = roles(
      {
        article: { delete_permissions: [remove("a", permitted("author")), remove("b", { id: 1 })] },
        author: { select_permissions: [select("a", ofAge), select("b", { name: "x" })] },
      },
      true,
    );
    expect(article?.delete.get("heir")?.parents?.[0]?.filter).toMatchObject({
      kind: "permitted",
      where: { kind: "or", items: [{ column: { name: "age" } }, { column: { name: "name" } }] },
    });
  });

  it("Parents that refer to each other's tables give no select permission, and the conflict lists the cycle", () => {
    const { analysis, article, author } = roles({
      article: { select_permissions: [select("a", permitted("author")), select("b", {})] },
      author: { select_permissions: [select("a", {}), select("b", permitted("articles"))] },
    });
    expect(article?.select.has("heir")).toBe(false);
    expect(author?.select.has("heir")).toBe(false);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toMatchObject([
      {
        entity: { permission_type: "select", table: "article" },
        reason:
          "Could not inherit permission for the role 'heir' for the entity: 'select permission, table: article, source: 'default'': " +
          '_permitted refers to itself: the select permissions of role "heir" need each other: "article" → "author" → "article"',
      },
      { entity: { permission_type: "select", table: "author" } },
    ]);
  });
});
