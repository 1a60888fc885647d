/**
 * Removes objects from a catalog. Input: a catalog and identities; output: a catalog without these objects and the
 * objects stored inside them. Dependents remain, except with `dropWithDependents`.
 */

import { assertNever } from "../../runtime/values/errors.ts";
import { cannotDropMessage, dependentsOf } from "../2-analyze/dependencies.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { QualifiedName, Source, Table } from "../catalog/model.ts";
import type { RemoteSchema } from "../catalog/outside-sources.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import { changeModel, changeSource, changeTable, mapWhere, sameName, set, without } from "./edit.ts";
import { print } from "./lookups.ts";
import type { Site, State } from "./operation.ts";
import { dropPermission } from "./permission-lists.ts";

export interface DropOptions {
  /** Also drops dependents, which are an error otherwise. */
  readonly cascade: boolean;
  /** Selects the dependents that are dropped with the objects even without `cascade`. */
  readonly owned?: (id: ObjectId) => boolean;
}

/** Drops objects and everything that depends on them. Error: `dependency-error` without `cascade`. */
export function dropWithDependents(
  { catalog, analysis, path }: Pick<State, "catalog" | "analysis"> & Pick<Site, "path">,
  ids: readonly ObjectId[],
  { cascade, owned = () => false }: DropOptions,
): Result<Catalog> {
  const dependents = dependentsOf(analysis, ids).filter((id) => !owned(id));
  if (dependents.length > 0 && !cascade) return fail("dependency-error", path, cannotDropMessage(dependents, catalog));
  return ok(dropObjects(catalog, [...dependents, ...ids]));
}

/** Returns the catalog without the objects. Ignores objects that are not in the metadata. */
export function dropObjects(catalog: Catalog, ids: readonly ObjectId[]): Catalog {
  return ids.reduce(dropObject, catalog);
}

type TableId = Extract<ObjectId, { readonly kind: "table" }>;
type TablePartId = Exclude<Extract<ObjectId, { readonly table: QualifiedName }>, TableId>;
type SourceId = Extract<ObjectId, { readonly kind: "source" }>;
type SourcePartId = Exclude<Extract<ObjectId, { readonly source: string }>, SourceId | TablePartId>;
type TopLevelId = Exclude<ObjectId, SourceId | SourcePartId | TablePartId>;

function dropObject(catalog: Catalog, id: ObjectId): Catalog {
  if (id.kind === "source") return set(catalog, "sources", withoutNamed(catalog.sources, id.source));
  if ("table" in id && id.kind !== "table") {
    return changeTable(catalog, id.source, id.table, (table) => dropFromTable(table, id));
  }
  if ("source" in id) return changeSource(catalog, id.source, (source) => dropFromSource(source, id));
  return dropFromTopLevel(catalog, id);
}

function dropFromTable(table: Table, id: TablePartId): Table {
  switch (id.kind) {
    case "column":
      return withoutColumnConfig(table, id.column);
    case "foreign_key":
      return table;
    case "object_relation":
      return set(table, "object_relationships", withoutNamed(table.object_relationships, id.name));
    case "array_relation":
      return set(table, "array_relationships", withoutNamed(table.array_relationships, id.name));
    case "permission":
      return dropPermission(table, id.permission, id.role);
    case "computed_field":
      return set(table, "computed_fields", withoutNamed(table.computed_fields, id.name));
    case "remote_relationship":
      return set(table, "remote_relationships", withoutNamed(table.remote_relationships, id.name));
    case "event_trigger":
      return set(table, "event_triggers", withoutNamed(table.event_triggers, id.name));
    default:
      return assertNever(id);
  }
}

function withoutColumnConfig(table: Table, column: string): Table {
  const { column_config, ...others } = table.configuration ?? {};
  if (column_config === undefined || !Object.hasOwn(column_config, column)) return table;
  const { [column]: _dropped, ...columns } = column_config;
  return { ...table, configuration: { ...others, column_config: columns } };
}

function dropFromSource(source: Source, id: SourcePartId): Source {
  switch (id.kind) {
    case "table":
      return set(
        source,
        "tables",
        without(source.tables, ({ table }) => sameName(table, id.table)),
      );
    case "function":
      return set(
        source,
        "functions",
        without(source.functions, (each) => sameName(each.function, id.function)),
      );
    case "function_permission": {
      const matches = ({ function: name }: Source["functions"][number]) => sameName(name, id.function);
      const functions = mapWhere(source.functions, matches, (each) =>
        set(each, "permissions", withoutRole(each.permissions, id.role)),
      );
      return set(source, "functions", functions);
    }
    case "native_query":
      return set(
        source,
        "native_queries",
        without(source.native_queries, ({ root_field_name }) => root_field_name === id.name),
      );
    case "logical_model":
      return set(source, "logical_models", withoutNamed(source.logical_models, id.name));
    case "stored_procedure":
      return set(
        source,
        "stored_procedures",
        without(source.stored_procedures, (each) => print(source.kind, each.stored_procedure) === id.name),
      );
    case "model_permission":
      return changeModel(source, id, (model) =>
        set(model, "select_permissions", withoutRole(model.select_permissions, id.role)),
      );
    default:
      return assertNever(id);
  }
}

