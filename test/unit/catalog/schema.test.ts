import { describe, expect, it } from "vitest";
import { decode } from "../../../compiler/catalog/decode-error.ts";
import type { Catalog } from "../../../compiler/catalog/model.ts";
import { tableName } from "../../../compiler/catalog/schema/names.ts";
import { permissionKind } from "../../../compiler/catalog/schema/permissions.ts";
import {
  remoteRelationshipArguments,
  strictRemoteRelationship,
} from "../../../compiler/catalog/schema/relationships.ts";
import { tlsAllowArgument } from "../../../compiler/catalog/schema/settings.ts";
import { createCronTrigger, createEventTrigger } from "../../../compiler/catalog/schema/triggers.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";

const configuration = { connection_info: { database_url: "postgres://db" } };
const withSource = (source: object) => ({
  version: 3,
  sources: [{ name: "default", tables: [], configuration, ...source }],
});
const withTable = (table: object) => withSource({ tables: [{ table: "t", ...table }] });
const withSections = (sections: object) => ({ version: 3, sources: [], ...sections });

function parsed(document: unknown): Catalog {
  const result = parseMetadata(document);
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

/** Where and why a document is refused. */
function refusal(document: unknown): readonly [path: string, message: string] {
  const result = parseMetadata(document);
  if (result.ok) throw new Error("the document was accepted");
  expect(result.error.code).toBe("parse-failed");
  return [result.error.path, result.error.message];
}

type Case = readonly [name: string, document: unknown, path: string, message: string];

function refuses(cases: readonly Case[]): void {
  it.each(cases)("refuses %s", (_, document, path, message) => {
    expect(refusal(document)).toEqual([path, message]);
  });
}

const table = "$.sources[0].tables[0]";
const select = (permission: object) => withTable({ select_permissions: [{ role: "u", permission }] });
const selectPath = `${table}.select_permissions[0].permission`;
const objectRelationship = (using: unknown) => withTable({ object_relationships: [{ name: "r", using }] });
const objectPath = `${table}.object_relationships[0].using`;
const remote = (definition: unknown) => withTable({ remote_relationships: [{ name: "r", definition }] });
const remotePath = `${table}.remote_relationships[0].definition`;
const remoteField = (field: unknown) =>
  remote({ to_remote_schema: { remote_schema: "rs", lhs_fields: [], remote_field: field } });
const remoteFieldPath = `${remotePath}.to_remote_schema.remote_field`;
const trigger = (changes: object) =>
  withTable({
    event_triggers: [
      {
        name: "e",
        definition: { enable_manual: true },
        retry_conf: { num_retries: 0, interval_sec: 1 },
        webhook: "http://w",
        ...changes,
      },
    ],
  });
const triggerPath = `${table}.event_triggers[0]`;
const cron = (changes: object) =>
  withSections({
    cron_triggers: [{ name: "c", webhook: "w", schedule: "* * * * *", include_in_metadata: true, ...changes }],
  });
const action = (definition: object, changes: object = {}) =>
  withSections({
    actions: [{ name: "a", definition: { handler: "h", output_type: "Int", ...definition }, ...changes }],
  });
const connection = (connection_info: object, kind = "postgres") =>
  withSource({ kind, configuration: { connection_info } });
const connectionPath = "$.sources[0].configuration.connection_info";
const customized = (table_configuration: object) => withTable({ configuration: table_configuration });

describe("the generic messages", () => {
  refuses([
    ["what is no object", "x", "$", "parsing Object failed, expected Object, but encountered String"],
    ["null", null, "$", "parsing Object failed, expected Object, but encountered Null"],
    ["a list", [], "$", "parsing Object failed, expected Object, but encountered Array"],
    ["a document without sources", { version: 3 }, "$", 'key "sources" not found'],
    ["another version", { version: 4, sources: [] }, "$.version", "expected 1, 2 or 3, encountered 4"],
    [
      "a version that is a text",
      { version: "3", sources: [] },
      "$.version",
      "parsing Int failed, expected Number, but encountered String",
    ],
    [
      "a source without tables",
      { version: 3, sources: [{ name: "a", configuration }] },
      "$.sources[0]",
      'key "tables" not found',
    ],
    ["an empty name", withSource({ name: "" }), "$.sources[0].name", "empty string not allowed"],
    [
      "an empty role",
      withTable({ select_permissions: [{ role: "", permission: { columns: [], filter: {} } }] }),
      `${table}.select_permissions[0].role`,
      "empty string not allowed",
    ],
    [
      "a number as text",
      withSource({ name: 5 }),
      "$.sources[0].name",
      "parsing Text failed, expected String, but encountered Number",
    ],
    [
      "a null for a required key",
      withSource({ name: null }),
      "$.sources[0].name",
      "parsing Text failed, expected String, but encountered Null",
    ],
    [
      "a text as boolean",
      withTable({ is_enum: "yes" }),
      `${table}.is_enum`,
      "parsing Bool failed, expected Boolean, but encountered String",
    ],
    [
      "an object as list",
      withSource({ tables: {} }),
      "$.sources[0].tables",
      "parsing [] failed, expected Array, but encountered Object",
    ],
    [
      "a text as filter",
      select({ columns: [], filter: "x" }),
      `${selectPath}.filter`,
      "parsing Object failed, expected Object, but encountered String",
    ],
    [
      "a text as limit",
      select({ columns: [], filter: {}, limit: "10" }),
      `${selectPath}.limit`,
      "parsing Int failed, expected Number, but encountered String",
    ],
    [
      "a fraction as limit",
      select({ columns: [], filter: {}, limit: 1.5 }),
      `${selectPath}.limit`,
      "parsing Int failed, not an integer or out of range: 1.5",
    ],
    ["a permission without filter", select({ columns: [] }), selectPath, 'key "filter" not found'],
    [
      "a key that is no identifier",
      withTable({ configuration: { column_config: { "a b": 1 } } }),
      `${table}.configuration.column_config["a b"]`,
      "parsing Object failed, expected Object, but encountered Number",
    ],
    [
      "an unknown kind",
      withSource({ kind: "mysql" }),
      "$.sources[0].kind",
      'expected "postgres", "mssql" or "pg", but encountered "mysql"',
    ],
    [
      "unknown keys of a table",
      withTable({ x: 1, y: 2 }),
      table,
      'unexpected keys when parsing TableMetadata: ["x","y"]',
    ],
  ]);

  it("reports the first problem of the document", () => {
    const document = {
      version: 3,
      cron_triggers: [{ name: "" }],
      sources: [{ name: "", tables: [{ table: "" }] }],
      actions: 5,
    };
    expect(refusal(document)).toEqual(["$.cron_triggers[0].name", "empty string not allowed"]);
    expect(refusal({ ...document, cron_triggers: [] })[0]).toBe("$.sources[0].name");
    const missing = { version: 3, sources: [{ tables: [{ table: "" }], name: "a" }] };
    expect(refusal(missing)).toEqual(["$.sources[0].tables[0].table", "empty string not allowed"]);
  });

  it("starts paths where the document is", () => {
    const result = parseMetadata({ version: 3 }, "$.args.metadata");
    expect(result).toMatchObject({ ok: false, error: { path: "$.args.metadata", message: 'key "sources" not found' } });
  });

  it.each([
    [withTable({ selectpermissions: [] }), 'did you mean "select_permissions"?'],
    [{ version: 3, sourcse: [] }, 'did you mean "sources" where it says "sourcse"?'],
    [withSource({ kind: "postgers" }), 'did you mean "postgres"?'],
    [select({ columns: [], filter: {}, query_root_fields: ["selectbypk"] }), 'did you mean "select_by_pk"?'],
  ])("proposes the nearest name (%#)", (document, hint) => {
    expect(parseMetadata(document)).toMatchObject({ ok: false, error: { hint } });
  });

  it("proposes nothing when nothing is near", () => {
    const result = parseMetadata(withTable({ zzzzzz: [] }));
    expect(result.ok ? {} : result.error).not.toHaveProperty("hint");
  });
});

describe("duplicates", () => {
  const permission = { columns: [], filter: {} };
  refuses([
    [
      "allow-list entries",
      withSections({ allowlist: [{ collection: "c" }, { collection: "c", scope: { global: true } }] }),
      "$",
      "multiple declarations exist for the following allowlist entries: c",
    ],
    [
      "permissions of a role",
      withTable({ select_permissions: ["a", "b", "a", "b", "c"].map((role) => ({ role, permission })) }),
      table,
      "multiple declarations exist for the following select permissions: a, b",
    ],
    [
      "tables",
      withSource({
        tables: [
          "t",
          "public.t",
          { name: "t", schema: "public" },
          { schema: "s", name: "t" },
          { schema: "s", name: "t" },
        ].map((name) => ({ table: name })),
      }),
      "$.sources[0]",
      "multiple declarations exist for the following tables: t, s.t",
    ],
    [
      "sources",
      { version: 3, sources: [1, 2].map(() => ({ name: "a", tables: [], configuration })) },
      "$",
      "multiple declarations exist for the following sources: a",
    ],
    [
      "event triggers",
      withTable({
        event_triggers: [1, 2].map(() => ({
          name: "e",
          definition: { enable_manual: true },
          retry_conf: { num_retries: 0, interval_sec: 1 },
          webhook: "w",
        })),
      }),
      table,
      "multiple declarations exist for the following event triggers: e",
    ],
  ]);
});

describe("table customization", () => {
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

  it("merges the deprecated column names, column_config wins", () => {
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

  it("keeps a null root field and the form that was written", () => {
    const custom_root_fields = { select: null, insert: "put", delete: { name: "remove", comment: "" } };
    const catalog = parsed(customized({ custom_root_fields }));
    expect(catalog.sources[0]?.tables[0]?.configuration).toEqual({ custom_root_fields });
  });

  it("counts an empty configuration as none", () => {
    const catalog = parsed(customized({ custom_root_fields: {}, column_config: {}, custom_name: null }));
    expect(catalog.sources[0]?.tables[0]).not.toHaveProperty("configuration");
  });
});

describe("permissions", () => {
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

  it("drops null options and unknown keys, keeps filters as written", () => {
    const filter = { _and: [{ id: { _eq: null } }], __proto__x: 1 };
    const catalog = parsed(select({ columns: "*", filter, limit: null, query_root_fields: null, unknown: 1 }));
    expect(catalog.sources[0]?.tables[0]?.select_permissions).toEqual([
      { role: "u", permission: { columns: "*", filter } },
    ]);
  });

  it("names the kinds", () => {
    expect(decode(permissionKind, "upsert", "$.args.type")).toMatchObject({
      error: { path: "$.args.type", message: "perm_type should be one of 'insert', 'select', 'update', 'delete'" },
    });
  });
});

describe("relationships", () => {
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

  it("takes one name for a list of columns", () => {
    const using = { foreign_key_constraint_on: { table: "x", columns: "a" } };
    const [found] = parsed(objectRelationship(using)).sources[0]?.tables[0]?.object_relationships ?? [];
    expect(found?.using).toEqual({
      foreign_key_constraint_on: { table: { schema: "public", name: "x" }, columns: ["a"] },
    });
  });

  it("fills in the default schema of the kind of database", () => {
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

describe("remote relationships", () => {
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
  ])("keeps each of the three forms (%#)", (definition) => {
    expect(parsed(remote(definition)).sources[0]?.tables[0]?.remote_relationships).toEqual([{ name: "r", definition }]);
  });

  it("tells the operations' forms apart", () => {
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

describe("triggers", () => {
  refuses([
    ["a trigger without webhook", trigger({ webhook: null }), triggerPath, "must provide webhook or webhook_from_env"],
    [
      "a trigger with two webhooks",
      trigger({ webhook_from_env: "X" }),
      triggerPath,
      "only one of webhook or webhook_from_env should be given",
    ],
    [
      "a trigger for nothing",
      trigger({ definition: {} }),
      triggerPath,
      "atleast one amongst insert/update/delete/enable_manual spec must be provided",
    ],
    [
      "no columns",
      trigger({ definition: { insert: { columns: [] } } }),
      triggerPath,
      "found empty column specification",
    ],
    [
      "no payload",
      trigger({ definition: { insert: { columns: "*", payload: [] } } }),
      triggerPath,
      "found empty payload specification",
    ],
    [
      "another text as columns",
      trigger({ definition: { insert: { columns: "id" } } }),
      `${triggerPath}.definition.insert.columns`,
      "only * or [] allowed",
    ],
    [
      "a header without value",
      trigger({ headers: [{ name: "h" }] }),
      `${triggerPath}.headers[0]`,
      "expecting value or value_from_env keys",
    ],
    [
      "a header with two values",
      trigger({ headers: [{ name: "h", value: "v", value_from_env: "E" }] }),
      `${triggerPath}.headers[0]`,
      "expecting only one of value or value_from_env keys",
    ],
    [
      "a header from the engine's own variables",
      trigger({ headers: [{ name: "h", value_from_env: "ENGINE_GRAPHQL_X" }] }),
      `${triggerPath}.headers[0]`,
      'env variables starting with "ENGINE_GRAPHQL_" are not allowed in value_from_env: ENGINE_GRAPHQL_X',
    ],
    [
      "a stored trigger without retries",
      trigger({ retry_conf: { num_retries: 0 } }),
      `${triggerPath}.retry_conf`,
      'key "interval_sec" not found',
    ],
    [
      "another body action",
      trigger({ request_transform: { version: 2, body: { action: "drop" } } }),
      `${triggerPath}.request_transform.body`,
      "invalid transform action",
    ],
    [
      "another transform version",
      trigger({ request_transform: { version: 3 } }),
      `${triggerPath}.request_transform.version`,
      "expected 1 or 2, encountered 3",
    ],
    [
      "negative retries",
      cron({ retry_conf: { num_retries: -1 } }),
      "$.cron_triggers[0].retry_conf.num_retries",
      "num_retries cannot be a negative value",
    ],
    [
      "a bad schedule",
      cron({ schedule: "* * * *" }),
      "$.cron_triggers[0].schedule",
      'invalid cron schedule "* * * *": expected five fields (minute, hour, day, month, weekday)',
    ],
  ]);

  it("stores transform as request_transform, which wins", () => {
    const stored = (changes: object) => parsed(trigger(changes)).sources[0]?.tables[0]?.event_triggers[0];
    expect(stored({ transform: { method: "GET" } })?.request_transform).toEqual({ method: "GET" });
    const both = stored({ transform: { method: "GET" }, request_transform: { method: "PUT" } });
    expect(both?.request_transform).toEqual({ method: "PUT" });
    expect(both).not.toHaveProperty("transform");
  });

  it("completes the retries of scheduled triggers", () => {
    expect(parsed(cron({ retry_conf: { num_retries: 3 } })).cron_triggers[0]?.retry_conf).toEqual({
      num_retries: 3,
      retry_interval_seconds: 10,
      timeout_seconds: 60,
      tolerance_seconds: 21600,
    });
  });

  it("reads the arguments of create_event_trigger", () => {
    const schema = createEventTrigger("public");
    const given = { name: "e", table: "t", webhook: "w", insert: { columns: "*" }, transform: { method: "GET" } };
    expect(decode(schema, given, "$.args")).toEqual({
      ok: true,
      value: {
        source: "default",
        table: { schema: "public", name: "t" },
        replace: false,
        trigger: {
          name: "e",
          definition: { insert: { columns: "*" }, enable_manual: false },
          retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
          webhook: "w",
          request_transform: { method: "GET" },
        },
      },
    });
    const message = (changes: object) => {
      const result = decode(schema, { ...given, ...changes }, "$.args");
      return result.ok ? undefined : [result.error.path, result.error.message];
    };
    expect(message({ name: "" })).toEqual(["$.args.name", "empty string not allowed"]);
    expect(message({ name: "1" })).toEqual(["$.args", "only alphanumeric and underscore and hyphens allowed for name"]);
    expect(message({ name: "a".repeat(43) })).toEqual(["$.args", "event trigger name can be at most 42 characters"]);
    expect(message({ insert: null, webhook: null })).toEqual([
      "$.args",
      "atleast one amongst insert/update/delete/enable_manual spec must be provided",
    ]);
  });

  it("reads the arguments of create_cron_trigger", () => {
    const stored = { name: "c", webhook: "w", schedule: "0 0 * * 7", include_in_metadata: false };
    expect(decode(createCronTrigger, { ...stored, replace: true, payload: null }, "$.args")).toEqual({
      ok: true,
      value: { replace: true, trigger: stored },
    });
  });

  it.each(["* * * * *", "*/5 0-4,8 1,15 jan-MAR Mon-fri/2", "59 23 31 12 7", " 0  0 1 1 0 "])(
    "accepts %s",
    (schedule) => {
      expect(parseMetadata(cron({ schedule })).ok).toBe(true);
    },
  );

  it.each([
    "",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "*/0 * * * *",
    "5-1 * * * *",
    "a * * * *",
    "1,,2 * * * *",
    "1-2-3 * * * *",
    "1/2/3 * * * *",
    "-1 * * * *",
  ])("refuses the schedule %s", (schedule) => {
    expect(refusal(cron({ schedule }))[0]).toBe("$.cron_triggers[0].schedule");
  });
});

describe("sources", () => {
  refuses([
    [
      "a number as address",
      connection({ database_url: 5 }),
      `${connectionPath}.database_url`,
      "one of string or object must be provided for url/webhook",
    ],
    [
      "an empty address",
      connection({ database_url: {} }),
      `${connectionPath}.database_url`,
      'Either "from_env" or "connection_parameters" should be provided',
    ],
    [
      "two addresses",
      connection({ database_url: { from_env: "X", dynamic_from_file: "f" } }),
      `${connectionPath}.database_url`,
      'Only one of "from_env" or "connection_parameters" should be provided',
    ],
    [
      "another isolation level",
      connection({ database_url: "x", isolation_level: "snapshot" }),
      `${connectionPath}.isolation_level`,
      "Unexpected options for isolation_level. Expected 'read-committed' | 'repeatable-read' | 'serializable'",
    ],
    [
      "another isolation level of SQL Server",
      connection({ connection_string: "x", isolation_level: "none" }, "mssql"),
      `${connectionPath}.isolation_level`,
      "Unexpected options for isolation_level. Expected 'read-uncommited' | 'read-committed' | 'repeatable-read' | 'snapshot' | 'serializable'",
    ],
    ["no address of SQL Server", connection({}, "mssql"), connectionPath, 'key "connection_string" not found'],
    [
      "no replicas",
      withSource({ configuration: { ...configuration, read_replicas: [] } }),
      "$.sources[0].configuration.read_replicas",
      "parsing NonEmpty failed, unexpected empty list",
    ],
    [
      "another template version",
      withSource({ configuration: { ...configuration, connection_template: { version: 2, template: "x" } } }),
      "$.sources[0].configuration.connection_template.version",
      "Supported versions are [1]",
    ],
    [
      "an empty connection set",
      withSource({ configuration: { ...configuration, connection_set: [] } }),
      "$.sources[0].configuration.connection_set",
      "connection set cannot be empty",
    ],
    [
      "a connection set with duplicates",
      withSource({
        configuration: { ...configuration, connection_set: [1, 2].map(() => ({ name: "a", ...configuration })) },
      }),
      "$.sources[0].configuration.connection_set",
      'connection set members with duplicate names are not allowed: "a"',
    ],
    [
      "another naming convention",
      withSource({ customization: { naming_convention: "camel" } }),
      "$.sources[0].customization.naming_convention",
      'naming_convention can either be "engine-default" or "graphql-default"',
    ],
    [
      "a namespace that is no GraphQL name",
      withSource({ customization: { root_fields: { namespace: "a-b" } } }),
      "$.sources[0].customization.root_fields.namespace",
      "a-b is not valid GraphQL name",
    ],
    [
      "equal root fields of a function",
      withSource({
        functions: [
          { function: "f", configuration: { custom_root_fields: { function: "f", function_aggregate: "f" } } },
        ],
      }),
      "$.sources[0].functions[0].configuration.custom_root_fields",
      'the following custom root field names are duplicated: "f" and "f"',
    ],
    [
      "an open placeholder",
      withSource({ native_queries: [{ root_field_name: "q", code: "select {{a", returns: "m" }] }),
      "$.sources[0].native_queries[0].code",
      "Found '{{' without a matching closing '}}'",
    ],
  ]);

  it("reads database_url as connection_string of SQL Server", () => {
    expect(parsed(connection({ database_url: { from_env: "X" } }, "mssql")).sources[0]?.configuration).toEqual({
      connection_info: { connection_string: { from_env: "X" } },
    });
  });

  it("stores old fields of logical models in the new form", () => {
    const fields = [
      { name: "id", type: "integer", nullable: true },
      { name: "at", type: { scalar: "date" } },
    ];
    expect(parsed(withSource({ logical_models: [{ name: "m", fields }] })).sources[0]?.logical_models).toEqual([
      {
        name: "m",
        fields: [
          { name: "id", type: { scalar: "integer", nullable: true } },
          { name: "at", type: { scalar: "date" } },
        ],
        select_permissions: [],
      },
    ]);
  });
});

describe("everything outside sources", () => {
  const limits = (api_limits: object) => withSections({ api_limits });
  const telemetry = (opentelemetry: object) => withSections({ opentelemetry });
  refuses([
    [
      "another action type",
      action({ type: "subscription" }),
      "$.actions[0].definition.type",
      "expected mutation or query, but found subscription",
    ],
    [
      "another action kind",
      action({ kind: "lazy" }),
      "$.actions[0].definition.kind",
      "expected synchronous or asynchronous, but found lazy",
    ],
    [
      "a negative timeout",
      action({ timeout: -1 }),
      "$.actions[0].definition.timeout",
      "timeout value cannot be negative",
    ],
    [
      "an output that is no type",
      action({ output_type: "[Int" }),
      "$.actions[0].definition.output_type",
      "not a valid GraphQL type: [Int",
    ],
    [
      "an action name that is no GraphQL name",
      action({}, { name: "a b" }),
      "$.actions[0].name",
      "a b is not valid GraphQL name",
    ],
    [
      "roles in a global scope",
      withSections({ allowlist: [{ collection: "c", scope: { global: true, roles: [] } }] }),
      "$.allowlist[0].scope",
      "roles are not allowed when global is true",
    ],
    [
      "duplicate roles",
      withSections({ allowlist: [{ collection: "c", scope: { global: false, roles: ["a", "a"] } }] }),
      "$.allowlist[0].scope",
      "duplicate roles are not allowed",
    ],
    [
      "an endpoint without address",
      withSections({
        rest_endpoints: [
          { name: "e", url: "", methods: ["GET"], definition: { query: { collection_name: "c", query_name: "q" } } },
        ],
      }),
      "$.rest_endpoints[0].url",
      "empty string not allowed",
    ],
    [
      "an endpoint without methods",
      withSections({
        rest_endpoints: [
          { name: "e", url: "u", methods: [], definition: { query: { collection_name: "c", query_name: "q" } } },
        ],
      }),
      "$.rest_endpoints[0].methods",
      "parsing NonEmpty failed, unexpected empty list",
    ],
    [
      "a limit without global",
      limits({ depth_limit: { per_role: {} } }),
      "$.api_limits.depth_limit",
      'key "global" not found',
    ],
    [
      "a negative limit",
      limits({ node_limit: { global: 1, per_role: { u: -1 } } }),
      "$.api_limits.node_limit.per_role.u",
      "unexpected negative value",
    ],
    [
      "another unique parameter",
      limits({ rate_limit: { global: { max_reqs_per_min: 1, unique_params: "ip" } } }),
      "$.api_limits.rate_limit.global.unique_params",
      "Not a valid value. Should be either: 'IP' or a list of engine session variables",
    ],
    [
      "the role as unique parameter",
      limits({ rate_limit: { global: { max_reqs_per_min: 1, unique_params: ["X-Engine-Role"] } } }),
      "$.api_limits.rate_limit.global.unique_params[0]",
      "Not a valid value. Should be either: 'IP' or a list of engine session variables",
    ],
    [
      "half a metrics configuration",
      withSections({ metrics_config: { analyze_query_variables: true } }),
      "$.metrics_config",
      'key "analyze_response_body" not found',
    ],
    [
      "another telemetry status",
      telemetry({ status: "on" }),
      "$.opentelemetry.status",
      'OpenTelemetry status must be either "enabled" or "disabled", got on',
    ],
    [
      "JSON telemetry",
      telemetry({ exporter_otlp: { protocol: "http/json" } }),
      "$.opentelemetry.exporter_otlp.protocol",
      "http/json is not supported",
    ],
    [
      "gRPC telemetry",
      telemetry({ exporter_otlp: { protocol: "grpc" } }),
      "$.opentelemetry.exporter_otlp.protocol",
      "gRPC is not supported",
    ],
    [
      "an empty batch",
      telemetry({ batch_span_processor: { max_export_batch_size: 0 } }),
      "$.opentelemetry.batch_span_processor.max_export_batch_size",
      "max_export_batch_size must be a positive integer",
    ],
    [
      "an enum without values",
      withSections({ custom_types: { enums: [{ name: "E", values: [] }] } }),
      "$.custom_types.enums[0].values",
      "parsing NonEmpty failed, unexpected empty list",
    ],
  ]);

  it("ignores unknown keys, except in tables", () => {
    const catalog = parsed({ ...withSections({ unknown: 1 }), backend_configs: { dataconnector: { a: null } } });
    expect(catalog).not.toHaveProperty("unknown");
    expect(catalog.backend_configs).toEqual({ dataconnector: { a: null } });
  });

  it("fills in what an action's export always has", () => {
    const [mutation] = parsed(action({})).actions;
    expect(mutation?.definition).toMatchObject({ type: "mutation", kind: "synchronous" });
    expect(mutation?.definition.ignored_client_headers).toHaveLength(14);
    expect(parsed(action({ type: "query", kind: "synchronous" })).actions[0]?.definition).not.toHaveProperty("kind");
  });

  it("takes a host alone for the TLS allow-list", () => {
    expect(decode(tlsAllowArgument, "localhost", "$")).toEqual({ ok: true, value: { host: "localhost" } });
  });

  it("keeps columns and roles with hostile names", () => {
    const document: unknown = JSON.parse(
      '{"version":3,"sources":[{"name":"__proto__","tables":[{"table":"t","object_relationships":[{"name":"r","using":{"manual_configuration":{"remote_table":"x","column_mapping":{"__proto__":"constructor"}}}}]}],"configuration":{"connection_info":{"database_url":"x"}}}]}',
    );
    const [using] = parsed(document).sources[0]?.tables[0]?.object_relationships ?? [];
    expect(JSON.stringify(using)).toContain('"column_mapping":{"__proto__":"constructor"}');
  });
});
