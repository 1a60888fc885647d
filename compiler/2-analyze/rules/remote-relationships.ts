/**
 * Relationships that leave their source (`metadata-api.md` 2.4): what they start from and lead to is there. Of a remote
 * schema only its name is known, so its fields and arguments are taken as the metadata says.
 */
import type { Json, JsonObject, QualifiedName } from "../../catalog/model.ts";
import { printName, tableName } from "../../catalog/schema/names.ts";
import { dialectOf } from "../../dialects/index.ts";
import { type AnalyzedRemoteRelationship, type AnalyzedSource, type AnalyzedTable, qualifiedKey } from "../analysis.ts";
import { isObject } from "../json-values.ts";
import type { ObjectId } from "../object-id.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** What a remote relationship can lead to. */
export interface RemoteTargets {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly remoteSchemas: ReadonlyMap<string, unknown>;
}

/** What a remote relationship starts from. */
export interface LeftSide {
  /** As messages print it. */
  readonly name: string;
  /** Fields that can be joined on, and what each of them is; `undefined` where they are not known. */
  readonly fields: ReadonlyMap<string, ObjectId | undefined> | undefined;
}

export interface ResolvedRemote {
  readonly relationship: AnalyzedRemoteRelationship;
  readonly dependsOn: readonly ObjectId[];
}

/** The members of the definition's three forms; the schema of metadata lets no other combination through. */
interface Definition {
  readonly to_source?: {
    readonly relationship_type: "object" | "array";
    readonly source: string;
    readonly table: Json;
    readonly field_mapping: Readonly<Record<string, string>>;
  };
  readonly to_remote_schema?: {
    readonly remote_schema: string;
    readonly lhs_fields: readonly string[];
    readonly remote_field: JsonObject;
  };
  readonly remote_schema?: string;
  readonly engine_fields?: readonly string[];
  readonly remote_field?: JsonObject;
}

/** @throws Rejection */
export function resolveRemoteRelationship(
  targets: RemoteTargets,
  left: LeftSide,
  id: ObjectId,
  definition: JsonObject,
): ResolvedRemote {
  const form: Definition = definition;
  if (form.to_source !== undefined) return toSource(targets, left, id, form.to_source);
  if (form.to_remote_schema !== undefined) return toRemoteSchema(targets, left, id, form.to_remote_schema);
  const { remote_schema = "", engine_fields = [], remote_field = {} } = form;
  return toRemoteSchema(targets, left, id, { remote_schema, lhs_fields: engine_fields, remote_field });
}

/** Any column, and scalar computed fields that need nothing but their row. */
export function joinFieldsOf({ source, table, columns, computedFields, displayName }: AnalyzedTable): LeftSide {
  const fields = new Map<string, ObjectId>();
  const own = { source, table: table.table };
  for (const { name } of columns) fields.set(name, { kind: "column", ...own, column: name });
  for (const { name, returns, function: shape, sessionArgument } of computedFields.values()) {
    const hidden = sessionArgument === undefined ? 1 : 2;
    if (returns.kind !== "scalar" || shape.arguments.length > hidden) continue;
    fields.set(name, { kind: "computed_field", ...own, name });
  }
  return { name: displayName, fields };
}

// ---------------------------------------------------------------- to another source

function toSource(
  { sources }: RemoteTargets,
  left: LeftSide,
  id: ObjectId,
  { relationship_type, source, table: written, field_mapping }: NonNullable<Definition["to_source"]>,
): ResolvedRemote {
  const target = sources.get(source) ?? rejectUnknown(`source not found: "${source}"`, source, sources.keys());
  const table = targetTable(target, written);
  const mapping = Object.entries(field_mapping).map(([field, column]) => ({ field, column }));
  const dependsOn: ObjectId[] = [];
  for (const { field } of mapping) dependsOn.push(...joinField(left, field));
  const on = { source, table: table.table.table };
  dependsOn.push({ kind: "source", source }, { kind: "table", ...on });
  for (const { column } of mapping) {
    checkTargetColumn(table, column);
    dependsOn.push({ kind: "column", ...on, column });
  }
  return {
    relationship: { id, kind: "source", relationship: relationship_type, source, table: table.key, mapping },
    dependsOn,
  };
}

