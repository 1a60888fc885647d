/**
 * Rules of custom types: names are unique, referenced types exist, relationships lead to tables. All errors are
 * reported together, because all types are set together.
 */
import { parseType, type TypeNode } from "graphql";
import { lazy } from "../../../runtime/values/lazy.ts";
import type {
  CustomTypes,
  EnumType,
  InputObjectType,
  ObjectType,
  TypeRelationship,
} from "../../catalog/outside-sources.ts";
import { duplicates } from "../../catalog/schema/combinators.ts";
import { printName } from "../../catalog/schema/names.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import { dialectOf } from "../../dialects/index.ts";
import { type AnalyzedSource, qualifiedKey } from "../analysis.ts";
import type { AnalyzedTable } from "../analyzed-table.ts";
import { customTypesObject } from "../metadata-objects.ts";
import { becauseOf, type Fault, type Findings, hintsOf, Rejection, unknownName } from "../rejection.ts";
import { type RemoteTargets, resolveRemoteRelationship } from "./remote-relationships.ts";
import { namingOf, TypeNames } from "./type-names.ts";

/** Types available to arguments and outputs of actions. */
export interface ActionTypes {
  readonly custom: CustomTypes;
  /** Built-in scalars, scalars of sources, and custom scalars. */
  readonly scalars: ReadonlySet<string>;
  readonly enums: ReadonlySet<string>;
  readonly inputObjects: ReadonlySet<string>;
  readonly objects: ReadonlyMap<string, ObjectType>;
  /** Types of the schema that do not belong to actions. */
  readonly others: TypeNames;
  /** Names of types that only the Relay schema has. */
  readonly relay: () => ReadonlySet<string>;
}

const builtInScalars = ["Int", "Float", "String", "Boolean", "ID"];
const noTypes: CustomTypes = { input_objects: [], objects: [], scalars: [], enums: [] };

/** Returns `undefined` if the types are inconsistent, in which case no action can be served. */
export function analyzeCustomTypes(
  custom: CustomTypes,
  targets: RemoteTargets,
  findings: Findings,
): ActionTypes | undefined {
  const types = typesOf(custom, targets.sources);
  return findings.attempt(
    () => customTypesObject(custom),
    "",
    () => {
      const faults = [...problemsOf(types, targets)].map(asFault);
      if (faults.length === 0) return types;
      const reasons = faults.map(({ reason }) => reason);
      const reason = becauseOf("validation for the given custom types failed", reasons);
      throw new Rejection(reason, { hint: hintsOf(faults) });
    },
  );
}

export function customTypesOf(types: ActionTypes | undefined): CustomTypes {
  return types?.custom ?? noTypes;
}

function typesOf(custom: CustomTypes, sources: RemoteTargets["sources"]): ActionTypes {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  return {
    custom,
    scalars: new Set([...builtInScalars, ...scalarsOfSources(sources), ...names(custom.scalars)]),
    enums: new Set(names(custom.enums)),
    inputObjects: new Set(names(custom.input_objects)),
    objects: new Map(custom.objects.map((type) => [type.name, type])),
    others: new TypeNames(sources.values()),
    relay: lazy(() => new Set(relayTypeNames(sources.values()))),
  };
}

function* scalarsOfSources(sources: RemoteTargets["sources"]): Generator<string> {
  for (const { source, shape } of sources.values()) yield* dialectOf(source.kind).scalarNames(shape);
}

/** Returns the named type inside `[[T!]]!`. */
export function baseTypeName(type: string): string {
  let node: TypeNode = parseType(type, { noLocation: true });
  while (node.kind !== "NamedType") node = node.type;
  return node.name.value;
}

function isList(type: string): boolean {
  const node = parseType(type, { noLocation: true });
  return node.kind === "ListType" || (node.kind === "NonNullType" && node.type.kind === "ListType");
}

// ---------------------------------------------------------------- problems

type Problem = string | Fault;

const asFault = (problem: Problem): Fault => (typeof problem === "string" ? { reason: problem } : problem);

