/**
 * The parts of the Analysis behind remote relationships that a role may follow from rows of tables, objects of remote
 * schemas and results of actions. A relationship is left out if the role cannot query its target directly.
 */
import type { RemoteBatch } from "../../runtime/model/definitions/remote-relationship.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import type {
  Analysis,
  AnalyzedRemoteRelationship,
  AnalyzedRemoteSchema,
  AnalyzedSource,
  RemoteRoleShape,
} from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { Conflict, remotePermission } from "../2-analyze/inherited-permissions.ts";
import { objectKey } from "../2-analyze/object-id.ts";
import { includesKey } from "../2-analyze/relationships.ts";
import { resolveRemoteRelationship } from "../2-analyze/rules/remote-relationships.ts";
import type { JsonObject, SourceKind } from "../catalog/model.ts";
import type { ObjectType } from "../catalog/outside-sources.ts";
import { namedRemoteType } from "../shape/remote-shape.ts";
import type { TypeRef } from "../shape/shape.ts";
import { adminRole } from "./admin-role.ts";
import type { TableRef } from "./ir.ts";
import { isReadable } from "./relationship-inputs.ts";
import { refTo } from "./table-names.ts";

export type RemoteRelationshipParts = RemoteRoots & Pick<Analysis, "sources" | "remoteRelationships">;

export interface RemoteRelationshipInputs {
  readonly name: string;
  readonly to: ToSourceInputs | ToRemoteSchemaInputs;
}

export interface ToSourceInputs {
  readonly kind: "source";
  readonly relationship: "object" | "array";
  readonly target: TableRef;
  readonly targetKind: SourceKind;
  readonly columns: readonly { readonly key: JoinKeyInputs; readonly column: string; readonly type: TypeRef }[];
  /** True if at most one row matches. */
  readonly unique: boolean;
  readonly aggregations: boolean;
}

export interface ToRemoteSchemaInputs {
  readonly kind: "remote_schema";
  readonly remote: string;
  /** True if the role has its own module for the remote schema. */
  readonly isOwn: boolean;
  readonly keys: readonly JoinKeyInputs[];
  readonly path: readonly { readonly field: string; readonly arguments: JsonObject }[];
  readonly batch?: RemoteBatch;
}

/** A join key of the left side; `value` is set for tables. */
export interface JoinKeyInputs {
  readonly name: string;
  readonly value?:
    | {
        readonly kind: "column";
        /** The GraphQL name; `null` if the column is not in the schema. */
        readonly field: string | null;
        readonly type: TypeRef;
      }
    | { readonly kind: "computed" };
}

/** Returns the remote relationships of a table that the role may read. */
export function remoteRelationshipsOfTable(
  parts: RemoteRelationshipParts,
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): readonly RemoteRelationshipInputs[] {
  if (table.remoteRelationships.size === 0) return [];
  const owner = { source: source.name, table: table.table.table };
  const keyOf = (name: string): JoinKeyInputs => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined) return { name, value: { kind: "computed" } };
    return { name, value: { kind: "column", field: column.field, type: column.shape.type } };
  };
  return [...table.remoteRelationships.keys()].flatMap((name) => {
    const analyzed = parts.remoteRelationships.get(objectKey({ kind: "remote_relationship", ...owner, name }));
    return analyzed ? inputsOf(parts, name, analyzed, keyOf, role) : [];
  });
}

/** Returns the remote relationships of a remote schema, by the upstream names of their types. */
export function remoteRelationshipsOfSchema(
  parts: RemoteRelationshipParts,
  remote: AnalyzedRemoteSchema,
  role: string,
): readonly { readonly type: string; readonly relationships: readonly RemoteRelationshipInputs[] }[] {
  const all = relationshipsOf(parts, remote);
  return [...new Set(all.map(({ type }) => type))].flatMap((type) => {
    const own = all.filter((each) => each.type === type);
    const relationships = own.flatMap(({ name, to }) => inputsOf(parts, name, to, (key) => ({ name: key }), role));
    return relationships.length > 0 ? [{ type, relationships }] : [];
  });
}

