import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportMetadata, hash, storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";
import { arbitraryCatalog, unordered } from "./arbitrary-catalog.ts";

function parsed(document: unknown): Catalog {
  const result = parseMetadata(JSON.parse(JSON.stringify(document)));
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

const configuration = { connection_info: { database_url: { from_env: "DATABASE" } } };
const withTables = (...tables: readonly unknown[]) => ({
  version: 3,
  sources: [{ name: "default", tables, configuration }],
});

describe("Metadata export", () => {
  it("Importing an export restores every catalog, except for the order of lists", () => {
    fc.assert(
      fc.property(arbitraryCatalog, (catalog) => {
        expect(unordered(parsed(exportMetadata(catalog)))).toEqual(unordered(catalog));
      }),
      { numRuns: 150 },
    );
  });

  it("An export is byte-identical after another import", () => {
    fc.assert(
      fc.property(arbitraryCatalog, (catalog) => {
        const text = JSON.stringify(exportMetadata(catalog));
        expect(JSON.stringify(exportMetadata(parsed(JSON.parse(text))))).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it("An export does not depend on the order of lists", () => {
    fc.assert(
      fc.property(arbitraryCatalog, (catalog) => {
        const reversed: Catalog = {
          ...catalog,
          sources: catalog.sources.toReversed().map((each) => ({ ...each, tables: each.tables.toReversed() })),
          actions: catalog.actions.toReversed(),
          rest_endpoints: catalog.rest_endpoints.toReversed(),
          cron_triggers: catalog.cron_triggers.toReversed(),
        };
        expect(JSON.stringify(exportMetadata(reversed))).toBe(JSON.stringify(exportMetadata(catalog)));
      }),
      { numRuns: 50 },
    );
  });

  it("The export of a fresh installation contains the version and no sources", () => {
    expect(JSON.stringify(exportMetadata(emptyCatalog))).toBe('{"version":3,"sources":[]}');
  });

  it("An export writes keys in the documented order", () => {
    const catalog = parsed({
      opentelemetry: { status: "enabled" },
      network: { tls_allowlist: [{ host: "localhost" }] },
      inherited_roles: [{ role_set: ["a", "b"], role_name: "c" }],
      rest_endpoints: [
        {
          url: "b",
          name: "x",
          methods: ["POST", "GET"],
          definition: { query: { query_name: "q", collection_name: "c" } },
        },
        { url: "a", name: "y", methods: ["GET"], definition: { query: { query_name: "q", collection_name: "c" } } },
      ],
      allowlist: [{ collection: "c" }],
      ...withTables(
        { table: { schema: "b", name: "a" } },
        {
          select_permissions: [
            { permission: { limit: 5, filter: {}, columns: "*", allow_aggregations: false }, role: "u", comment: null },
          ],
          update_permissions: [{ role: "u", permission: { filter: {}, columns: [], backend_only: false } }],
          is_enum: false,
          table: "z",
        },
      ),
    });
    expect(JSON.stringify(exportMetadata(catalog), undefined, 1)).toMatchInlineSnapshot(`
      "{
       "version": 3,
       "sources": [
        {
         "name": "default",
         "kind": "postgres",
         "tables": [
          {
           "table": {
            "name": "a",
            "schema": "b"
           }
          },
          {
           "table": {
            "name": "z",
            "schema": "public"
           },
           "select_permissions": [
            {
             "role": "u",
             "permission": {
              "columns": "*",
              "filter": {},
              "limit": 5
             }
            }
           ],
           "update_permissions": [
            {
             "role": "u",
             "permission": {
              "columns": [],
              "filter": {},
              "check": null
             }
            }
           ]
          }
         ],
         "configuration": {
          "connection_info": {
           "database_url": {
            "from_env": "DATABASE"
           },
           "isolation_level": "read-committed"
          }
         }
        }
       ],
       "allowlist": [
        {
         "collection": "c",
         "scope": {
          "global": true
         }
        }
       ],
       "rest_endpoints": [
        {
         "name": "y",
         "url": "a",
         "methods": [
          "GET"
         ],
         "definition": {
          "query": {
           "collection_name": "c",
           "query_name": "q"
          }
         }
        },
        {
         "name": "x",
         "url": "b",
         "methods": [
          "POST",
          "GET"
         ],
         "definition": {
          "query": {
           "collection_name": "c",
           "query_name": "q"
          }
         }
        }
       ],
       "inherited_roles": [
        {
         "role_name": "c",
         "role_set": [
          "a",
          "b"
         ]
        }
       ],
       "network": {
        "tls_allowlist": [
         {
          "host": "localhost",
          "suffix": null,
          "permissions": null
         }
        ]
       },
       "opentelemetry": {
        "status": "enabled"
       }
      }"
    `);
  });

  it("An export writes column names in both forms once a table is customized", () => {
    const [source] = parsed(
      withTables({ table: "t", configuration: { custom_name: "x", column_config: { id: { custom_name: "key" } } } }),
    ).sources;
    const catalog: Catalog = { ...emptyCatalog, sources: source === undefined ? [] : [source] };
    expect(exportMetadata(catalog).sources).toMatchObject([
      {
        tables: [
          {
            configuration: {
              custom_root_fields: {},
              column_config: { id: { custom_name: "key" } },
              custom_column_names: { id: "key" },
              custom_name: "x",
            },
          },
        ],
      },
    ]);
  });

  it("An export keeps written defaults of the connection pool and omits those of triggers", () => {
    const trigger = { name: "c", webhook: "http://w", schedule: "* * * * *", include_in_metadata: true };
    const document = {
      version: 3,
      sources: [
        {
          name: "default",
          tables: [],
          configuration: { connection_info: { database_url: "postgres://x", pool_settings: { max_connections: 50 } } },
        },
      ],
      cron_triggers: [{ ...trigger, retry_conf: { num_retries: 0, timeout_seconds: 60 } }],
    };
    expect(exportMetadata(parsed(document))).toMatchObject({
      sources: [{ configuration: { connection_info: { pool_settings: { max_connections: 50 } } } }],
      cron_triggers: [trigger],
    });
    expect(JSON.stringify(exportMetadata(parsed(document)))).not.toContain("retry_conf");
  });

  it("An export omits cron triggers that are excluded from the metadata, and the stored form keeps them", () => {
    const hidden = { name: "h", webhook: "w", schedule: "* * * * *", include_in_metadata: false };
    const catalog: Catalog = { ...emptyCatalog, cron_triggers: [hidden] };
    expect(exportMetadata(catalog)).not.toHaveProperty("cron_triggers");
    expect(parsed(storeMetadata(catalog))).toEqual(catalog);
  });
});

describe("Canonical JSON", () => {
  it("Canonical JSON does not depend on the order of keys", () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: null, y: true }], c: "x" } })).toBe(
      '{"a":{"c":"x","d":[1,{"y":true,"z":null}]},"b":1}',
    );
    expect(canonicalJson({ a: undefined, n: new JsonNumber("9007199254740993") })).toBe('{"n":9007199254740993}');
  });

  it("Canonical JSON is JSON of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("The hash of canonical JSON is its SHA-256", () => {
    expect(hash({ b: 1, a: 2 })).toBe(hash({ a: 2, b: 1 }));
    expect(hash({ a: 2, b: 1 })).toBe("d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772");
  });
});
