import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, argument, catalogOf, functionShape, library, reasonsOf, rowType, tableIn } from "./sample.ts";

const toArticles = {
  name: "articles",
  using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
};
const fullName = functionShape("full_name", { arguments: [argument("r", rowType("public", "author"))] });
const articlesOf = functionShape("articles_of", {
  arguments: [argument("r", rowType("public", "author"))],
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
  returnsSet: true,
});

function analyzed(kind: string, permission: object, role = "user") {
  const author = {
    table: "author",
    array_relationships: [toArticles],
    computed_fields: [
      { name: "full_name", definition: { function: "full_name" } },
      { name: "written", definition: { function: "articles_of" } },
    ],
    [`${kind}_permissions`]: [{ role, permission }],
  };
  const shape = { ...library, functions: [articlesOf, fullName] };
  return analysisOf({ tables: [author, { table: "article" }] }, { shape });
}

const place = 'in table "author": in permission for role "user": ';
function refusal(kind: string, permission: object): readonly string[] {
  return reasonsOf(analyzed(kind, permission)).map((reason) => reason.replace(place, "… "));
}

const names = (columns: readonly { readonly name: string }[] | undefined) => columns?.map(({ name }) => name);

describe("Select permissions", () => {
  const select = (permission: object) =>
    tableIn(analyzed("select", { filter: {}, ...permission }), "public.author").select.get("user");

  it("A select permission lists columns in the order of the table", () => {
    expect(names(select({ columns: ["age", "id"] })?.columns)).toEqual(["id", "age"]);
    expect(names(select({ columns: "*" })?.columns)).toEqual(["id", "name", "age", "joined", "code", "initials"]);
    expect(names(select({ columns: [] })?.columns)).toEqual([]);
  });

  it("A select permission has defaults", () => {
    expect(select({ columns: [] })).toMatchObject({
      role: "user",
      computedFields: [],
      filter: { kind: "and", items: [] },
      limit: undefined,
      aggregations: false,
      queryRootFields: null,
      subscriptionRootFields: null,
    });
  });

  it("A select permission has limits and lists of fields", () => {
    const given = {
      columns: ["id"],
      limit: 0,
      allow_aggregations: true,
      computed_fields: ["full_name"],
      query_root_fields: ["select_by_pk", "select_aggregate"],
      subscription_root_fields: [],
    };
    expect(select(given)).toMatchObject({
      computedFields: [{ name: "full_name" }],
      limit: 0,
      aggregations: true,
      queryRootFields: ["select_by_pk", "select_aggregate"],
      subscriptionRootFields: [],
    });
  });

  const byPk =
    'The "select_by_pk" field cannot be included in the query_root_fields or subscription_root_fields because the role "user" does not have access to the primary key of the table "author" in the source "default"';
  const aggregate =
    'The "select_aggregate" root field can only be enabled in the query_root_fields or  the subscription_root_fields when "allow_aggregations" is set to true';

  it.each<[object, string]>([
    [{ columns: ["none"] }, '"none" does not exist'],
    [{ columns: ["articles"] }, "permissions for relationships are automatically inferred"],
    [{ computed_fields: ["random"] }, 'computed field "random" does not exist'],
    [
      { computed_fields: ["written"] },
      'select permissions on computed field "written" are auto-derived from the permissions on its returning table "article" and cannot be specified manually',
    ],
    [{ filter: { none: 1 } }, '"none" does not exist'],
    [{ limit: -1 }, "unexpected negative value"],
    [{ columns: ["name"], query_root_fields: ["select_by_pk"] }, byPk],
    [{ columns: ["name"], subscription_root_fields: ["select_by_pk"] }, byPk],
    [{ query_root_fields: ["select_aggregate"] }, aggregate],
    [{ subscription_root_fields: ["select_aggregate"] }, aggregate],
  ])("The select permission %j is inconsistent", (given, reason) => {
    expect(refusal("select", { columns: ["id"], filter: {}, ...given })).toEqual([`… ${reason}`]);
  });

  it("A select permission of a table without a primary key cannot allow select_by_pk", () => {
    const tables = [
      {
        table: "t",
        select_permissions: [
          { role: "user", permission: { columns: "*", filter: {}, query_root_fields: ["select_by_pk"] } },
        ],
      },
    ];
    const shape = {
      ...library,
      tables: library.tables.map((each) => ({ ...each, name: "t", primaryKey: null })).slice(0, 1),
    };
    expect(reasonsOf(analysisOf({ tables }, { shape }))[0]).toContain('The "select_by_pk" field cannot be included');
  });

  it("An inconsistent select permission is reported with its defaults", () => {
    const { inconsistencies } = analyzed("select", { columns: ["none"], filter: {} });
    expect(inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: {
          role: "user",
          permission: { columns: ["none"], computed_fields: [], filter: {}, allow_aggregations: false },
          comment: null,
          source: "default",
          table: { schema: "public", name: "author" },
        },
        name: "select_permission user in table author in source default",
        reason: `Inconsistent object: ${place}"none" does not exist`,
        type: "select_permission",
      },
    ]);
  });
});