/** Returns the remote relationships of an output type of actions. */
export function remoteRelationshipsOfOutput(
  parts: RemoteRelationshipParts,
  { name, fields, remote_relationships }: ObjectType,
  role: string,
): readonly RemoteRelationshipInputs[] {
  const left = { name, fields: new Map(fields.map((field) => [field.name, {}] as const)) };
  return remote_relationships.flatMap(({ name: relationship, definition }) => {
    const resolved = resolveRemoteRelationship(parts, left, { kind: "custom_types" }, definition);
    return inputsOf(parts, relationship, resolved.relationship, (key) => ({ name: key }), role);
  });
}

/** Returns true if a role has its own module for a remote schema: it sees a part of it, or has relationships from it. */
export function hasOwnModule(
  parts: RemoteRelationshipParts,
  remote: AnalyzedRemoteSchema,
  role: string | null,
): boolean {
  if (role === null) return false;
  const access = remoteAccess(remote, role, parts);
  if (access === undefined) return false;
  return access !== "all" || relationshipsOf(parts, remote).some(({ to }) => isVisible(parts, to, role));
}

interface SchemaRelationship {
  readonly type: string;
  readonly name: string;
  readonly to: AnalyzedRemoteRelationship;
}

/** Returns the consistent relationships of a remote schema. */
function relationshipsOf(
  { remoteRelationships }: RemoteRelationshipParts,
  { schema }: AnalyzedRemoteSchema,
): readonly SchemaRelationship[] {
  return schema.remote_relationships.flatMap(({ type_name: type, relationships }) =>
    relationships.flatMap(({ name }) => {
      const id = { kind: "remote_schema_relationship", name: schema.name, type, relationship: name } as const;
      const to = remoteRelationships.get(objectKey(id));
      return to ? [{ type, name, to }] : [];
    }),
  );
}

/** Returns true if a role can query the target of a relationship directly. */
function isVisible(parts: RemoteRelationshipParts, to: AnalyzedRemoteRelationship, role: string): boolean {
  if (to.kind === "source") return readableTarget(parts, to, role) !== undefined;
  const remote = parts.remoteSchemas.get(to.remoteSchema);
  return remote !== undefined && canSelect(parts, remote, [...stepsOf(to.remoteField)], role);
}

function inputsOf(
  parts: RemoteRelationshipParts,
  name: string,
  analyzed: AnalyzedRemoteRelationship,
  keyOf: (name: string) => JoinKeyInputs,
  role: string,
): readonly RemoteRelationshipInputs[] {
  const to =
    analyzed.kind === "source" ? toSource(parts, analyzed, keyOf, role) : toRemoteSchema(parts, analyzed, keyOf, role);
  return to ? [{ name, to }] : [];
}

type ToAnalyzedSource = Extract<AnalyzedRemoteRelationship, { kind: "source" }>;

/** Returns the target table of a relationship if the role may read it. */
function readableTarget(
  { sources }: RemoteRelationshipParts,
  { source: name, table }: ToAnalyzedSource,
  role: string,
): { readonly source: AnalyzedSource; readonly target: AnalyzedTable } | undefined {
  const source = sources.get(name);
  const target = source?.tables.get(table);
  if (!source || !target || target.graphqlName === null) return undefined;
  return isReadable(source, target.table.table, role) ? { source, target } : undefined;
}

function toSource(
  parts: RemoteRelationshipParts,
  to: ToAnalyzedSource,
  keyOf: (name: string) => JoinKeyInputs,
  role: string,
): ToSourceInputs | undefined {
  const readable = readableTarget(parts, to, role);
  if (readable === undefined) return undefined;
  const { source, target } = readable;
  const { source: name, relationship, mapping } = to;
  const columns = mapping.flatMap(({ field, column }) => {
    const type = target.columns.find((each) => each.name === column)?.shape.type;
    return type ? [{ key: keyOf(field), column, type }] : [];
  });
  const joined = mapping.map(({ column }) => column);
  return {
    kind: "source",
    relationship,
    target: refTo(name, target.table.table),
    targetKind: source.source.kind,
    columns,
    unique: includesKey(target.shape, joined),
    aggregations: role === adminRole || target.select.get(role)?.aggregations === true,
  };
}

