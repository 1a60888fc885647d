import { describe, expect, it } from "vitest";
import { analysisOf, type Setting, shape, sourceIn, table, tableIn } from "./sample.ts";

const withConvention: Setting = { options: { experimentalFeatures: new Set(["naming_convention"]) } };
const graphqlDefault = { naming_convention: "graphql-default" };

function namesOf(name: string, configuration: object, customization: object, setting: Setting = withConvention) {
  const database = shape([
    table(name, { schema: name === "my_table" ? "my_schema" : "public", columns: { id: "int4!" }, primaryKey: ["id"] }),
  ]);
  const schema = database.tables[0]?.schema ?? "public";
  const tables = [{ table: { schema, name }, configuration }];
  return tableIn(analysisOf({ tables, customization }, { ...setting, shape: database }), `${schema}.${name}`);
}

const rootNames = (found: ReturnType<typeof namesOf>) =>
  Object.fromEntries(Object.entries(found.rootFields ?? {}).map(([key, { name }]) => [key, name]));

describe("The engine-default naming convention", () => {
  it("engine-default joins name parts with underscores", () => {
    expect(rootNames(namesOf("author_local", {}, {}))).toEqual({
      select: "author_local",
      select_by_pk: "author_local_by_pk",
      select_aggregate: "author_local_aggregate",
      select_group: "author_local_group",
      select_stream: "author_local_stream",
      insert: "insert_author_local",
      insert_one: "insert_author_local_one",
      update: "update_author_local",
      update_by_pk: "update_author_local_by_pk",
      update_many: "update_author_local_many",
      delete: "delete_author_local",
      delete_by_pk: "delete_author_local_by_pk",
    });
  });

  it("engine-default adds prefix and suffix to all root fields, including custom ones", () => {
    const customization = { root_fields: { prefix: "a_", suffix: "_z" } };
    const names = rootNames(namesOf("t", { custom_root_fields: { select: "all" } }, customization));
    expect(names).toMatchObject({ select: "a_all_z", insert_one: "a_insert_t_one_z" });
  });
});

describe("The graphql-default naming convention", () => {
  it("graphql-default writes generated names in camel case", () => {
    const found = namesOf("author_local", {}, graphqlDefault);
    expect(found.graphqlName).toBe("AuthorLocal");
    expect(rootNames(found)).toMatchObject({
      select: "authorLocal",
      select_by_pk: "authorLocalByPk",
      select_aggregate: "authorLocalAggregate",
      select_group: "authorLocalGroup",
      insert: "insertAuthorLocal",
      insert_one: "insertAuthorLocalOne",
      update_many: "updateAuthorLocalMany",
      delete_by_pk: "deleteAuthorLocalByPk",
    });
  });

  it.each([
    ["table_one", "table_one", "table_oneByPk", "insertTable_oneOne"],
    ["tableOne", "tableOne", "tableOneByPk", "insertTableOneOne"],
    ["TableOne", "TableOne", "TableOneByPk", "insertTableOneOne"],
  ])("graphql-default keeps the custom name %s unchanged", (custom_name, select, select_by_pk, insert_one) => {
    const found = namesOf("x", { custom_name }, graphqlDefault);
    expect(found.graphqlName).toBe(custom_name);
    expect(rootNames(found)).toMatchObject({ select, select_by_pk, insert_one });
  });

  it("graphql-default splits schema and table names", () => {
    const found = namesOf("my_table", {}, graphqlDefault);
    expect([found.graphqlName, rootNames(found).select_aggregate]).toEqual([
      "MySchemaMyTable",
      "mySchemaMyTableAggregate",
    ]);
  });

  it("graphql-default writes prefix and suffix in camel case", () => {
    const customization = { ...graphqlDefault, root_fields: { prefix: "test", suffix: "query" } };
    expect(rootNames(namesOf("author_local", {}, customization))).toMatchObject({
      select: "testAuthorLocalQuery",
      select_by_pk: "testAuthorLocalByPkQuery",
      insert: "testInsertAuthorLocalQuery",
    });
    const onlySuffix = { ...graphqlDefault, root_fields: { suffix: "query" } };
    expect(rootNames(namesOf("author_local", {}, onlySuffix)).select).toBe("authorLocalQuery");
  });

  it("graphql-default keeps custom root fields verbatim", () => {
    const configuration = { custom_root_fields: { select: "all_of_them" } };
    expect(rootNames(namesOf("author_local", configuration, graphqlDefault)).select).toBe("all_of_them");
  });

  it("graphql-default writes columns in camel case unless they have custom names", () => {
    const database = shape([
      table("t", { columns: { first_name: "text", _last_name: "text", x_y: "text", Age: "int4" } }),
    ]);
    const tables = [{ table: "t", configuration: { column_config: { x_y: { custom_name: "x_y" } } } }];
    const analysis = analysisOf({ tables, customization: graphqlDefault }, { ...withConvention, shape: database });
    expect(tableIn(analysis, "public.t").columns.map(({ field }) => field)).toEqual([
      "firstName",
      "_lastName",
      "x_y",
      "age",
    ]);
  });
});

describe("The naming convention of a source", () => {
  const conventionOf = (customization: object, setting: Setting) =>
    sourceIn(analysisOf({ customization }, setting)).namingConvention;

  it("The naming convention is engine-default unless the feature is enabled", () => {
    expect(conventionOf(graphqlDefault, {})).toBe("engine-default");
    expect(conventionOf(graphqlDefault, withConvention)).toBe("graphql-default");
  });

  it("The naming convention is the configured default unless the source sets its own", () => {
    const setting = { options: { ...withConvention.options, defaultNamingConvention: "graphql-default" } } as const;
    expect(conventionOf({}, setting)).toBe("graphql-default");
    expect(conventionOf({ naming_convention: "engine-default" }, setting)).toBe("engine-default");
  });
});
