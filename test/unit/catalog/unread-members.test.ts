/** Unread members of metadata documents are detected; members that are read, in any form, are not reported. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { unreadMembers } from "../../../compiler/catalog/unread-members.ts";
import { arbitraryCatalog } from "./arbitrary-catalog.ts";

const connection = { connection_info: { database_url: { from_env: "URL" } } };
const table = {
  table: { schema: "public", name: "note" },
  select_permissions: [{ role: "user", permission: { columns: ["id"], filter: { id: { _eq: 1 } } } }],
};
const source = { name: "default", kind: "postgres", tables: [table], configuration: connection };

const found = (document: unknown) => unreadMembers(document).map(({ path, hint }) => [path, hint]);

describe("Unknown members of metadata documents", () => {
  it("Exported metadata has no unknown members", () => {
    fc.assert(
      fc.property(arbitraryCatalog, (catalog) => {
        expect(unreadMembers(exportMetadata(catalog))).toEqual([]);
      }),
    );
  });

  it("Unknown members are reported with their path and the nearest name", () => {
    const permission = { columns: ["id"], filter: {}, allow_agregations: true };
    const misspelt = { table: "page", select_permissions: [{ role: "user", permission }] };
    const configuration = { connection_info: { ...connection.connection_info, pool_settings: { max_conections: 5 } } };
    const document = { version: 3, sources: [{ ...source, tables: [table, misspelt], configuration }], crons: [] };
    expect(found(document)).toEqual([
      [
        "$.sources[0].tables[1].select_permissions[0].permission.allow_agregations",
        'did you mean "allow_aggregations"?',
      ],
      ["$.sources[0].configuration.connection_info.pool_settings.max_conections", 'did you mean "max_connections"?'],
      ["$.crons", undefined],
    ]);
  });

  it.each([
    ["names in their short form", { version: 3, sources: [{ ...source, tables: [{ table: "note" }] }] }],
    ["old names", { version: 3, sources: [{ ...source, kind: "pg" }] }],
    ["nothing", { version: 3, sources: [source], actions: null, backend_configs: null }],
    ["version 1", { tables: [table], functions: ["f", { schema: "s", name: "g" }] }],
    ["version 2", { version: 2, tables: [table], functions: [{ function: "f" }] }],
    [
      "columns in either list",
      {
        version: 3,
        sources: [
          {
            ...source,
            tables: [
              {
                table: "note",
                configuration: { custom_column_names: { a: "b" }, column_config: {}, custom_root_fields: {} },
              },
            ],
          },
        ],
      },
    ],
    ["an unreadable document", { version: 3, sources: 5, nonsense: 1 }],
    ["no document", "metadata"],
  ])("No unknown members are reported for %s", (_, document) => {
    expect(found(document)).toEqual([]);
  });

  it("Unknown members of older metadata versions are reported too", () => {
    expect(found({ version: 2, tables: [table], fnctions: [] })).toEqual([["$.fnctions", 'did you mean "functions"?']]);
  });
});