function toRemoteSchema(
  parts: RemoteRelationshipParts,
  { remoteSchema, fields, remoteField, batch }: Extract<AnalyzedRemoteRelationship, { kind: "remote_schema" }>,
  keyOf: (name: string) => JoinKeyInputs,
  role: string,
): ToRemoteSchemaInputs | undefined {
  const remote = parts.remoteSchemas.get(remoteSchema);
  const path = [...stepsOf(remoteField)];
  if (remote === undefined || !canSelect(parts, remote, path, role)) return undefined;
  if (batch?.entity !== undefined && !hasType(parts, remote, batch.entity, role)) return undefined;
  return {
    kind: "remote_schema",
    remote: remoteSchema,
    isOwn: hasOwnModule(parts, remote, role),
    keys: fields.map(keyOf),
    path,
    ...(batch && { batch }),
  };
}

/** Yields the fields of a path such as `{"user": {"arguments": {…}, "field": {…}}}`, outermost first. */
function* stepsOf(remoteField: JsonObject): Iterable<ToRemoteSchemaInputs["path"][number]> {
  for (const [field, step] of Object.entries(remoteField)) {
    if (!isObject(step)) continue;
    yield { field, arguments: isObject(step.arguments) ? step.arguments : {} };
    if (isObject(step.field)) yield* stepsOf(step.field);
  }
}

function hasType(parts: RemoteRelationshipParts, remote: AnalyzedRemoteSchema, name: string, role: string): boolean {
  const access = remoteAccess(remote, role, parts);
  return access === "all" || access?.types.has(name) === true;
}

/** Returns true if the role has every field of the path, with its arguments visible or preset. */
function canSelect(
  parts: RemoteRelationshipParts,
  remote: AnalyzedRemoteSchema,
  path: ToRemoteSchemaInputs["path"],
  role: string,
): boolean {
  const access = remoteAccess(remote, role, parts);
  if (access === undefined || remote.shape === undefined) return false;
  if (access === "all") return true;
  let type = access.query;
  return path.every(({ field: name, arguments: args }) => {
    const owner = access.types.get(type);
    const field = owner && "fields" in owner ? owner.fields.find((each) => each.name === name) : undefined;
    if (field === undefined || !("arguments" in field)) return false;
    const preset = access.presets.flatMap((each) =>
      each.type === type && each.field === name && each.argument !== undefined ? [each.argument] : [],
    );
    const known = new Set([...field.arguments.map((argument) => argument.name), ...preset]);
    type = namedRemoteType(field.type);
    return Object.keys(args).every((argument) => known.has(argument));
  });
}

// Access of roles to remote schemas.

/** `"all"`: the complete schema of the server. */
type RemoteAccess = RemoteRoleShape | "all";

type RemoteRoots = Pick<Analysis, "remoteSchemas" | "inheritedRoles" | "inheritedClashes" | "options">;

/** Returns the part of a remote schema that a role sees; `undefined` if none, or before it is introspected. */
export function remoteAccess(
  remote: AnalyzedRemoteSchema,
  role: string | null,
  { inheritedRoles, inheritedClashes, options }: Omit<RemoteRoots, "remoteSchemas">,
): RemoteAccess | undefined {
  if (remote.shape === undefined) return undefined;
  if (!options.remoteSchemaPermissions || role === adminRole) return "all";
  if (role === null || inheritedClashes.get(role)?.has(remote.schema.name)) return undefined;
  const permission = remotePermission(remote, role, inheritedRoles);
  return permission instanceof Conflict ? undefined : permission?.shape;
}