function targetTable({ name, source, tables }: AnalyzedSource, written: Json): AnalyzedTable {
  const defaultSchema = dialectOf(source.kind).defaultSchema;
  const parsed = tableName(defaultSchema).safeParse(written);
  const qualified: QualifiedName = parsed.success ? parsed.data : { schema: defaultSchema, name: String(written) };
  const found = tables.get(qualifiedKey(qualified));
  if (found !== undefined) return found;
  const printed = printName(qualified, defaultSchema);
  const candidates = Array.from(tables.values(), ({ displayName }) => displayName);
  return rejectUnknown(`table "${printed}" does not exist in source: ${name}`, printed, candidates);
}

/** What a field of the left side is; nothing where that is not known. */
function joinField({ fields }: LeftSide, name: string): readonly ObjectId[] {
  if (fields === undefined) return [];
  if (!fields.has(name)) return rejectUnknown(`"${name}" does not exist`, name, fields.keys());
  const id = fields.get(name);
  return id === undefined ? [] : [id];
}

function checkTargetColumn({ columns }: AnalyzedTable, name: string): void {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) {
    rejectUnknown(
      `"${name}" does not exist`,
      name,
      columns.map((each) => each.name),
    );
  }
  if (column.enumTable !== undefined) reject("relationships to enum fields are not supported yet");
}

// ---------------------------------------------------------------- to a remote schema

function toRemoteSchema(
  { remoteSchemas }: RemoteTargets,
  left: LeftSide,
  id: ObjectId,
  { remote_schema: name, lhs_fields, remote_field }: NonNullable<Definition["to_remote_schema"]>,
): ResolvedRemote {
  if (!remoteSchemas.has(name)) {
    rejectUnknown(`remote schema with name "${name}" not found`, name, remoteSchemas.keys());
  }
  const dependsOn = lhs_fields.flatMap((field) => listedField(left, field));
  checkRemoteField(remote_field, new Set(lhs_fields));
  return {
    relationship: { id, kind: "remote_schema", remoteSchema: name, fields: lhs_fields, remoteField: remote_field },
    dependsOn: [...dependsOn, { kind: "remote_schema", name }],
  };
}

function listedField({ name, fields }: LeftSide, field: string): readonly ObjectId[] {
  if (fields === undefined) return [];
  if (!fields.has(field)) {
    const allowed = englishList([...fields.keys()].sort().map((each) => `"${each}"`));
    // The blanks that are missing are missing in the peer's text, too; clients may compare it.
    const reason = `field with name "${field}"is not provided by the lhs entity"${name}"for defining a join condition, the allowed fields are ${allowed}`;
    return rejectUnknown(reason, field, fields.keys());
  }
  const id = fields.get(field);
  return id === undefined ? [] : [id];
}

function englishList(words: readonly string[]): string {
  return words.length < 3 ? words.join(" or ") : `${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`;
}

/** `{name: {arguments, field?}}`, with one name at each level. */
function checkRemoteField(field: JsonObject, joinFields: ReadonlySet<string>): void {
  for (const call of Object.values(field)) {
    if (!isObject(call)) continue;
    if (isObject(call.arguments)) for (const value of Object.values(call.arguments)) checkArgument(value, joinFields);
    if (isObject(call.field)) checkRemoteField(call.field, joinFields);
  }
}

function checkArgument(value: Json, joinFields: ReadonlySet<string>): void {
  if (value === null) reject("null is not allowed here");
  if (typeof value === "string" && value.startsWith("$")) {
    const variable = value.slice(1);
    if (!joinFields.has(variable)) rejectUnknown(`variable "${variable}" is not found`, variable, joinFields);
  }
  if (Array.isArray(value)) {
    if (value.length > 1) reject("multiple elements in list value is not supported");
    for (const item of value) checkArgument(item, joinFields);
  } else if (isObject(value)) {
    for (const member of Object.values(value)) checkArgument(member, joinFields);
  }
}
