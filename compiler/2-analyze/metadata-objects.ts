/** Builds metadata objects in the form of `get_inconsistent_metadata`. */
import type {
  ComputedField,
  EventTrigger,
  Json,
  JsonObject,
  LogicalModel,
  NativeQuery,
  Permission,
  PermissionKind,
  QualifiedName,
  Relationship,
  RemoteRelationship,
  SelectPermission,
  Source,
  StoredProcedure,
  TrackedFunction,
} from "../catalog/model.ts";
import type {
  Action,
  AgentTool,
  CronTrigger,
  CustomTypes,
  InheritedRole,
  OpenTelemetry,
  RemoteSchema,
  RestEndpoint,
} from "../catalog/outside-sources.ts";
import type { MetadataObject } from "./inconsistency.ts";
import type { ObjectId } from "./object-id.ts";

/** A table with its name in messages. */
export interface TableAddress {
  readonly source: string;
  readonly table: QualifiedName;
  readonly displayName: string;
}

export function sourceObject({ name }: Source): MetadataObject {
  return { id: { kind: "source", source: name }, type: "source", name: `source ${name}`, definition: name };
}

export function tableObject({ source, table, displayName }: TableAddress): MetadataObject {
  const id: ObjectId = { kind: "table", source, table };
  return { id, type: "table", name: `table ${displayName} in source ${source}`, definition: nameJson(table) };
}

export function relationshipObject(
  address: TableAddress,
  kind: "object" | "array",
  { name, using, comment }: Relationship<unknown>,
): MetadataObject {
  const type = kind === "object" ? "object_relation" : "array_relation";
  const definition = { name, using: json(using), comment: comment ?? null };
  return inTable(address, type, name, { kind: type, ...place(address), name }, definition);
}

export function permissionObject(
  address: TableAddress,
  kind: PermissionKind,
  permission: Permission<unknown>,
): MetadataObject {
  const { role, comment } = permission;
  const id: ObjectId = { kind: "permission", ...place(address), permission: kind, role };
  const definition = { role, permission: permissionJson(kind, permission.permission), comment: comment ?? null };
  return inTable(address, `${kind}_permission`, role, id, definition);
}

export function computedFieldObject(address: TableAddress, field: ComputedField): MetadataObject {
  const { name, definition, comment } = field;
  const id: ObjectId = { kind: "computed_field", ...place(address), name };
  return inTable(address, "computed_field", name, id, { name, definition: json(definition), comment: comment ?? null });
}

export function eventTriggerObject(address: TableAddress, trigger: EventTrigger): MetadataObject {
  const { name } = trigger;
  const id: ObjectId = { kind: "event_trigger", ...place(address), name };
  const object = inTable(address, "event_trigger", name, id, {});
  return { ...object, definition: { table: nameJson(address.table), configuration: json(trigger) } };
}

export function functionObject(source: string, tracked: TrackedFunction, displayName: string): MetadataObject {
  const id: ObjectId = { kind: "function", source, function: tracked.function };
  const name = `function ${displayName} in source ${source}`;
  return { id, type: "function", name, definition: nameJson(tracked.function) };
}

export function remoteRelationshipObject(address: TableAddress, remote: RemoteRelationship): MetadataObject {
  const { name, definition } = remote;
  const id: ObjectId = { kind: "remote_relationship", ...place(address), name };
  return inTable(address, "remote_relationship", name, id, { name, definition });
}

// ---------------------------------------------------------------- native objects

export function logicalModelObject(source: string, model: LogicalModel): MetadataObject {
  const { name } = model;
  const id: ObjectId = { kind: "logical_model", source, name };
  return { id, type: "logical_model", name: `logical_model ${name} in source ${source}`, definition: json(model) };
}

export function nativeQueryObject(source: string, query: NativeQuery): MetadataObject {
  const { root_field_name: name } = query;
  const id: ObjectId = { kind: "native_query", source, name };
  return { id, type: "native_query", name: `native_query ${name} in source ${source}`, definition: json(query) };
}

/** @param displayName name of the procedure in messages */
export function storedProcedureObject(source: string, procedure: StoredProcedure, displayName: string): MetadataObject {
  const id: ObjectId = { kind: "stored_procedure", source, name: displayName };
  const name = `stored_procedure ${displayName} in source ${source}`;
  return { id, type: "stored_procedure", name, definition: json(procedure) };
}

/** A logical model, or the inline model of one native query. */
export interface ModelAddress {
  readonly source: string;
  readonly of: "logical_model" | "native_query";
  readonly name: string;
}

export function modelPermissionObject(
  { source, of, name }: ModelAddress,
  permission: Permission<SelectPermission>,
): MetadataObject {
  const { role, comment } = permission;
  return {
    id: { kind: "model_permission", source, of, name, role },
    type: "select_permission",
    name: `select_permission ${role} in ${of} ${name} in source ${source}`,
    definition: { role, permission: permissionJson("select", permission.permission), comment: comment ?? null, source },
  };
}