function* problemsOf(types: ActionTypes, targets: RemoteTargets): Generator<Problem> {
  const { scalars, enums, input_objects, objects } = types.custom;
  const repeated = duplicates([...scalars, ...enums, ...input_objects, ...objects].map(({ name }) => name));
  if (repeated.length > 0) yield `duplicate type names: ${quotedList(repeated)}`;
  yield* nameProblems(types);
  for (const type of enums) yield* enumProblems(type);
  for (const type of input_objects) yield* inputObjectProblems(type, types);
  for (const type of objects) yield* objectProblems(type, types, targets);
}

/** Yields names that the schema already has or that GraphQL reserves. */
function* nameProblems({ custom, others }: ActionTypes): Generator<string> {
  const { scalars, enums, input_objects, objects } = custom;
  for (const { name } of [...scalars, ...enums, ...input_objects, ...objects]) {
    const isKnown = others.ownerOf(name) === "introspection";
    if (name.startsWith("__") && !isKnown)
      yield `the type "${name}" has a name that GraphQL reserves for introspection`;
  }
  for (const { name } of [...enums, ...input_objects, ...objects]) {
    const owner = builtInScalars.includes(name) ? "GraphQL" : others.ownerOf(name);
    if (owner !== undefined) yield `the type "${name}" has the name of a type of ${owner}`;
  }
}

/** Returns true for the introspection fields of GraphQL. */
export const isIntrospection = (field: string): boolean => ["__schema", "__type", "__typename"].includes(field);

/** Formats `"a", "b"`. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function* enumProblems({ name, values }: EnumType): Generator<string> {
  const repeated = duplicates(values.map(({ value }) => value));
  if (repeated.length > 0) yield `the enum type "${name}" has duplicate values: ${quotedList(repeated)}`;
  const literals = values.map(({ value }) => value).filter((value) => ["true", "false", "null"].includes(value));
  if (literals.length > 0) yield `the enum type "${name}" has values that are literals: ${quotedList(literals)}`;
}

function* inputObjectProblems({ name, fields }: InputObjectType, types: ActionTypes): Generator<Problem> {
  const repeated = duplicates(fields.map((field) => field.name));
  if (repeated.length > 0) yield `the input object "${name}" has duplicate fields: ${quotedList(repeated)}`;
  for (const field of fields) {
    const base = baseTypeName(field.type);
    if (types.scalars.has(base) || types.enums.has(base) || types.inputObjects.has(base)) continue;
    // The double space is part of the text that clients compare.
    const reason = `the type "${base}" for field "${field.name}" in  input object type "${name}" does not exist`;
    yield unknownName(reason, base, [...types.scalars, ...types.enums, ...types.inputObjects]);
  }
}

function* objectProblems(type: ObjectType, types: ActionTypes, targets: RemoteTargets): Generator<Problem> {
  const { name, fields, relationships } = type;
  const repeated = duplicates(fields.map((field) => field.name));
  if (repeated.length > 0) yield `the object "${name}" has duplicate fields: ${quotedList(repeated)}`;
  const introspection = [...fields, ...relationships].map((field) => field.name).filter(isIntrospection);
  if (introspection.length > 0) {
    yield `the object "${name}" has fields with names of introspection: ${quotedList(introspection)}`;
  }
  for (const field of fields) {
    const base = baseTypeName(field.type);
    if (!types.scalars.has(base) && !types.enums.has(base) && !types.objects.has(base)) {
      const reason = `the type "${base}" for field "${field.name}" in  object type "${name}" does not exist`;
      yield unknownName(reason, base, [...types.scalars, ...types.enums, ...types.objects.keys()]);
    }
    if (field.arguments !== undefined && field.arguments !== null) yield `the object "${name}" can't have arguments`;
  }
  yield* relationshipNameProblems(type);
  for (const relationship of relationships) yield* relationshipProblems(type, relationship, targets);
  if (new Set(relationships.map(({ source }) => source)).size > 1) {
    yield `the object "${name}" has relationships refers to tables in multiple sources`;
  }
  yield* remoteProblems(type, targets);
}

/**
 * Checks relationship names: they share a namespace with the fields, and an array relationship also adds an aggregate
 * field.
 */