describe("Insert permissions", () => {
  const insert = (permission: object) =>
    tableIn(analyzed("insert", { check: {}, ...permission }), "public.author").insert.get("user");

  it("An insert permission covers all insertable columns unless it lists columns", () => {
    expect(names(insert({})?.columns)).toEqual(["id", "name", "age", "joined"]);
    expect(names(insert({ columns: ["age", "id"] })?.columns)).toEqual(["id", "age"]);
  });

  it("An insert permission takes presets from the session or the metadata and excludes their columns from input", () => {
    const found = insert({ set: { name: "X-Engine-Name", joined: "NOW()", age: null }, columns: ["id", "name"] });
    expect(names(found?.columns)).toEqual(["id"]);
    expect(found?.presets.map(({ column, value }) => [column.name, value])).toEqual([
      ["name", { kind: "session", variable: "x-engine-name" }],
      ["age", { kind: "literal", value: null }],
      ["joined", { kind: "literal", value: "NOW()" }],
    ]);
  });

  it("An insert permission checks rows", () => {
    expect(insert({ check: { articles: {} } })?.check.kind).toBe("related");
  });
});

describe("Update permissions", () => {
  const update = (permission: object) =>
    tableIn(analyzed("update", { columns: "*", filter: {}, ...permission }), "public.author").update.get("user");

  it("An update permission covers all updatable columns", () => {
    expect(names(update({})?.columns)).toEqual(["id", "name", "age", "joined"]);
  });

  it("An update permission has no check unless it declares one", () => {
    expect(update({ check: null })?.check).toEqual({ kind: "and", items: [] });
    expect(update({ check: { id: 1 } })?.check.kind).toBe("compare");
    expect(update({ filter: { id: 1 } })).toMatchObject({ filter: { kind: "compare" }, check: { kind: "and" } });
  });
});

describe.each([
  ["insert", { check: {} }, "insertable"],
  ["update", { columns: [], filter: {} }, "updatable"],
])("Columns of %s permissions", (kind, permission, able) => {
  const only = `Only table columns can have ${kind} permissions defined, not relationships or other field types`;

  it.each<[object, string]>([
    [{ columns: ["none"] }, '"none" does not exist'],
    [{ columns: ["articles"] }, only],
    [{ columns: ["full_name"] }, only],
    [{ set: { none: 1 } }, '"none" does not exist'],
    [{ set: { articles: 1 } }, only],
    [{ set: { code: 1 } }, `Column "code" is not ${able} and so cannot have ${kind} permissions defined`],
    [{ set: { age: "x", name: 5 } }, "parsing Text failed, expected String, but encountered Number"],
    [{ check: { none: 1 } }, '"none" does not exist'],
  ])("The write permission %j is inconsistent", (given, reason) => {
    expect(refusal(kind, { ...permission, ...given })).toEqual([`… ${reason}`]);
  });

  it("A write permission may list generated columns, which it does not offer as input", () => {
    const analysis = analyzed(kind, { ...permission, columns: ["name", "code", "initials"] });
    expect(reasonsOf(analysis)).toEqual([]);
    const { insert, update } = tableIn(analysis, "public.author");
    const found = (kind === "insert" ? insert : update).get("user");
    expect(found?.columns.map(({ shape }) => shape.name)).toEqual(["name"]);
    expect(found?.permission.permission.columns).toEqual(["name", "code", "initials"]);
  });
});

describe("Delete permissions", () => {
  it("A delete permission filters rows", () => {
    const found = tableIn(analyzed("delete", { filter: { id: 1 } }), "public.author").delete.get("user");
    expect(found?.filter.kind).toBe("compare");
    expect(refusal("delete", { filter: { none: 1 } })).toEqual(['… "none" does not exist']);
  });
});

describe.each([
  ["select", { columns: [], filter: {} }],
  ["insert", { check: {} }],
  ["update", { columns: [], filter: {} }],
  ["delete", { filter: {} }],
])("Roles of %s permissions", (kind, permission) => {
  it("A permission may not be defined for admin", () => {
    expect(reasonsOf(analyzed(kind, permission, "admin"))).toEqual([
      'in table "author": in permission for role "admin": cannot define permission for admin role',
    ]);
  });

  it("A permission declared twice is reported as a duplicate and omitted", () => {
    const catalog = catalogOf({
      tables: [{ table: "author", [`${kind}_permissions`]: [{ role: "user", permission }] }],
    });
    const twice = {
      [`${kind}_permissions`]: [
        { role: "user", permission },
        { role: "user", permission },
      ],
    };
    const sources = catalog.sources.map((source) => ({
      ...source,
      tables: source.tables.map((table) => ({ ...table, ...twice })),
    }));
    const analysis = analysisOf({ ...catalog, sources });
    expect(analysis.inconsistencies.map(({ reason, together }) => [reason, together?.form])).toEqual([
      [`Multiple definitions for: ${kind}_permission user in table author in source default`, "duplicate"],
    ]);
    expect(analysis.roles).toEqual([]);
  });
});

it("Permissions are ordered by role", () => {
  const permission = { columns: [], filter: {} };
  const select_permissions = ["b", "a", "C"].map((role) => ({ role, permission }));
  const analysis = analysisOf({ tables: [{ table: "author", select_permissions }] });
  expect([...tableIn(analysis, "public.author").select.keys()]).toEqual(["C", "a", "b"]);
});
