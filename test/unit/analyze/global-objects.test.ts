import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, reasonsOf, tableIn } from "./sample.ts";

const environment = { BASE: "http://base", WORD: "no address", ON: "enabled", OFF: "disabled" };
const analyzed = (metadata: object) => analysisOf({ ...metadata }, { options: { environment } });

describe("Cron triggers", () => {
  const trigger = (changes: object) => ({
    cron_triggers: [{ name: "c", webhook: "{{BASE}}/c", schedule: "* * * * *", include_in_metadata: true, ...changes }],
  });

  it("A cron trigger takes its URL and headers from the environment", () => {
    const headers = [
      { name: "a", value_from_env: "WORD" },
      { name: "b", value: "x {{WORD}}" },
    ];
    const analysis = analyzed(trigger({ headers }));
    expect(reasonsOf(analysis)).toEqual([]);
    expect([...analysis.cronTriggers.keys()]).toEqual(["c"]);
  });

  it.each<[object, string]>([
    [{ webhook: "{{A}}/{{BASE}}/{{B}}" }, "Value for environment variables not found: A, B"],
    [{ headers: [{ name: "a", value_from_env: "NONE" }] }, "environment variable 'NONE' not set"],
    [{ headers: [{ name: "a", value: "{{NONE}}" }] }, "template cannot be resolved: NONE"],
  ])("A cron trigger with %j is inconsistent", (changes, reason) => {
    const analysis = analyzed(trigger(changes));
    expect(reasonsOf(analysis)).toEqual([`in cron trigger c: ${reason}`]);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toMatchObject([
      { type: "cron_trigger", name: "cron_trigger c", definition: { name: "c", schedule: "* * * * *" } },
    ]);
    expect(analysis.cronTriggers.size).toBe(0);
  });
});

describe("Remote schemas", () => {
  const schema = (definition: object) => ({ remote_schemas: [{ name: "s", definition }] });

  it.each([{ url: "{{BASE}}/graphql" }, { url_from_env: "BASE" }])(
    "A remote schema with %j is consistent",
    (definition) => {
      const analysis = analyzed(schema(definition));
      expect(reasonsOf(analysis)).toEqual([]);
      expect([...analysis.remoteSchemas.keys()]).toEqual(["s"]);
    },
  );

  it.each<[object, string]>([
    [{}, "both `url` and `url_from_env` can't be empty"],
    [{ url: "http://x", url_from_env: "BASE" }, "both `url` and `url_from_env` can't be present"],
    [{ url_from_env: "NONE" }, "environment variable 'NONE' not set"],
    [{ url_from_env: "WORD" }, "not a valid URI in environment variable: WORD"],
    [{ url: "{{NONE}}" }, "Value for environment variables not found: NONE"],
    [{ url: "{{WORD}}" }, "not a valid URI generated from the template: {{WORD}}"],
    [{ url: "http://x", headers: [{ name: "a", value_from_env: "NONE" }] }, "environment variable 'NONE' not set"],
    [
      { url: "http://x", customization: { field_names: [{ parent_type: "T", mapping: { __typename: "t" } }] } },
      'attempt to customize reserved field name "__typename"',
    ],
  ])("A remote schema with %j is inconsistent", (definition, reason) => {
    const analysis = analyzed(schema(definition));
    expect(reasonsOf(analysis)).toEqual([reason]);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toMatchObject([
      { type: "remote_schema", name: "remote_schema s", definition: { name: "s", permissions: [] } },
    ]);
    expect(analysis.remoteSchemas.size).toBe(0);
  });

  it("An inconsistent remote schema makes its relationships inconsistent and nothing else", () => {
    const definition = {
      to_remote_schema: { remote_schema: "s", lhs_fields: ["id"], remote_field: { f: { arguments: {} } } },
    };
    const tables = [{ table: "author", remote_relationships: [{ name: "r", definition }] }];
    const analysis = analyzed({ tables, ...schema({ url_from_env: "NONE" }) });
    expect(reasonsOf(analysis)).toEqual([
      "environment variable 'NONE' not set",
      'in table "author": in remote relationship "r": remote schema with name "s" not found',
    ]);
    expect(tableIn(analysis, "public.author").columns).not.toHaveLength(0);
  });
});

