/** Formats problems of metadata files: `file:line:column: what: message ($.path)`, followed by a hint, if any. */
import type { Inconsistency } from "../../compiler/2-analyze/inconsistency.ts";
import type { ObjectId } from "../../compiler/2-analyze/object-id.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { QualifiedName, Source, Table } from "../../compiler/catalog/model.ts";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts";
import { verboseFlag } from "./project/choices.ts";

/** A diagnostic of this program or of a server. */
type LocatedDiagnostic = Pick<Diagnostic, "path" | "message" | "hint"> & { readonly code: string };

/** Returns `file:line:column` of a JSONPath; the path itself if its location is unknown. */
export type Place = (path: string) => string;

export function diagnosticText({ code, path, message, hint }: LocatedDiagnostic, place: Place): string {
  return problemText({ at: place(path), what: code, message, path, hint });
}

export function inconsistencyText({ id, name, reason, hint }: Inconsistency, catalog: Catalog, place: Place): string {
  const path = objectPath(catalog, id);
  return problemText({ at: place(path), what: `inconsistent ${name}`, message: reason, path, hint });
}

interface Problem {
  readonly at: string;
  readonly what: string;
  readonly message: string;
  readonly path: string;
  readonly hint: string | undefined;
}

function problemText({ at, what, message, path, hint }: Problem): string {
  const line = `${at}: ${what}: ${message}${at === path ? "" : ` (${path})`}`;
  return hint === undefined ? line : `${line} – ${hint}`;
}

/** Maximum number of dependents of one cause that are listed. If there are more, only their number is shown. */
const maxDependents = 3;

/**
 * Replaces the lines of a cause's dependents with their number if there are many, unless the command runs with
 * `--verbose`.
 * @param causes for each line, the name of the inconsistent object that causes it, if any; dependents follow their cause
 */
export function foldedByCause(lines: readonly string[], causes: readonly (string | undefined)[]): readonly string[] {
  if (process.argv.includes(verboseFlag)) return lines;
  const counts = new Map<string, number>();
  for (const cause of causes) if (cause !== undefined) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const folded = new Set<string>();
  return lines.flatMap((line, index) => {
    const cause = causes[index];
    const count = cause === undefined ? 0 : (counts.get(cause) ?? 0);
    if (cause === undefined || count <= maxDependents) return [line];
    if (folded.has(cause)) return [];
    folded.add(cause);
    return [`${count} objects are inconsistent because of ${cause} (${verboseFlag} lists them)`];
  });
}

/** Returns the path of the object, or of its nearest ancestor that exists. Lists are in the order of the document. */
function objectPath(catalog: Catalog, id: ObjectId): string {
  switch (id.kind) {
    case "rest_endpoint":
      return inList("$.rest_endpoints", catalog.rest_endpoints, ({ name }) => name === id.name);
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
