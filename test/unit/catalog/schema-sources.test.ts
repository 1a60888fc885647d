/** The parts of metadata documents that define sources and triggers. */
import { describe, expect, it } from "vitest";
import { decode } from "../../../compiler/catalog/decode-error.ts";
import { createCronTrigger } from "../../../compiler/catalog/schema/cron-triggers.ts";
import { createEventTrigger } from "../../../compiler/catalog/schema/event-triggers.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import {
  configuration,
  connection,
  connectionPath,
  cron,
  parsed,
  refusal,
  refuses,
  trigger,
  triggerPath,
  withSource,
} from "./documents.ts";

describe("Sources in metadata documents", () => {
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

  it("database_url is read as connection_string of SQL Server", () => {
    expect(parsed(connection({ database_url: { from_env: "X" } }, "mssql")).sources[0]?.configuration).toEqual({
      connection_info: { connection_string: { from_env: "X" } },
    });
  });

  it("Old fields of logical models are stored in the new form", () => {
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

describe("Triggers in metadata documents", () => {
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

  it("transform is stored as request_transform, which takes precedence", () => {
    const stored = (changes: object) => parsed(trigger(changes)).sources[0]?.tables[0]?.event_triggers[0];
    expect(stored({ transform: { method: "GET" } })?.request_transform).toEqual({ method: "GET" });
    const both = stored({ transform: { method: "GET" }, request_transform: { method: "PUT" } });
    expect(both?.request_transform).toEqual({ method: "PUT" });
    expect(both).not.toHaveProperty("transform");
  });

  it("Retry settings of cron triggers are completed with defaults", () => {
    expect(parsed(cron({ retry_conf: { num_retries: 3 } })).cron_triggers[0]?.retry_conf).toEqual({
      num_retries: 3,
      retry_interval_seconds: 10,
      timeout_seconds: 60,
      tolerance_seconds: 21600,
    });
  });

  it("The arguments of create_event_trigger are decoded and checked", () => {
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

  it("The arguments of create_cron_trigger are decoded", () => {
    const stored = { name: "c", webhook: "w", schedule: "0 0 * * 7", include_in_metadata: false };
    expect(decode(createCronTrigger, { ...stored, replace: true, payload: null }, "$.args")).toEqual({
      ok: true,
      value: { replace: true, trigger: stored },
    });
  });

  it.each(["* * * * *", "*/5 0-4,8 1,15 jan-MAR Mon-fri/2", "59 23 31 12 7", " 0  0 1 1 0 "])(
    "The cron schedule %s is accepted",
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
  ])("The cron schedule %s is refused", (schedule) => {
    expect(refusal(cron({ schedule }))[0]).toBe("$.cron_triggers[0].schedule");
  });
});