describe("Telemetry settings", () => {
  const telemetry = (opentelemetry: object) => reasonsOf(analyzed({ opentelemetry }));
  const exporter_otlp = { otlp_traces_endpoint: "{{BASE}}/traces" };

  it.each([
    { status: "disabled", data_types: ["traces"] },
    { status: "{{OFF}}", data_types: ["logs"] },
    { status: "enabled", data_types: ["traces"], exporter_otlp },
    { status: "enabled" },
  ])("The telemetry settings %j are consistent", (opentelemetry) => {
    expect(telemetry(opentelemetry)).toEqual([]);
  });

  it.each<[object, string, string]>([
    [{ data_types: ["traces"] }, "exporter_otlp", "Traces export is enabled but tracing endpoint missing"],
    [
      { data_types: ["metrics"], exporter_otlp },
      "exporter_otlp",
      "Metrics export is enabled but metrics endpoint missing",
    ],
    [{ data_types: ["logs"], exporter_otlp }, "exporter_otlp", "Logs export is enabled but logs endpoint missing"],
    [{ exporter_otlp: { otlp_logs_endpoint: "{{WORD}}" } }, "exporter_otlp", "Invalid URL"],
    [
      { exporter_otlp: { otlp_logs_endpoint: "{{NONE}}" } },
      "exporter_otlp",
      "environment variable NONE does not exist",
    ],
    [
      { exporter_otlp: { headers: [{ name: "a", value_from_env: "NONE" }] } },
      "exporter_otlp",
      "environment variable 'NONE' not set",
    ],
    [{ status: "{{NONE}}" }, "all", "environment variable NONE does not exist"],
    [{ status: "{{WORD}}" }, "all", 'OpenTelemetry status must be either "enabled" or "disabled", got no address'],
  ])("The telemetry settings %j are inconsistent", (opentelemetry, part, reason) => {
    const { inconsistencies } = analyzed({ opentelemetry: { status: "{{ON}}", ...opentelemetry } });
    expect(inconsistencies.map(inconsistencyEntry)).toMatchObject([
      { type: "open_telemetry", name: `open_telemetry ${part}`, reason: `Inconsistent object: ${reason}` },
    ]);
  });
});

describe("Queries of collections", () => {
  const collection = { name: "c", definition: { queries: [{ name: "q", query: "query {" }] } };
  const reason =
    'In query collection "c" the query "q" is invalid with the following error(s): "Syntax Error: Expected Name, found <EOF>."';

  it("A query of a collection must be valid GraphQL", () => {
    const { inconsistencies } = analyzed({ query_collections: [collection] });
    expect(inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        type: "query_collections",
        name: "query_collections q in c",
        definition: { name: "q", query: "query {" },
        reason: `Inconsistent object: ${reason}`,
      },
    ]);
  });

  it("The inconsistency of a collection's query names its REST endpoints and the allow-list", () => {
    const definition = { query: { collection_name: "c", query_name: "q" } };
    const rest_endpoints = ["e", "f"].map((name) => ({ name, url: name, methods: ["GET"], definition }));
    const allowlist = [{ collection: "c" }];
    expect(reasonsOf(analyzed({ query_collections: [collection], rest_endpoints, allowlist }))).toContain(
      `${reason}. This query is being used in the following REST endpoint(s): "e", "f". This query is in allowlist.`,
    );
  });

  it("An unchanged inconsistent query is reported again", () => {
    const metadata = { query_collections: [collection] };
    const first = analyzed(metadata);
    const again = analysisOf(first.catalog, { options: { environment }, previous: first });
    expect(again.inconsistencies).toEqual(first.inconsistencies);
  });
});
