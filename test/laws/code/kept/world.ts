/** A small world of metadata, two databases and server options as plain data, with changes. */
import { buildSchema, introspectionFromSchema } from "graphql";
import { readRemoteShape } from "../../../../compiler/1-introspect/read-remote-shape.ts";
import type { RemoteIntrospection } from "../../../../compiler/shape/remote-shape.ts";
import type { Shape } from "../../../../compiler/shape/shape.ts";
import { argument, functionShape, rowType, shape, table } from "../../../unit/analyze/sample.ts";

export interface World {
  /** Values of `permission` by table, role and kind of permission. */
  readonly permissions: Readonly<Record<string, object>>;
  /** Parents of inherited roles, by role. */
  readonly inherited: Readonly<Record<string, readonly string[]>>;
  /** Tables that are not tracked. */
  readonly hidden: readonly string[];
  readonly configurations: Readonly<Record<string, object>>;
  readonly relationships: boolean;
  readonly computedField: boolean;
  readonly nativeCode: string;
  readonly customization: object;
  readonly functionExposed: "query" | "mutation";
  /** The URL of the source `other`; `null` if it does not exist. */
  readonly otherUrl: string | null;
  readonly defaultUrl: string;
  readonly pages: "int4" | "int8" | "text";
  readonly moods: readonly string[];
  readonly functionVolatility: "stable" | "volatile";
  /** The SDL of the remote schema, with the fields that the role `clerk` may use. */
  readonly remote: { readonly url: string; readonly offers: string; readonly clerk: string | null };
  readonly limits: object;
  readonly withoutIntrospection: readonly string[];
  readonly planning: { readonly stringifyNumbers: boolean; readonly nullCollapse: boolean };
}

export const roles = ["clerk", "boss", "heir", "lone", "admin", "nobody"] as const;

const own = { owner: { _eq: "X-Engine-User-Id" } };

export const permissionKey = (tableName: string, role: string, kind: string): string => `${tableName} ${role} ${kind}`;

const allOf = (tableName: string, columns: readonly string[]): Readonly<Record<string, object>> => ({
  [permissionKey(tableName, "clerk", "select")]: { columns, filter: own, allow_aggregations: true },
  [permissionKey(tableName, "boss", "select")]: { columns, filter: {} },
});

export const weather = "type Query { now(place: String): String rain: Int }";

export const start: World = {
  permissions: {
    ...allOf("book", ["id", "title", "owner", "author_id", "mood", "pages"]),
    ...allOf("author", ["id", "name", "owner"]),
    ...allOf("city", ["id", "name", "people"]),
    [permissionKey("city", "clerk", "select")]: { columns: ["id", "name", "people"], filter: {} },
    [permissionKey("author", "lone", "select")]: { columns: ["id"], filter: { id: { _eq: 1 } } },
    [permissionKey("book", "clerk", "insert")]: { columns: ["title", "mood"], check: own },
    [permissionKey("book", "clerk", "update")]: { columns: ["title"], filter: own, check: null },
    [permissionKey("book", "boss", "delete")]: { filter: {} },
    [permissionKey("author", "boss", "insert")]: { columns: "*", check: {}, backend_only: true },
  },
  inherited: { heir: ["clerk", "boss"] },
  hidden: [],
  configurations: {},
  relationships: true,
  computedField: true,
  nativeCode: "select id, title from book where pages < {{most}}",
  customization: {},
  functionExposed: "query",
  otherUrl: "postgres://other",
  defaultUrl: "postgres://default",
  pages: "int4",
  moods: ["calm", "wild"],
  functionVolatility: "stable",
  remote: { url: "http://weather", offers: weather, clerk: "type Query { now: String }" },
  limits: {},
  withoutIntrospection: [],
  planning: { stringifyNumbers: false, nullCollapse: false },
};

const kinds = ["select", "insert", "update", "delete"] as const;

