import { describe, expect, it } from "vitest";
import type { ObjectId } from "../../../compiler/2-analyze/object-id.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { dropObjects, dropWithDependents } from "../../../compiler/metadata/drop-objects.ts";
import { catalogOf, stateOf } from "./sample.ts";

const name = { schema: "public", name: "author" };
const inTable = { source: "default", table: name };
const select = { columns: "*", filter: {} };
const header = { webhook: "http://x", retry_conf: { num_retries: 0, interval_sec: 10 } };
const remote = { remote_schema: "rs", lhs_fields: ["id"], remote_field: { f: { arguments: {} } } };

const fields = [{ name: "id", type: "integer" }];
const select_permissions = ["u", "v"].map((role) => ({ role, permission: select }));

const catalog = catalogOf({
  sources: [
    {
      tables: [
        {
          table: "author",
          configuration: { column_config: { id: { custom_name: "ID" }, name: { custom_name: "NAME" } } },
          object_relationships: [{ name: "o", using: { foreign_key_constraint_on: "a" } }],
          array_relationships: [{ name: "a", using: { foreign_key_constraint_on: { table: "t", column: "c" } } }],
          computed_fields: [{ name: "f", definition: { function: "f" } }],
          remote_relationships: [{ name: "r", definition: { to_remote_schema: remote } }],
          insert_permissions: [{ role: "u", permission: { check: {} } }],
          select_permissions,
          update_permissions: [{ role: "u", permission: select }],
          delete_permissions: [{ role: "u", permission: { filter: {} } }],
          event_triggers: [{ name: "e", definition: { enable_manual: true }, ...header }],
        },
        { table: "article", select_permissions: [{ role: "u", permission: select }] },
      ],
      functions: [{ function: "search", permissions: [{ role: "u" }, { role: "v" }] }],
      native_queries: [
        { root_field_name: "q", code: "select 1", returns: "m" },
        { root_field_name: "own", code: "select 1", returns: { fields, select_permissions } },
      ],
      logical_models: [{ name: "m", fields, select_permissions }],
    },
    { name: "other" },
  ],
  remote_schemas: [
    {
      name: "rs",
      definition: { url: "http://x" },
      permissions: [{ role: "u", definition: { schema: "type Query { a: Int }" } }],
      remote_relationships: [
        { type_name: "T", relationships: [{ name: "r", definition: { to_remote_schema: remote } }] },
      ],
    },
  ],
  query_collections: [
    { name: "one", definition: { queries: [{ name: "q", query: "{ a }" }] } },
    { name: "two", definition: { queries: ["q", "r"].map((query) => ({ name: query, query: "{ a }" })) } },
  ],
  allowlist: [{ collection: "one" }, { collection: "two" }],
  actions: [{ name: "act", definition: { handler: "http://x", output_type: "Int" }, permissions: [{ role: "u" }] }],
  custom_types: { scalars: [{ name: "S" }] },
  cron_triggers: [{ name: "c", webhook: "http://x", schedule: "* * * * *", include_in_metadata: true }],
  rest_endpoints: ["one", "two"].map((collection_name) => ({
    name: `endpoint-${collection_name}`,
    url: collection_name,
    methods: ["GET"],
    definition: { query: { collection_name, query_name: "q" } },
  })),
  inherited_roles: [{ role_name: "both", role_set: ["u", "v"] }],
  opentelemetry: { status: "enabled" },
});

/** Returns the paths of all values of a catalog. */
function pathsOf(value: unknown, path = "", found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found.add(`${path}=${String(value)}`);
  found.add(path);
  for (const [key, member] of Object.entries(value)) {
    const item: unknown = member;
    const label = Array.isArray(value) ? labelOf(item) : key;
    pathsOf(item, `${path}/${label}`, found);
  }
  return found;
}

function labelOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  for (const key of ["name", "role", "root_field_name", "type_name", "collection", "role_name", "table", "function"]) {
    const label: unknown = Object.entries(item).find(([name]) => name === key)?.[1];
    if (typeof label === "string") return label;
    if (typeof label === "object" && label !== null && "name" in label) return String(label.name);
  }
  return "?";
}

/** Returns the topmost paths that exist only in the first catalog. */
function gone(before: Catalog, after: Catalog): string[] {
  const kept = pathsOf(after);
  const missing = [...pathsOf(before)].filter((path) => !kept.has(path));
  return missing.filter((path) => !missing.some((other) => path !== other && path.startsWith(`${other}/`)));
}

const author = "/sources/default/tables/author";

