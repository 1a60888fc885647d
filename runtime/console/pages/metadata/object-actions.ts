/** Pages and repairs of inconsistent objects: reload, track what they lack, delete. */
import type { MetadataObjectId, QualifiedName } from "../../http/metadata-types.ts";
import { type Operation, prefixOf } from "../../http/operation.ts";
import { sourceNamed, tableNamed } from "../../state/metadata.ts";

export interface ObjectPage {
  readonly to: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
}

/** Returns the page of an object; `null` if it has none. */
export function pageOf(object: MetadataObjectId): ObjectPage | null {
  const { kind, source = "", table, name = "", role = "" } = object;
  switch (kind) {
    case "source":
      return { to: ["data", source] };
    case "permission":
      return table ? { to: ["permissions", source, table.schema, table.name, role] } : null;
    case "event_trigger":
      return { to: ["automation", "event", source, name] };
    case "function":
    case "function_permission":
      return { to: ["data", source, "functions"] };
    case "remote_schema":
    case "remote_schema_permission":
    case "remote_schema_relationship":
      return { to: ["automation", "remote-schema", name] };
    case "action":
    case "action_permission":
      return { to: ["automation", "action", name] };
    case "custom_types":
      return { to: ["automation", "custom-types"] };
    case "cron_trigger":
      return { to: ["automation", "cron", name] };
    case "agent_tool":
      return { to: ["assistants", "tools", name] };
    case "inherited_role":
      return { to: ["permissions"], query: { view: "inherited" } };
    case "rest_endpoint":
    case "collection_query":
      return { to: ["api"] };
    default:
      return table ? { to: ["data", source, table.schema, table.name] } : null;
  }
}

/** Returns the operation that introspects the object's database or remote schema again. */
export function reloadOf({ kind, source, name }: MetadataObjectId): Operation | null {
  if (kind === "source" && source !== undefined) return reload([source], []);
  return kind === "remote_schema" && name !== undefined ? reload([], [name]) : null;
}

const reload = (sources: readonly string[], remoteSchemas: readonly string[]): Operation => ({
  type: "reload_metadata",
  args: { reload_sources: sources, reload_remote_schemas: remoteSchemas },
});

export interface Tracking {
  readonly table: QualifiedName;
  readonly operation: Operation;
}

/** Returns the operations that track the untracked tables among the given objects. */
export const trackingOf = (lacks: readonly MetadataObjectId[]): readonly Tracking[] =>
  lacks.flatMap(({ kind, source, table }) => {
    if (kind !== "table" || source === undefined || !table || tableNamed(source, table.schema, table.name)) return [];
    return [{ table, operation: { type: `${prefixIn(source)}_track_table`, args: { source, table } } }];
  });

/**
 * Returns the operation that deletes an object and its dependents from the metadata; `null` if there is none for the
 * object alone.
 */
export function deletionOf(object: MetadataObjectId, dependents: readonly MetadataObjectId[]): Operation | null {
  const own = ownDeletion(object);
  return own && { type: "bulk", args: [...dependents.flatMap((each) => ownDeletion(each) ?? []), own] };
}

function ownDeletion(object: MetadataObjectId): Operation | null {
  const { kind, source = "", table, name = "", role = "", permission = "", function: called } = object;
  const prefixed = (type: string, args: object): Operation => ({
    type: `${prefixIn(source)}_${type}`,
    args: { source, ...args },
  });
  switch (kind) {
    case "source":
      return { type: `${prefixIn(source)}_drop_source`, args: { name: source, cascade: true } };
    case "table":
      return prefixed("untrack_table", { table, cascade: true });
    case "object_relation":
    case "array_relation":
      return prefixed("drop_relationship", { table, relationship: name, cascade: true });
    case "permission":
      return prefixed(`drop_${permission}_permission`, { table, role });
    case "computed_field":
      return prefixed("drop_computed_field", { table, name, cascade: true });
    case "remote_relationship":
      return prefixed("delete_remote_relationship", { table, name });
    case "event_trigger":
      return prefixed("delete_event_trigger", { name });
    case "function":
      return prefixed("untrack_function", { function: called });
    case "function_permission":
      return prefixed("drop_function_permission", { function: called, role });
    case "native_query":
      return prefixed("untrack_native_query", { root_field_name: name });
    case "logical_model":
      return prefixed("untrack_logical_model", { name });
    case "remote_schema":
      return { type: "remove_remote_schema", args: { name } };
    case "remote_schema_permission":
      return { type: "drop_remote_schema_permissions", args: { remote_schema: name, role } };
    case "action":
      return { type: "drop_action", args: { name } };
    case "action_permission":
      return { type: "drop_action_permission", args: { action: name, role } };
    case "cron_trigger":
      return { type: "delete_cron_trigger", args: { name } };
    case "agent_tool":
      return { type: "drop_agent_tool", args: { name } };
    case "rest_endpoint":
      return { type: "drop_rest_endpoint", args: { name } };
    case "inherited_role":
      return { type: "drop_inherited_role", args: { role_name: object.role } };
    default:
      return null;
  }
}

const prefixIn = (source: string): string => prefixOf(sourceNamed(source)?.kind ?? "postgres");