function tableMetadata(world: World, name: string): object {
  const permissions = kinds.map((kind) => {
    const entries = Object.entries(world.permissions).flatMap(([key, permission]) => {
      const [ofTable, role, ofKind] = key.split(" ");
      return ofTable === name && ofKind === kind ? [{ role, permission }] : [];
    });
    return [`${kind}_permissions`, entries] as const;
  });
  const object = (field: string, column: string) => ({ name: field, using: { foreign_key_constraint_on: column } });
  const books = { name: "books", using: { foreign_key_constraint_on: { table: "book", column: "author_id" } } };
  return {
    table: name,
    is_enum: name === "mood",
    ...(name === "book" && { apollo_federation_config: { enable: "v1" } }),
    ...(world.configurations[name] && { configuration: world.configurations[name] }),
    ...Object.fromEntries(permissions),
    ...(name === "book" && world.relationships && { object_relationships: [object("author", "author_id")] }),
    ...(name === "author" && world.relationships && { array_relationships: [books] }),
    ...(name === "author" &&
      world.computedField && { computed_fields: [{ name: "full", definition: { function: "full_name" } }] }),
  };
}

export function metadataOf(world: World): object {
  const tracked = (names: readonly string[]) =>
    names.filter((name) => !world.hidden.includes(name)).map((name) => tableMetadata(world, name));
  const at = (url: string) => ({ connection_info: { database_url: url } });
  const logical_models = [
    {
      name: "cheap_book",
      fields: [
        { name: "id", type: { scalar: "integer", nullable: false } },
        { name: "title", type: { scalar: "text", nullable: true } },
      ],
      select_permissions: [{ role: "clerk", permission: { columns: ["id"], filter: { id: { _gt: 3 } } } }],
    },
  ];
  const native_queries = [
    {
      root_field_name: "cheap",
      returns: "cheap_book",
      code: world.nativeCode,
      arguments: { most: { type: "integer", nullable: false } },
    },
  ];
  const other = { name: "other", kind: "postgres", tables: tracked(["city"]) };
  return {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: at(world.defaultUrl),
        customization: world.customization,
        tables: tracked(["book", "author", "mood"]),
        functions: world.hidden.includes("book")
          ? []
          : [{ function: "search_books", configuration: { exposed_as: world.functionExposed } }],
        logical_models,
        native_queries,
      },
      ...(world.otherUrl === null ? [] : [{ ...other, configuration: at(world.otherUrl) }]),
    ],
    inherited_roles: Object.entries(world.inherited).map(([role_name, role_set]) => ({ role_name, role_set })),
    remote_schemas: [
      {
        name: "weather",
        definition: { url: world.remote.url },
        permissions: world.remote.clerk === null ? [] : [{ role: "clerk", definition: { schema: world.remote.clerk } }],
      },
    ],
    api_limits: world.limits,
    graphql_schema_introspection: { disabled_for_roles: world.withoutIntrospection },
  };
}

/** Returns the introspection result of the remote server. */
export function remotesOf({ remote }: World): ReadonlyMap<string, RemoteIntrospection> {
  const { __schema } = introspectionFromSchema(buildSchema(remote.offers));
  return new Map([["weather", readRemoteShape(JSON.parse(JSON.stringify(__schema)))]]);
}

/** Returns the introspection results, by source. */
export function shapesOf(world: World): ReadonlyMap<string, { readonly shape: Shape }> {
  const reference = (name: string, column: string, target: string, key: string) => ({
    name,
    columns: [column],
    foreignTable: { schema: "public", name: target },
    foreignColumns: [key],
  });
  const tables = [
    table("book", {
      columns: { id: "int4!", title: "text", owner: "text", author_id: "int4", mood: "text", pages: world.pages },
      primaryKey: ["id"],
      foreignKeys: [
        reference("book_author_fkey", "author_id", "author", "id"),
        reference("book_mood_fkey", "mood", "mood", "value"),
      ],
    }),
    table("author", { columns: { id: "int4!", name: "text", owner: "text" }, primaryKey: ["id"] }),
    table("mood", {
      columns: { value: "text!" },
      primaryKey: ["value"],
      enumValues: world.moods.map((value) => ({ value, comment: null })),
    }),
  ];
  const functions = [
    functionShape("full_name", { arguments: [argument("author_row", rowType("public", "author"))] }),
    functionShape("search_books", {
      arguments: [argument("word", "text")],
      returns: rowType("public", "book"),
      returnsTable: { schema: "public", name: "book" },
      returnsSet: true,
      volatility: world.functionVolatility,
    }),
  ];
  const cities = shape([table("city", { columns: { id: "int4!", name: "text", people: "int8" }, primaryKey: ["id"] })]);
  return new Map([
    ["default", { shape: shape(tables, functions) }],
    ["other", { shape: cities }],
  ]);
}
