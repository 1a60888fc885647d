/** The parts of metadata documents that define tables. */
import { describe, expect, it } from "vitest";
import { decode } from "../../../compiler/catalog/decode-error.ts";
import { tableName } from "../../../compiler/catalog/schema/names.ts";
import { permissionKind } from "../../../compiler/catalog/schema/permissions.ts";
import {
  remoteRelationshipArguments,
  strictRemoteRelationship,
} from "../../../compiler/catalog/schema/relationships.ts";
import {
  customized,
  objectPath,
  objectRelationship,
  parsed,
  refuses,
  remote,
  remoteField,
  remoteFieldPath,
  remotePath,
  select,
  selectPath,
  table,
  withSource,
  withTable,
} from "./documents.ts";

describe("Table customization in metadata documents", () => {
  refuses([
    [
      "equal custom root fields",
      customized({ custom_root_fields: { select: "a", insert: { name: "a" }, delete: "b", update: "b" } }),
      `${table}.configuration.custom_root_fields`,
      "the following custom root field names are duplicated: a and b",
    ],
    [
      "a root field that is no GraphQL name",
      customized({ custom_root_fields: { select: "a b" } }),
      `${table}.configuration.custom_root_fields.select`,
      "a b is not valid GraphQL name",
    ],
    [
      "a custom name that is no GraphQL name",
      customized({ custom_name: "1x" }),
      `${table}.configuration.custom_name`,
      "1x is not valid GraphQL name",
    ],
    [
      "an empty column name",
      customized({ custom_column_names: { id: "" } }),
      `${table}.configuration.custom_column_names.id`,
      " is not valid GraphQL name",
    ],
  ]);

  it("Deprecated column names are merged, and column_config takes precedence", () => {
    const catalog = parsed(
      customized({
        custom_column_names: { id: "old", a: "x", b: "y" },
        column_config: { id: { custom_name: "new" }, a: { comment: "" } },
        comment: null,
      }),
    );
    expect(catalog.sources[0]?.tables[0]?.configuration).toEqual({
      column_config: { id: { custom_name: "new" }, a: { custom_name: "x", comment: "" }, b: { custom_name: "y" } },
    });
  });

  it("A null root field and the written form of root fields are kept", () => {
    const custom_root_fields = { select: null, insert: "put", delete: { name: "remove", comment: "" } };
    const catalog = parsed(customized({ custom_root_fields }));
    expect(catalog.sources[0]?.tables[0]?.configuration).toEqual({ custom_root_fields });
  });

  it("An empty table configuration counts as absent", () => {
    const catalog = parsed(customized({ custom_root_fields: {}, column_config: {}, custom_name: null }));
    expect(catalog.sources[0]?.tables[0]).not.toHaveProperty("configuration");
  });
});

describe("Permissions in metadata documents", () => {
  refuses([
    [
      "another kind of input validation",
      withTable({
        delete_permissions: [
          { role: "u", permission: { filter: {}, validate_input: { type: "grpc", definition: { url: "x" } } } },
        ],
      }),
      `${table}.delete_permissions[0].permission.validate_input.type`,
      "expecting only 'http' for 'type' but got grpc",
    ],
    [
      "a text that is not all columns",
      select({ columns: "id", filter: {} }),
      `${selectPath}.columns`,
      "parsing [] failed, expected Array, but encountered String",
    ],
    [
      "an unknown root field",
      select({ columns: [], filter: {}, query_root_fields: ["insert"] }),
      `${selectPath}.query_root_fields[0]`,
      'expected "select", "select_by_pk" or "select_aggregate", but encountered "insert"',
    ],
  ]);

  it("Null options and unknown keys of permissions are dropped, and filters are kept as written", () => {
    const filter = { _and: [{ id: { _eq: null } }], __proto__x: 1 };
    const catalog = parsed(select({ columns: "*", filter, limit: null, query_root_fields: null, unknown: 1 }));
    expect(catalog.sources[0]?.tables[0]?.select_permissions).toEqual([
      { role: "u", permission: { columns: "*", filter } },
    ]);
  });

  it("An unknown permission kind is refused with the known kinds", () => {
    expect(decode(permissionKind, "upsert", "$.args.type")).toMatchObject({
      error: { path: "$.args.type", message: "perm_type should be one of 'insert', 'select', 'update', 'delete'" },
    });
  });
});

