/** Locates metadata objects in the document of the catalog. */
import type { Catalog } from "../catalog/catalog.ts";
import type { QualifiedName, Source, Table } from "../catalog/model.ts";
import type { ObjectId } from "./object-id.ts";

/** Returns the path of the object, or of its nearest ancestor that exists. Lists are in the order of the document. */
export function objectPath(catalog: Catalog, id: ObjectId): string {
  switch (id.kind) {
    case "rest_endpoint":
      return inList("$.rest_endpoints", catalog.rest_endpoints, ({ name }) => name === id.name);
    case "agent_tool":
      return inList("$.agent_tools", catalog.agent_tools, ({ name }) => name === id.name);
    case "inherited_role":
      return inList("$.inherited_roles", catalog.inherited_roles, ({ role_name }) => role_name === id.role);
    case "collection_query":
      return inList("$.query_collections", catalog.query_collections, ({ name }) => name === id.collection);
    case "action":
    case "action_permission":
      return inList("$.actions", catalog.actions, ({ name }) => name === id.name);
    case "remote_schema":
    case "remote_schema_permission":
    case "remote_schema_relationship":
      return inList("$.remote_schemas", catalog.remote_schemas, ({ name }) => name === id.name);
    case "cron_trigger":
      return inList("$.cron_triggers", catalog.cron_triggers, ({ name }) => name === id.name);
    case "custom_types":
      return "$.custom_types";
    case "open_telemetry":
      return "$.opentelemetry";
    default:
      return inSource(catalog, id);
  }
}

type SourceObjectId = Extract<ObjectId, { readonly source: string }>;

function inSource(catalog: Catalog, id: SourceObjectId): string {
  const path = inList("$.sources", catalog.sources, ({ name }) => name === id.source);
  const source = catalog.sources.find(({ name }) => name === id.source);
  if (source === undefined || id.kind === "source") return path;
  if ("function" in id) {
    return inList(`${path}.functions`, source.functions, (tracked) => sameName(tracked.function, id.function));
  }
  return "table" in id ? inTable(path, source, id) : path;
}

function inTable(
  sourcePath: string,
  source: Source,
  id: Extract<SourceObjectId, { readonly table: QualifiedName }>,
): string {
  const path = inList(`${sourcePath}.tables`, source.tables, ({ table }) => sameName(table, id.table));
  const table = source.tables.find((table) => sameName(table.table, id.table));
  if (table === undefined) return path;
  if (id.kind === "permission") {
    const list = `${id.permission}_permissions` as const;
    const permissions: readonly { readonly role: string }[] = table[list];
    return inList(`${path}.${list}`, permissions, ({ role }) => role === id.role);
  }
  const list = id.kind in namedLists ? namedLists[id.kind as keyof typeof namedLists] : undefined;
  if (list === undefined || !("name" in id)) return path;
  const items: readonly { readonly name: string }[] = table[list];
  return inList(`${path}.${list}`, items, ({ name }) => name === id.name);
}

const namedLists = {
  object_relation: "object_relationships",
  array_relation: "array_relationships",
  computed_field: "computed_fields",
  remote_relationship: "remote_relationships",
  event_trigger: "event_triggers",
} as const satisfies Partial<Record<ObjectId["kind"], keyof Table>>;

function inList<T>(path: string, items: readonly T[], matches: (item: T) => boolean): string {
  const index = items.findIndex(matches);
  return index < 0 ? path : `${path}[${index}]`;
}

const sameName = (a: QualifiedName, b: QualifiedName): boolean => a.schema === b.schema && a.name === b.name;
