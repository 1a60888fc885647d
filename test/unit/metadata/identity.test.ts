/** A change shares all unchanged parts with the previous catalog, since analysis compares by identity. */
import { describe, expect, it } from "vitest";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Source, Table } from "../../../compiler/catalog/model.ts";
import { applied, catalogOf, stateOf } from "./sample.ts";

const select = (role: string) => ({ role, permission: { columns: "*", filter: {} } });

const catalog = catalogOf({
  sources: [
    {
      tables: [
        {
          table: "author",
          select_permissions: [select("u"), select("v")],
          object_relationships: [{ name: "o", using: { foreign_key_constraint_on: "c" } }],
        },
        { table: "article", select_permissions: [select("u")] },
      ],
      functions: [{ function: "search" }],
    },
    { name: "other", tables: [{ table: "author" }] },
  ],
  query_collections: [{ name: "c", definition: { queries: [] } }],
});

function sourceOf({ sources }: Catalog, name = "default"): Source {
  const source = sources.find((each) => each.name === name);
  if (source === undefined) throw new Error(`no source ${name}`);
  return source;
}

function tableOf(of: Catalog, name: string): Table {
  const table = sourceOf(of).tables.find((each) => each.table.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

/** Returns the keys whose values are not identical. */
function changedKeys<T extends object>(before: T, after: T): string[] {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([key, value]) => (values.get(key) === value ? [] : [key]));
}

describe("Sharing after one change", () => {
  it.each([
    ["pg_create_select_permission", { table: "author", ...select("w") }],
    ["pg_drop_select_permission", { table: "author", role: "u" }],
    ["pg_set_permission_comment", { table: "author", role: "u", type: "select", comment: "x" }],
  ])("%s changes only one list of one table", (type, args) => {
    const after = applied(stateOf(catalog), type, args).catalog;
    expect(changedKeys(catalog, after)).toEqual(["sources"]);
    expect(sourceOf(after, "other")).toBe(sourceOf(catalog, "other"));
    expect(changedKeys(sourceOf(catalog), sourceOf(after))).toEqual(["tables"]);
    expect(tableOf(after, "article")).toBe(tableOf(catalog, "article"));
    expect(changedKeys(tableOf(catalog, "author"), tableOf(after, "author"))).toEqual(["select_permissions"]);
    const [, untouched] = tableOf(catalog, "author").select_permissions;
    expect(tableOf(after, "author").select_permissions).toContain(untouched);
  });
});

it.each([
  ["pg_set_relationship_comment", { table: "author", relationship: "o", comment: "x" }, "object_relationships"],
  ["pg_drop_relationship", { table: "author", relationship: "o" }, "object_relationships"],
  ["pg_rename_relationship", { table: "author", name: "o", new_name: "p" }, "object_relationships"],
  [
    "pg_create_object_relationship",
    { table: "author", name: "n", using: { foreign_key_constraint_on: "c" } },
    "object_relationships",
  ],
  ["pg_set_table_customization", { table: "author", configuration: { custom_name: "x" } }, "configuration"],
  ["pg_set_table_is_enum", { table: "author", is_enum: true }, "is_enum"],
])("%s changes one key of one table", (type, args, key) => {
  const after = applied(stateOf(catalog), type, args).catalog;
  expect(tableOf(after, "article")).toBe(tableOf(catalog, "article"));
  expect(changedKeys(tableOf(catalog, "author"), tableOf(after, "author"))).toEqual([key]);
});

it.each([
  ["pg_track_table", "fresh"],
  ["pg_untrack_table", { table: "author" }],
])("%s keeps the other tables", (type, args) => {
  const after = applied(stateOf(catalog), type, args).catalog;
  expect(tableOf(after, "article")).toBe(tableOf(catalog, "article"));
  expect(sourceOf(after).functions).toBe(sourceOf(catalog).functions);
  expect(sourceOf(after, "other")).toBe(sourceOf(catalog, "other"));
});

it.each([
  ["pg_track_function", { function: "f" }, "sources"],
  ["add_query_to_collection", { collection_name: "c", query_name: "q", query: "{ a }" }, "query_collections"],
  ["add_collection_to_allowlist", { collection: "c" }, "allowlist"],
  ["add_inherited_role", { role_name: "r", role_set: ["u"] }, "inherited_roles"],
  ["rename_source", { name: "other", new_name: "another" }, "sources"],
])("%s keeps all other sections", (type, args, section) => {
  expect(changedKeys(catalog, applied(stateOf(catalog), type, args).catalog)).toEqual([section]);
});