describe("Relationships in metadata documents", () => {
  refuses([
    [
      "no using",
      objectRelationship({}),
      objectPath,
      "atleast one of foreign_key_constraint_on/manual_configuration should be present",
    ],
    [
      "two usings",
      objectRelationship({ foreign_key_constraint_on: "a", manual_configuration: {} }),
      objectPath,
      "only one of foreign_key_constraint_on/manual_configuration should be present",
    ],
    [
      "neither column nor columns",
      objectRelationship({ foreign_key_constraint_on: { table: "x" } }),
      `${objectPath}.foreign_key_constraint_on`,
      "expected exactly one of 'column' or 'columns'",
    ],
    [
      "both column and columns",
      objectRelationship({ foreign_key_constraint_on: { table: "x", column: "a", columns: ["a"] } }),
      `${objectPath}.foreign_key_constraint_on`,
      "expected exactly one of 'column' or 'columns'",
    ],
    [
      "another insertion order",
      objectRelationship({ manual_configuration: { remote_table: "x", column_mapping: {}, insertion_order: "first" } }),
      `${objectPath}.manual_configuration.insertion_order`,
      "insertion_order should be 'before_parent' or 'after_parent'",
    ],
    [
      "a manual relationship to nothing",
      objectRelationship({ manual_configuration: { column_mapping: {} } }),
      `${objectPath}.manual_configuration`,
      'key "remote_table" not found',
    ],
    [
      "an own column for an array",
      withTable({ array_relationships: [{ name: "r", using: { foreign_key_constraint_on: "a" } }] }),
      `${table}.array_relationships[0].using.foreign_key_constraint_on`,
      "Expecting object { table, columns }.",
    ],
  ]);

  it("A foreign key may name one column instead of a list", () => {
    const using = { foreign_key_constraint_on: { table: "x", columns: "a" } };
    const [found] = parsed(objectRelationship(using)).sources[0]?.tables[0]?.object_relationships ?? [];
    expect(found?.using).toEqual({
      foreign_key_constraint_on: { table: { schema: "public", name: "x" }, columns: ["a"] },
    });
  });

  it("Table names are completed with the default schema of their kind of database", () => {
    const using = { foreign_key_constraint_on: { table: "x", column: "a" } };
    const tables = [{ table: "t", array_relationships: [{ name: "r", using }] }];
    const names = (kind: string) => {
      const info = kind === "mssql" ? { connection_string: "x" } : { database_url: "x" };
      const source = { kind, tables, configuration: { connection_info: info } };
      const [found] = parsed(withSource(source)).sources[0]?.tables ?? [];
      return [found?.table, found?.array_relationships[0]?.using];
    };
    expect(names("pg")).toEqual([
      { schema: "public", name: "t" },
      { foreign_key_constraint_on: { table: { schema: "public", name: "x" }, column: "a" } },
    ]);
    expect(names("mssql")[0]).toEqual({ schema: "dbo", name: "t" });
    expect(names("mssql")[1]).toEqual({
      foreign_key_constraint_on: { table: { schema: "dbo", name: "x" }, column: "a" },
    });
    expect(decode(tableName("public"), { name: "t", schema: "s", extra: 1 }, "$")).toEqual({
      ok: true,
      value: { schema: "s", name: "t" },
    });
  });
});

describe("Remote relationships in metadata documents", () => {
  refuses([
    [
      "none of the forms",
      remote({}),
      remotePath,
      "remote relationship definition (lenient format) expects exactly one of: remote_schema, to_source, to_remote_schema",
    ],
    [
      "several fields",
      remoteField({ a: { arguments: {} }, b: { arguments: {} } }),
      remoteFieldPath,
      "Expecting one single mapping, received too many.",
    ],
    ["no field", remoteField({}), remoteFieldPath, "Expecting one single mapping, received none."],
    [
      "no nested field",
      remoteField({ a: { arguments: {}, field: {} } }),
      `${remoteFieldPath}.a.field`,
      "Expecting one single mapping, received none.",
    ],
    ["a field without arguments", remoteField({ a: {} }), `${remoteFieldPath}.a`, 'key "arguments" not found'],
    [
      "an empty variable",
      remoteField({ a: { arguments: { id: "$" } } }),
      `${remoteFieldPath}.a.arguments.id`,
      "Empty variable name",
    ],
    [
      "an invalid variable",
      remoteField({ a: { arguments: { where: [{ id: "$a b" }] } } }),
      `${remoteFieldPath}.a.arguments.where[0].id`,
      "Invalid variable name 'a b'",
    ],
  ]);

  it.each([
    { remote_schema: "rs", engine_fields: ["id"], remote_field: { a: { arguments: { id: "$id" } } } },
    { to_source: { relationship_type: "object", source: "s", table: "t", field_mapping: { a: "b" } } },
    { to_remote_schema: { remote_schema: "rs", lhs_fields: ["id"], remote_field: { a: { arguments: {} } } } },
  ])("Each of the three forms of a remote relationship is kept (%#)", (definition) => {
    expect(parsed(remote(definition)).sources[0]?.tables[0]?.remote_relationships).toEqual([{ name: "r", definition }]);
  });

  it("Operations on remote relationships accept exactly one form", () => {
    const legacy = { remote_schema: "rs", engine_fields: ["id"], remote_field: { a: { arguments: {} } } };
    const both = decode(remoteRelationshipArguments("create_remote_relationship"), { ...legacy, definition: {} }, "$");
    expect(both).toMatchObject({
      error: { message: "create_remote_relationship expects exactly one of: remote_schema, definition" },
    });
    expect(decode(remoteRelationshipArguments("c"), { table: "t", name: "r", ...legacy }, "$")).toEqual({
      ok: true,
      value: legacy,
    });
    expect(decode(strictRemoteRelationship, legacy, "$")).toMatchObject({
      error: {
        message: "remote relationship definition (strict format) expects exactly one of: to_source, to_remote_schema",
      },
    });
  });
});
