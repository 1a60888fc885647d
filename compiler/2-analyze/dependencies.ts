/**
 * Dependencies between metadata objects: the dependents that are dropped with an object, the error if dependents prevent
 * a drop, and the names of objects in messages. Input: an analysis and identities; output: identities and texts.
 */
import { assertNever } from "../../runtime/values/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { printName, sourceKinds } from "../catalog/schema/names.ts";
import type { Analysis } from "./analysis.ts";
import { type ObjectId, objectKey } from "./object-id.ts";

/**
 * Returns all direct and indirect dependents of the objects, without the objects themselves, sorted by their name in
 * messages. Objects that a table owns depend on it.
 */
export function dependentsOf({ catalog, dependencies }: Analysis, ids: readonly ObjectId[]): ObjectId[] {
  const gone = new Set(ids.map(objectKey));
  const found: ObjectId[] = [];
  // Appends dependents to the iterated list, so that their own dependents are also visited.
  const queue = [...ids];
  for (const id of queue) {
    const key = objectKey(id);
    for (const needed of dependencies.naming(id)) {
      const object = needed.find(({ on }) => objectKey(on) === key)?.object;
      if (object === undefined || gone.has(objectKey(object))) continue;
      gone.add(objectKey(object));
      found.push(object);
      queue.push(object);
    }
  }
  return sortedByText(found, catalog);
}

/**
 * Returns the objects with a static value that depends on the type of this column, sorted by their name in messages.
 */
export function dependentsOnType({ catalog, dependencies }: Analysis, column: ObjectId): ObjectId[] {
  const key = objectKey(column);
  const found: ObjectId[] = [];
  for (const needed of dependencies.naming(column)) {
    const match = needed.find(({ on, onType }) => onType === true && objectKey(on) === key);
    if (match !== undefined) found.push(match.object);
  }
  return sortedByText(found, catalog);
}

/** Returns the error for an operation that would drop objects on which these objects depend. */
export function cannotDropMessage(ids: readonly ObjectId[], catalog: Catalog): string {
  const texts = sortedByText(ids, catalog).map((id) => describeObject(id, catalog));
  return `cannot drop due to the following dependent objects: ${texts.join(", ")}`;
}

function sortedByText(ids: readonly ObjectId[], catalog: Catalog): ObjectId[] {
  return ids
    .map((id) => ({ id, text: describeObject(id, catalog) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ id }) => id);
}

/** Returns the name of an object in messages: `permission article.user.select in source "default"`. */
export function describeObject(id: ObjectId, catalog: Catalog): string {
  if (!("source" in id)) return describeGlobal(id);
  if (id.kind === "source") return `source ${id.source}`;
  return `${describeInSource(id, defaultSchemaOf(id.source, catalog))} in source "${id.source}"`;
}

/** Returns the schema whose name is left out of messages. */
function defaultSchemaOf(name: string, { sources }: Catalog): string | undefined {
  const source = sources.find((each) => each.name === name);
  return source === undefined ? undefined : sourceKinds[source.kind].defaultSchema;
}

type InSource = Exclude<Extract<ObjectId, { readonly source: string }>, { readonly kind: "source" }>;

function describeInSource(id: InSource, defaultSchema: string | undefined): string {
  const print = (name: QualifiedName): string => printName(name, defaultSchema ?? "");
  switch (id.kind) {
    case "table":
      return `table ${print(id.table)}`;
    case "column":
      return `column ${print(id.table)}.${id.column}`;
    case "foreign_key":
      return `constraint ${print(id.table)}.${id.constraint}`;
    case "object_relation":
    case "array_relation":
      return `relationship ${print(id.table)}.${id.name}`;
    case "permission":
      return `permission ${print(id.table)}.${id.role}.${id.permission}`;
    case "computed_field":
      return `computed field ${print(id.table)}.${id.name}`;
    case "remote_relationship":
      return `remote relationship ${print(id.table)}.${id.name}`;
    case "event_trigger":
      return `event-trigger ${print(id.table)}.${id.name}`;
    case "function":
      return `function ${print(id.function)}`;
    case "function_permission":
      return `permission ${print(id.function)}.${id.role}`;
    case "native_query":
      return `native query ${id.name}`;
    case "logical_model":
      return `logical model ${id.name}`;
    case "stored_procedure":
      return `stored procedure ${id.name}`;
    case "model_permission":
      return `permission ${id.name}.${id.role}.select`;
    default:
      return assertNever(id);
  }
}

function describeGlobal(id: Exclude<ObjectId, { readonly source: string }>): string {
  switch (id.kind) {
    case "remote_schema":
      return `remote schema ${id.name}`;
    case "remote_schema_permission":
      return `remote schema permission ${id.name}.${JSON.stringify(id.role)}`;
    case "remote_schema_relationship":
      return `remote_relationship ${id.relationship} on type ${id.type} in remote schema ${id.name}`;
    case "action":
      return `action ${id.name}`;
    case "action_permission":
      return `action permission ${id.name}.${id.role}`;
    case "custom_types":
      return "custom types";
    case "cron_trigger":
      return `cron trigger ${id.name}`;
    case "rest_endpoint":
      return `rest endpoint ${id.name}`;
    case "agent_tool":
      return `tool for assistants ${id.name}`;
    case "collection_query":
      return `query ${id.query} in collection ${id.collection}`;
    case "inherited_role":
      return `role ${id.role}`;
    case "open_telemetry":
      return `open telemetry ${id.part}`;
    default:
      return assertNever(id);
  }
}