function* relationshipNameProblems({
  name,
  fields,
  relationships,
  remote_relationships,
}: ObjectType): Generator<string> {
  const taken = new Set(fields.map((field) => field.name));
  for (const relationship of [...relationships, ...remote_relationships]) {
    const place = `the relationship "${relationship.name}" of object type "${name}"`;
    if (!isGraphqlName(relationship.name)) yield `${place} has a name that is not valid in GraphQL`;
    const isArray = "type" in relationship && relationship.type === "array";
    const own = [relationship.name, ...(isArray ? [`${relationship.name}_aggregate`] : [])];
    const repeated = own.filter((field) => taken.has(field));
    if (repeated.length > 0) yield `${place} has the name of another field: ${quotedList(repeated)}`;
    for (const field of own) taken.add(field);
  }
}

function* relationshipProblems(
  { name: object, fields }: ObjectType,
  { name, source, remote_table, field_mapping }: TypeRelationship,
  { sources }: RemoteTargets,
): Generator<Problem> {
  const analyzed = sources.get(source);
  const table = analyzed?.tables.get(qualifiedKey(remote_table));
  const printed = printName(remote_table, defaultSchemaOf(analyzed));
  const place = `for relationship "${name}" of object type "${object}"`;
  if (table === undefined) {
    const reason = `the remote table "${printed}" ${place} does not exist`;
    yield analyzed === undefined
      ? unknownName(reason, source, sources.keys())
      : unknownName(reason, printed, tableNames(analyzed));
  }
  for (const [fieldName, column] of Object.entries(field_mapping)) {
    const field = fields.find((each) => each.name === fieldName);
    if (field === undefined) {
      const reason = `the field "${fieldName}" for relationship "${name}" in object type "${object}" does not exist`;
      yield unknownName(
        reason,
        fieldName,
        fields.map((each) => each.name),
      );
    } else if (isList(field.type)) {
      yield `the type of the field "${fieldName}" for relationship "${name}" in object type "${object}" is a list type`;
    }
    if (table !== undefined && !hasColumn(table, column)) {
      const reason = `the column "${column}" of remote table "${printed}" ${place} does not exist`;
      yield unknownName(
        reason,
        column,
        table.columns.map((each) => each.name),
      );
    }
  }
}

function defaultSchemaOf(source: AnalyzedSource | undefined): string {
  return source ? dialectOf(source.source.kind).defaultSchema : "public";
}

function tableNames(source: AnalyzedSource): readonly string[] {
  const defaultSchema = defaultSchemaOf(source);
  return [...source.tables.values()].map(({ table }) => printName(table.table, defaultSchema));
}

function hasColumn({ columns }: AnalyzedTable, name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** Checks relationships in the newer form, which join on the fields of the type. */
function* remoteProblems(
  { name, fields, remote_relationships }: ObjectType,
  targets: RemoteTargets,
): Generator<Problem> {
  const left = { name, fields: new Map(fields.map((field) => [field.name, {}] as const)) };
  for (const remote of remote_relationships) {
    try {
      resolveRemoteRelationship(targets, left, { kind: "custom_types" }, remote.definition);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const reason = `in remote relationship "${remote.name}" of object type "${name}": ${error.message}`;
      yield { reason, hint: error.hint };
    }
  }
}

// Yields the names of additional types in the Relay schema; none without a table that has a primary key.

function* relayTypeNames(sources: Iterable<AnalyzedSource>): Generator<string> {
  let hasNodes = false;
  for (const source of sources) {
    if (dialectOf(source.source.kind).runtime.dialect.relay === undefined) continue;
    const naming = namingOf(source);
    for (const { graphqlName, primaryKey } of source.tables.values()) {
      if (graphqlName === null || primaryKey.length === 0) continue;
      hasNodes = true;
      yield naming.type(`${graphqlName}Connection`);
      yield naming.type(`${graphqlName}Edge`);
    }
  }
  if (hasNodes) yield* ["Node", "PageInfo"];
}