describe("Dropping objects", () => {
  const cases: readonly (readonly [ObjectId, readonly string[]])[] = [
    [{ kind: "source", source: "other" }, ["/sources/other"]],
    [{ kind: "table", ...inTable }, [author]],
    [{ kind: "column", column: "id", ...inTable }, [`${author}/configuration/column_config/id`]],
    [{ kind: "foreign_key", constraint: "fk", ...inTable }, []],
    [{ kind: "object_relation", name: "o", ...inTable }, [`${author}/object_relationships/o`]],
    [{ kind: "array_relation", name: "a", ...inTable }, [`${author}/array_relationships/a`]],
    [{ kind: "computed_field", name: "f", ...inTable }, [`${author}/computed_fields/f`]],
    [{ kind: "remote_relationship", name: "r", ...inTable }, [`${author}/remote_relationships/r`]],
    [{ kind: "event_trigger", name: "e", ...inTable }, [`${author}/event_triggers/e`]],
    [{ kind: "permission", permission: "insert", role: "u", ...inTable }, [`${author}/insert_permissions/u`]],
    [{ kind: "permission", permission: "select", role: "u", ...inTable }, [`${author}/select_permissions/u`]],
    [{ kind: "permission", permission: "update", role: "u", ...inTable }, [`${author}/update_permissions/u`]],
    [{ kind: "permission", permission: "delete", role: "u", ...inTable }, [`${author}/delete_permissions/u`]],
    [
      { kind: "function", source: "default", function: { schema: "public", name: "search" } },
      ["/sources/default/functions/search"],
    ],
    [
      { kind: "function_permission", source: "default", function: { schema: "public", name: "search" }, role: "u" },
      ["/sources/default/functions/search/permissions/u"],
    ],
    [{ kind: "native_query", source: "default", name: "q" }, ["/sources/default/native_queries/q"]],
    [{ kind: "logical_model", source: "default", name: "m" }, ["/sources/default/logical_models/m"]],
    [
      { kind: "model_permission", source: "default", of: "logical_model", name: "m", role: "u" },
      ["/sources/default/logical_models/m/select_permissions/u"],
    ],
    [
      { kind: "model_permission", source: "default", of: "native_query", name: "own", role: "u" },
      ["/sources/default/native_queries/own/returns/select_permissions/u"],
    ],
    [{ kind: "remote_schema", name: "rs" }, ["/remote_schemas/rs"]],
    [{ kind: "remote_schema_permission", name: "rs", role: "u" }, ["/remote_schemas/rs/permissions/u"]],
    [
      { kind: "remote_schema_relationship", name: "rs", type: "T", relationship: "r" },
      ["/remote_schemas/rs/remote_relationships/T"],
    ],
    [{ kind: "action", name: "act" }, ["/actions/act"]],
    [{ kind: "action_permission", name: "act", role: "u" }, ["/actions/act/permissions/u"]],
    [{ kind: "custom_types" }, ["/custom_types/scalars/S"]],
    [{ kind: "cron_trigger", name: "c" }, ["/cron_triggers/c"]],
    [{ kind: "rest_endpoint", name: "endpoint-one" }, ["/rest_endpoints/endpoint-one"]],
    [
      { kind: "collection_query", collection: "one", query: "q" },
      ["/query_collections/one", "/allowlist/one", "/rest_endpoints/endpoint-one"],
    ],
    [
      { kind: "collection_query", collection: "two", query: "q" },
      ["/query_collections/two/definition/queries/q", "/rest_endpoints/endpoint-two"],
    ],
    [{ kind: "inherited_role", role: "both" }, ["/inherited_roles/both"]],
    [{ kind: "open_telemetry", part: "exporter_otlp" }, ["/opentelemetry"]],
  ];

  it.each(cases)("dropObjects removes %j and no other object", (id, paths) => {
    expect(gone(catalog, dropObjects(catalog, [id]))).toEqual(paths);
  });

  it("dropObjects returns the same catalog for unknown objects", () => {
    const absent: readonly ObjectId[] = [
      { kind: "source", source: "x" },
      { kind: "table", source: "default", table: { schema: "x", name: "author" } },
      { kind: "permission", permission: "select", role: "x", ...inTable },
      { kind: "column", column: "x", ...inTable },
      { kind: "object_relation", name: "a", ...inTable },
      { kind: "action", name: "x" },
      { kind: "model_permission", source: "default", of: "native_query", name: "q", role: "u" },
      { kind: "inherited_role", role: "x" },
    ];
    expect(dropObjects(catalog, absent)).toBe(catalog);
  });

  it("dropObjects shares unchanged parts with the old catalog", () => {
    const after = dropObjects(catalog, [{ kind: "permission", permission: "select", role: "u", ...inTable }]);
    const [source, other] = after.sources;
    const [before, beforeOther] = catalog.sources;
    expect(other).toBe(beforeOther);
    expect(after.remote_schemas).toBe(catalog.remote_schemas);
    expect(source?.functions).toBe(before?.functions);
    expect(source?.tables[1]).toBe(before?.tables[1]);
    expect(source?.tables[0]?.update_permissions).toBe(before?.tables[0]?.update_permissions);
    expect(source?.tables[0]?.select_permissions[0]).toBe(before?.tables[0]?.select_permissions[1]);
  });
});

describe("Dropping objects with dependents", () => {
  const table: ObjectId = { kind: "table", ...inTable };
  const own: ObjectId = { kind: "object_relation", name: "o", ...inTable };
  const permission: ObjectId = {
    kind: "permission",
    permission: "select",
    role: "u",
    source: "default",
    table: { schema: "public", name: "article" },
  };
  const state = stateOf(catalog, {
    dependencies: [
      { object: own, on: table },
      { object: permission, on: own },
    ],
  });
  const request = { ...state, path: "$.args" };
  const owned = (id: ObjectId) => id === own;

  it("Dropping an object is refused with the names of its dependents", () => {
    expect(dropWithDependents(request, [table], { cascade: false })).toEqual({
      ok: false,
      error: {
        code: "dependency-error",
        path: "$.args",
        message:
          "cannot drop due to the following dependent objects: " +
          'permission article.u.select in source "default", relationship author.o in source "default"',
      },
    });
    const blocked = dropWithDependents(request, [table], { cascade: false, owned });
    expect(!blocked.ok && blocked.error.message).toBe(
      'cannot drop due to the following dependent objects: permission article.u.select in source "default"',
    );
  });

  it("Dropping an object with cascade also drops its dependents", () => {
    const after = dropWithDependents(request, [own], { cascade: true });
    expect(after.ok && gone(catalog, after.value)).toEqual([
      `${author}/object_relationships/o`,
      "/sources/default/tables/article/select_permissions/u",
    ]);
  });
});
