/**
 * Resolves relationships to other sources and remote schemas. Input: the definition and all possible targets; output:
 * the relationship with its dependencies, or a rejection.
 */

import type { Json, JsonObject, QualifiedName } from "../../catalog/model.ts";
import { printName, tableName } from "../../catalog/schema/names.ts";
import { dialectOf } from "../../dialects/index.ts";
import { namedRemoteType, type RemoteShape } from "../../shape/remote-shape.ts";
import type { TypeRef } from "../../shape/shape.ts";
import {
  type AnalyzedRemoteRelationship,
  type AnalyzedRemoteSchema,
  type AnalyzedSource,
  qualifiedKey,
} from "../analysis.ts";
import { type AnalyzedTable, givenArguments } from "../analyzed-table.ts";
import type { ObjectId } from "../object-id.ts";
import { reject, rejectUnknown } from "../rejection.ts";
import { englishList } from "./english.ts";
import { remoteBatch, type WrittenBatch } from "./remote-batch.ts";
import { checkRemoteField } from "./remote-fields.ts";

export interface RemoteTargets {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
}

export interface LeftSide {
  /** Name in messages. */
  readonly name: string;
  /** Fields that can be joined on; `undefined` if they are unknown. */
  readonly fields: ReadonlyMap<string, JoinField> | undefined;
}

interface JoinField {
  /** Identity of the field; absent for fields that cannot be dropped. */
  readonly id?: ObjectId;
  /** Named GraphQL type, without list and non-null wrappers. */
  readonly type?: string;
}

export interface ResolvedRemote {
  readonly relationship: AnalyzedRemoteRelationship;
  readonly dependsOn: readonly ObjectId[];
}

/** The members of all three forms. The metadata schema refuses other combinations. */
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
    readonly batch?: WrittenBatch;
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

/** Returns the target of a relationship to a table; `undefined` for one to a remote schema. */
export function sourceDefinition(definition: JsonObject): Definition["to_source"] {
  const form: Definition = definition;
  return form.to_source;
}

/** Returns all columns, and scalar computed fields without further arguments. */
export function joinFieldsOf(table: AnalyzedTable, { sources }: RemoteTargets): LeftSide {
  const { source, columns, computedFields, displayName } = table;
  const dialect = dialectOf(sources.get(source)?.source.kind ?? "postgres");
  const typeOf = (type: TypeRef) => dialect?.scalarOf(dialect.scalarCall(type)).graphql;
  const fields = new Map<string, JoinField>();
  const own = { source, table: table.table.table };
  const add = (id: ObjectId, name: string, sql: TypeRef) => {
    const type = typeOf(sql);
    fields.set(name, { id, ...(type !== undefined && { type }) });
  };
  for (const { name, shape } of columns) add({ kind: "column", ...own, column: name }, name, shape.type);
  for (const computed of computedFields.values()) {
    const { name, returns } = computed;
    if (returns.kind !== "scalar" || givenArguments(computed).length > 0) continue;
    add({ kind: "computed_field", ...own, name }, name, returns.type);
  }
  return { name: displayName, fields };
}

/**
 * Returns the fields of an object type of a remote schema that have no arguments.
 * @throws Rejection if there is no such type
 */
export function remoteLeftSide(schema: string, name: string, shape: RemoteShape | undefined): LeftSide {
  if (shape === undefined) return { name, fields: undefined };
  const type =
    shape.types.get(name) ??
    rejectUnknown(`no type named "${name}" defined in remote schema "${schema}"`, name, shape.types.keys());
  if (type.kind !== "object")
    return reject("remote relationships on a remote schema can only be defined on object types");
  const fields = type.fields
    .filter((field) => field.arguments.length === 0)
    .map((field): [string, JoinField] => [field.name, { type: namedRemoteType(field.type) }]);
  return { name, fields: new Map(fields) };
}

// ---------------------------------------------------------------- to another source

function toSource(
  { sources }: RemoteTargets,
  left: LeftSide,
  id: ObjectId,
  { relationship_type, source, table: written, field_mapping }: NonNullable<Definition["to_source"]>,
): ResolvedRemote {
  const target =
    sources.get(source) ??
    rejectUnknown(`source not found: "${source}"`, source, sources.keys(), { kind: "source", source });
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
  const id = { kind: "table", source: name, table: qualified } as const;
  return rejectUnknown(`table "${printed}" does not exist in source: ${name}`, printed, candidates, id);
}

/** Returns the identity of a join field; empty if it is unknown. */
function joinField({ fields }: LeftSide, name: string): readonly ObjectId[] {
  if (fields === undefined) return [];
  if (!fields.has(name)) return rejectUnknown(`"${name}" does not exist`, name, fields.keys());
  return idOf(fields.get(name));
}

function idOf(field: JoinField | undefined): readonly ObjectId[] {
  return field?.id === undefined ? [] : [field.id];
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
  { remote_schema: name, lhs_fields, remote_field, batch: written }: NonNullable<Definition["to_remote_schema"]>,
): ResolvedRemote {
  const target =
    remoteSchemas.get(name) ??
    rejectUnknown(`remote schema with name "${name}" not found`, name, remoteSchemas.keys(), {
      kind: "remote_schema",
      name,
    });
  const dependsOn = lhs_fields.flatMap((field) => listedField(left, field));
  const variables = new Map(lhs_fields.map((field) => [field, left.fields?.get(field)?.type]));
  checkRemoteField(remote_field, variables, target.shape);
  const batch = remoteBatch(remote_field, lhs_fields, written, target.shape);
  return {
    relationship: {
      id,
      kind: "remote_schema",
      remoteSchema: name,
      fields: lhs_fields,
      remoteField: remote_field,
      ...(batch && { batch }),
    },
    dependsOn: [...dependsOn, { kind: "remote_schema", name }],
  };
}

function listedField({ name, fields }: LeftSide, field: string): readonly ObjectId[] {
  if (fields === undefined) return [];
  if (!fields.has(field)) {
    const allowed = englishList(
      [...fields.keys()].sort().map((each) => `"${each}"`),
      "or",
    );
    // The missing spaces are part of the text that clients compare.
    const reason = `field with name "${field}"is not provided by the lhs entity"${name}"for defining a join condition, the allowed fields are ${allowed}`;
    return rejectUnknown(reason, field, fields.keys());
  }
  return idOf(fields.get(field));
}
