import { describe, expect, it } from "vitest";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";

function source(name: string, kind: Source["kind"], changes: Partial<Source> = {}): Source {
  return {
    name,
    kind,
    tables: [],
    functions: [],
    native_queries: [],
    stored_procedures: [],
    logical_models: [],
    configuration: { connection_info: { database_url: { from_env: "X" }, isolation_level: "read-committed" } },
    ...changes,
  };
}

const endpoint = {
  name: "e",
  url: "u",
  methods: ["GET" as const],
  definition: { query: { collection_name: "c", query_name: "q" } },
};

const current: Catalog = {
  ...emptyCatalog,
  sources: [
    source("default", "postgres", { customization: { root_fields: { prefix: "x" } } }),
    source("other", "mssql"),
  ],
  rest_endpoints: [endpoint],
  inherited_roles: [{ role_name: "r", role_set: ["a"] }],
  api_limits: { depth_limit: { global: 1 } },
  metrics_config: { analyze_query_variables: true, analyze_response_body: true },
  opentelemetry: { status: "enabled" },
  backend_configs: { a: 1 },
};

describe("Older metadata versions", () => {
  it.each([
    ["without a version", {}, ["search"]],
    ["of version 1", { version: 1 }, ["search"]],
    ["of version 2", { version: 2 }, [{ function: "search", configuration: { exposed_as: "query" } }]],
  ])("Metadata %s fills the source default and keeps its configuration and the endpoints", (_, version, functions) => {
    const document = { ...version, tables: [{ table: "author" }], functions, query_collections: [] };
    const result = readMetadataDocument(document, current);
    if (!result.ok) throw new Error(result.error.message);
    expect(exportMetadata(result.value)).toMatchObject({
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          tables: [{ table: { name: "author", schema: "public" } }],
          functions: [{ function: { name: "search", schema: "public" } }],
          configuration: { connection_info: { database_url: { from_env: "X" } } },
          customization: { root_fields: { prefix: "x" } },
        },
      ],
      rest_endpoints: [endpoint],
    });
    expect(Object.keys(exportMetadata(result.value))).toEqual(["version", "sources", "rest_endpoints"]);
  });

  it("Older metadata is refused if there is no source to fill", () => {
    const expected = {
      code: "not-supported",
      path: "$.args",
      message: "cannot import metadata without sources since no default source is defined",
    };
    const without = { ...current, sources: [source("default", "mssql"), source("a", "postgres")] };
    expect(readMetadataDocument({ tables: [] }, without, "$.args")).toEqual({ ok: false, error: expected });
    expect(readMetadataDocument({ tables: [] }, emptyCatalog, "$.args")).toEqual({ ok: false, error: expected });
  });

  it.each([
    [{}, "$", 'key "tables" not found'],
    [
      { version: 2, tables: [], functions: ["f"] },
      "$.functions[0]",
      "parsing Object failed, expected Object, but encountered String",
    ],
    [
      { version: 1, tables: [], functions: ["f", "f"] },
      "$",
      "multiple declarations exist for the following functions: f",
    ],
    [{ version: 3 }, "$", 'key "sources" not found'],
    [{ version: 4 }, "$.version", "expected 1, 2 or 3, encountered 4"],
    [{ version: "2" }, "$.version", "parsing Int failed, expected Number, but encountered String"],
    ["x", "$", "parsing Object failed, expected Object, but encountered String"],
  ])("The older metadata %j is refused", (document, path, message) => {
    expect(readMetadataDocument(document, current)).toMatchObject({
      ok: false,
      error: { code: "parse-failed", path, message },
    });
  });

  it("Metadata of the current version replaces everything", () => {
    const result = readMetadataDocument({ version: 3, sources: [] }, current);
    expect(result).toEqual({ ok: true, value: emptyCatalog });
  });
});
