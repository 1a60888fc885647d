import { describe, expect, it } from "vitest";
import { decode } from "../../../compiler/catalog/decode-error.ts";
import { tlsAllowArgument } from "../../../compiler/catalog/schema/settings.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import {
  action,
  configuration,
  parsed,
  refusal,
  refuses,
  select,
  selectPath,
  table,
  withSections,
  withSource,
  withTable,
} from "./documents.ts";

describe("Generic document errors", () => {
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

  it("The first error of a document is reported", () => {
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

  it("Paths of errors start at the given path", () => {
    const result = parseMetadata({ version: 3 }, "$.args.metadata");
    expect(result).toMatchObject({ ok: false, error: { path: "$.args.metadata", message: 'key "sources" not found' } });
  });

  it.each([
    [withTable({ selectpermissions: [] }), 'did you mean "select_permissions"?'],
    [{ version: 3, sourcse: [] }, 'did you mean "sources" instead of "sourcse"?'],
    [withSource({ kind: "postgers" }), 'did you mean "postgres"?'],
    [select({ columns: [], filter: {}, query_root_fields: ["selectbypk"] }), 'did you mean "select_by_pk"?'],
  ])("An unknown name is refused with the nearest name (%#)", (document, hint) => {
    expect(parseMetadata(document)).toMatchObject({ ok: false, error: { hint } });
  });

  it("An unknown name without a similar one is refused without a hint", () => {
    const result = parseMetadata(withTable({ zzzzzz: [] }));
    expect(result.ok ? {} : result.error).not.toHaveProperty("hint");
  });
});

describe("Duplicate objects in metadata documents", () => {
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

describe("Other sections of metadata documents", () => {
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
      "the role under another name",
      limits({ rate_limit: { global: { max_reqs_per_min: 1, unique_params: ["X-Hasura-Role"] } } }),
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

  it("Unknown keys are ignored, except in tables", () => {
    const catalog = parsed({ ...withSections({ unknown: 1 }), backend_configs: { dataconnector: { a: null } } });
    expect(catalog).not.toHaveProperty("unknown");
    expect(catalog.backend_configs).toEqual({ dataconnector: { a: null } });
  });

  it("Actions are completed with the members that an export always has", () => {
    const [mutation] = parsed(action({})).actions;
    expect(mutation?.definition).toMatchObject({ type: "mutation", kind: "synchronous" });
    expect(mutation?.definition.ignored_client_headers).toHaveLength(14);
    expect(parsed(action({ type: "query", kind: "synchronous" })).actions[0]?.definition).not.toHaveProperty("kind");
  });

  it("The TLS allow-list accepts a host name alone", () => {
    expect(decode(tlsAllowArgument, "localhost", "$")).toEqual({ ok: true, value: { host: "localhost" } });
  });

  it("Columns and roles with hostile names are kept", () => {
    const document: unknown = JSON.parse(
      '{"version":3,"sources":[{"name":"__proto__","tables":[{"table":"t","object_relationships":[{"name":"r","using":{"manual_configuration":{"remote_table":"x","column_mapping":{"__proto__":"constructor"}}}}]}],"configuration":{"connection_info":{"database_url":"x"}}}]}',
    );
    const [using] = parsed(document).sources[0]?.tables[0]?.object_relationships ?? [];
    expect(JSON.stringify(using)).toContain('"column_mapping":{"__proto__":"constructor"}');
  });
});