// ---------------------------------------------------------------- outside sources

export function remoteSchemaObject(schema: RemoteSchema): MetadataObject {
  const { name, definition, comment, permissions, remote_relationships } = schema;
  return {
    id: { kind: "remote_schema", name },
    type: "remote_schema",
    name: `remote_schema ${name}`,
    definition: {
      name,
      definition: json(definition),
      comment: comment ?? null,
      permissions: json(permissions),
      remote_relationships: json(remote_relationships),
    },
  };
}

export function remoteSchemaPermissionObject(schema: string, role: string, document: string): MetadataObject {
  return {
    id: { kind: "remote_schema_permission", name: schema, role },
    type: "remote_schema_permission",
    name: `remote_schema_permission ${role} permission in remote schema ${schema}`,
    definition: { remote_schema: schema, role, definition: { schema: document } },
  };
}

export function remoteSchemaRelationshipObject(
  schema: string,
  type: string,
  { name, definition }: RemoteRelationship,
): MetadataObject {
  return {
    id: { kind: "remote_schema_relationship", name: schema, type, relationship: name },
    type: "remote_schema_remote_relationship",
    name: `remote_schema_remote_relationship remote_relationship ${name} on type ${type} in remote schema ${schema}`,
    definition: { remote_schema: schema, type_name: type, name, definition },
  };
}

export function customTypesObject(types: CustomTypes): MetadataObject {
  return {
    id: { kind: "custom_types" },
    type: "custom_types",
    name: "custom_types custom_types",
    definition: json(types),
  };
}

export function actionObject({ name, definition, comment }: Action): MetadataObject {
  return {
    id: { kind: "action", name },
    type: "action",
    name: `action ${name}`,
    definition: { name, definition: json(definition), comment: comment ?? null },
  };
}

export function cronTriggerObject(trigger: CronTrigger): MetadataObject {
  const { name } = trigger;
  return {
    id: { kind: "cron_trigger", name },
    type: "cron_trigger",
    name: `cron_trigger ${name}`,
    definition: json(trigger),
  };
}

export function collectionQueryObject(
  collection: string,
  { name, query }: { readonly name: string; readonly query: string },
): MetadataObject {
  return {
    id: { kind: "collection_query", collection, query: name },
    type: "query_collections",
    name: `query_collections ${name} in ${collection}`,
    definition: { name, query },
  };
}

export type TelemetryPart = Extract<ObjectId, { readonly kind: "open_telemetry" }>["part"];

export function openTelemetryObject(part: TelemetryPart, telemetry: OpenTelemetry): MetadataObject {
  const definition = part === "all" ? telemetry : (telemetry[part] ?? {});
  return {
    id: { kind: "open_telemetry", part },
    type: "open_telemetry",
    name: `open_telemetry ${part}`,
    definition: json(definition),
  };
}

export function inheritedRoleObject({ role_name, role_set }: InheritedRole): MetadataObject {
  return {
    id: { kind: "inherited_role", role: role_name },
    type: "inherited_role",
    name: `inherited_role inherited role ${role_name}`,
    definition: { role_name, role_set },
  };
}

export function restEndpointObject(endpoint: RestEndpoint): MetadataObject {
  const { name, url, methods, definition, comment } = endpoint;
  return {
    id: { kind: "rest_endpoint", name },
    type: "rest_endpoint",
    name: `rest_endpoint ${name}`,
    definition: { name, url, methods, definition: json(definition), comment: comment ?? null },
  };
}

export function agentToolObject(tool: AgentTool): MetadataObject {
  const { name, definition } = tool;
  return {
    id: { kind: "agent_tool", name },
    type: "agent_tool",
    name: `agent_tool ${name}`,
    definition: { name, definition: json(definition) },
  };
}

function inTable(
  address: TableAddress,
  type: string,
  name: string,
  id: ObjectId,
  definition: JsonObject,
): MetadataObject {
  const { source, table, displayName } = address;
  return {
    id,
    type,
    name: `${type} ${name} in table ${displayName} in source ${source}`,
    definition: { ...definition, source, table: nameJson(table) },
  };
}

function place({ source, table }: TableAddress): Pick<TableAddress, "source" | "table"> {
  return { source, table };
}

function nameJson({ schema, name }: QualifiedName): JsonObject {
  return { schema, name };
}

/** Returns the permission with its defaults filled in. */
function permissionJson(kind: PermissionKind, permission: unknown): Json {
  const given = json(permission) as JsonObject;
  switch (kind) {
    case "select": {
      const { computed_fields = [], allow_aggregations = false } = permission as SelectPermission;
      return { ...given, computed_fields, allow_aggregations };
    }
    case "insert":
    case "update":
    case "delete":
      return { backend_only: false, ...given };
  }
}

/** Casts catalog values to JSON, because their interface types are not assignable to it. */
function json(value: unknown): Json {
  return value as Json;
}
