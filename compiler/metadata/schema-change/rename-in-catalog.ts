/**
 * Updates the metadata after SQL renamed tables, columns or functions of one source, including references from other
 * sources. Input: a catalog and the renames; output: a catalog that shares everything unchanged with the original.
 */
import type { Analysis, AnalyzedSource } from "../../2-analyze/analysis.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { InlineModel, NativeQuery, Source, TrackedFunction } from "../../catalog/model.ts";
import type { CustomTypes, RemoteSchema, TypeRelationship } from "../../catalog/outside-sources.ts";
import { set } from "../edit.ts";
import { mapItems, mapMembers, renameInExpression } from "../rename-in-expression.ts";
import { renameInRemoteRelationship } from "./rename-in-remote-relationship.ts";
import { renameInManualConfiguration, renameInTable } from "./rename-in-table.ts";
import type { Renames } from "./renames.ts";

export function renameInCatalog(catalog: Catalog, analysis: Analysis, renames: Renames): Catalog {
  const analyzed = analysis.sources.get(renames.source);
  if (renames.isEmpty || analyzed === undefined) return catalog;
  const sources = mapItems(catalog.sources, (source) =>
    source.name === renames.source ? renameInSource(renames, analyzed, source) : renameInOtherSource(renames, source),
  );
  const remoteSchemas = mapItems(catalog.remote_schemas, (schema) => renameInRemoteSchema(renames, schema));
  const customTypes = renameInCustomTypes(renames, catalog.custom_types);
  return set(set(set(catalog, "sources", sources), "remote_schemas", remoteSchemas), "custom_types", customTypes);
}

function renameInSource(renames: Renames, analyzed: AnalyzedSource, source: Source): Source {
  const tables = mapItems(source.tables, (table) => renameInTable(renames, analyzed, table));
  const functions = mapItems(source.functions, (tracked) => renameInFunction(renames, tracked));
  const queries = mapItems(source.native_queries, (query) => renameInNativeQuery(renames, analyzed, query));
  const models = mapItems(source.logical_models, (model) => renameInModel(renames, analyzed, model));
  const withTables = set(set(source, "tables", tables), "functions", functions);
  return set(set(withTables, "native_queries", queries), "logical_models", models);
}

/** Renames a tracked function and the table whose rows it returns. */
function renameInFunction(renames: Renames, tracked: TrackedFunction): TrackedFunction {
  const renamed = set(tracked, "function", renames.function(tracked.function));
  const { configuration } = renamed;
  const { response } = configuration ?? {};
  if (configuration === undefined || response?.table === undefined) return renamed;
  const table = renames.rewriteTable(response.table);
  return table === response.table
    ? renamed
    : set(renamed, "configuration", { ...configuration, response: { ...response, table } });
}

/** Renames in another source, where only remote relationships can refer to the changed source. */
function renameInOtherSource(renames: Renames, source: Source): Source {
  const tables = mapItems(source.tables, (table) => {
    const relationships = mapItems(table.remote_relationships, (each) =>
      set(each, "definition", renameInRemoteRelationship(renames, undefined, each.definition)),
    );
    return set(table, "remote_relationships", relationships);
  });
  return set(source, "tables", tables);
}

function renameInRemoteSchema(renames: Renames, schema: RemoteSchema): RemoteSchema {
  const types = mapItems(schema.remote_relationships, (type) => {
    const relationships = mapItems(type.relationships, (each) =>
      set(each, "definition", renameInRemoteRelationship(renames, undefined, each.definition)),
    );
    return set(type, "relationships", relationships);
  });
  return set(schema, "remote_relationships", types);
}

// ---------------------------------------------------------------- native objects

/** Renames in a native query: its relationships lead to tables, and an inline model has permissions. */
function renameInNativeQuery(renames: Renames, analyzed: AnalyzedSource, query: NativeQuery): NativeQuery {
  const follow = (relationships: NativeQuery["object_relationships"]) =>
    mapItems(relationships, (each) => set(each, "using", renameInManualConfiguration(renames, undefined, each.using)));
  const { returns, object_relationships, array_relationships } = query;
  const withModel =
    typeof returns === "string" ? query : set(query, "returns", renameInModel(renames, analyzed, returns));
  const withObjects = set(withModel, "object_relationships", follow(object_relationships));
  return set(withObjects, "array_relationships", follow(array_relationships));
}

/** Renames in the row filters of a logical model, where names are fields of the model except in `_exists`. */
function renameInModel<M extends InlineModel>(renames: Renames, analyzed: AnalyzedSource, model: M): M {
  const { names, defaultSchema } = renames;
  const scope = { names, analyzed, defaultSchema, root: undefined, row: undefined };
  const permissions = mapItems(model.select_permissions, (entry) => {
    const { permission } = entry;
    return set(entry, "permission", set(permission, "filter", renameInExpression(scope, permission.filter)));
  });
  return set(model, "select_permissions", permissions);
}

// ---------------------------------------------------------------- output types of actions

function renameInCustomTypes(renames: Renames, types: CustomTypes): CustomTypes {
  const objects = mapItems(types.objects, (type) => {
    const local = mapItems(type.relationships, (each) => renameInTypeRelationship(renames, each));
    const remote = mapItems(type.remote_relationships, (each) =>
      set(each, "definition", renameInRemoteRelationship(renames, undefined, each.definition)),
    );
    return set(set(type, "relationships", local), "remote_relationships", remote);
  });
  return set(types, "objects", objects);
}

function renameInTypeRelationship(renames: Renames, relationship: TypeRelationship): TypeRelationship {
  if (relationship.source !== renames.source) return relationship;
  const { remote_table, field_mapping } = relationship;
  const mapping = mapMembers(field_mapping, (field, column) => [field, renames.column(remote_table, column)]);
  return set(set(relationship, "field_mapping", mapping), "remote_table", renames.table(remote_table));
}