function dropFromTopLevel(catalog: Catalog, id: TopLevelId): Catalog {
  switch (id.kind) {
    case "remote_schema":
      return set(catalog, "remote_schemas", withoutNamed(catalog.remote_schemas, id.name));
    case "remote_schema_permission":
      return changeRemoteSchema(catalog, id.name, (schema) =>
        set(schema, "permissions", withoutRole(schema.permissions, id.role)),
      );
    case "remote_schema_relationship":
      return changeRemoteSchema(catalog, id.name, (schema) => withoutRelationship(schema, id.type, id.relationship));
    case "action":
      return set(catalog, "actions", withoutNamed(catalog.actions, id.name));
    case "action_permission": {
      const actions = mapWhere(
        catalog.actions,
        ({ name }) => name === id.name,
        (action) => set(action, "permissions", withoutRole(action.permissions, id.role)),
      );
      return set(catalog, "actions", actions);
    }
    case "custom_types":
      return { ...catalog, custom_types: { input_objects: [], objects: [], scalars: [], enums: [] } };
    case "cron_trigger":
      return set(catalog, "cron_triggers", withoutNamed(catalog.cron_triggers, id.name));
    case "rest_endpoint":
      return set(catalog, "rest_endpoints", withoutNamed(catalog.rest_endpoints, id.name));
    case "agent_tool":
      return set(catalog, "agent_tools", withoutNamed(catalog.agent_tools, id.name));
    case "collection_query":
      return dropCollectionQuery(catalog, id.collection, id.query);
    case "inherited_role": {
      const roles = without(catalog.inherited_roles, ({ role_name }) => role_name === id.role);
      return set(catalog, "inherited_roles", roles);
    }
    case "open_telemetry": {
      const { opentelemetry: _reset, ...others } = catalog;
      return others;
    }
    default:
      return assertNever(id);
  }
}

function changeRemoteSchema(catalog: Catalog, name: string, to: (schema: RemoteSchema) => RemoteSchema): Catalog {
  return set(
    catalog,
    "remote_schemas",
    mapWhere(catalog.remote_schemas, (schema) => schema.name === name, to),
  );
}

/** Drops a relationship, and the entry of its type if that has no other relationships. */
function withoutRelationship(schema: RemoteSchema, type: string, name: string): RemoteSchema {
  const types = mapWhere(
    schema.remote_relationships,
    ({ type_name }) => type_name === type,
    (each) => set(each, "relationships", withoutNamed(each.relationships, name)),
  );
  return set(
    schema,
    "remote_relationships",
    without(types, ({ relationships }) => relationships.length === 0),
  );
}

/**
 * Drops a query with the REST endpoints and tools that run it. An empty collection is dropped with its entry in the allow-list.
 */
function dropCollectionQuery(catalog: Catalog, collection: string, query: string): Catalog {
  const trimmed = mapWhere(
    catalog.query_collections,
    ({ name }) => name === collection,
    (each) => set(each, "definition", { ...each.definition, queries: withoutNamed(each.definition.queries, query) }),
  );
  const emptied = trimmed.some(({ name, definition }) => name === collection && definition.queries.length === 0);
  const runsIt = ({ definition }: Pick<Catalog["rest_endpoints"][number], "definition">) =>
    definition.query.collection_name === collection && definition.query.query_name === query;
  return {
    ...catalog,
    query_collections: emptied ? withoutNamed(trimmed, collection) : trimmed,
    allowlist: emptied ? without(catalog.allowlist, (entry) => entry.collection === collection) : catalog.allowlist,
    rest_endpoints: without(catalog.rest_endpoints, runsIt),
    agent_tools: without(catalog.agent_tools, runsIt),
  };
}

function withoutNamed<T extends { readonly name: string }>(items: readonly T[], name: string): readonly T[] {
  return without(items, (item) => item.name === name);
}

function withoutRole<T extends { readonly role: string }>(items: readonly T[], role: string): readonly T[] {
  return without(items, (item) => item.role === role);
}
