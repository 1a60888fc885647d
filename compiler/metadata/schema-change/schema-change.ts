/**
 * Adapts the metadata to the schema changes of SQL that an administrator ran. Input: the metadata with its analysis,
 * and the shapes of the source before and after; output: metadata that matches the database, or an error, for which the
 * SQL is rolled back.
 */
import { invariant } from "../../../runtime/values/errors.ts";
import { type Analysis, qualifiedKey } from "../../2-analyze/analysis.ts";
import { cannotDropMessage, dependentsOf, dependentsOnType, describeObject } from "../../2-analyze/dependencies.ts";
import { type ObjectId, objectKey } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { QualifiedName, Source } from "../../catalog/model.ts";
import { type Diagnostic, ok, type Result } from "../../diagnostics/diagnostic.ts";
import type { Shape } from "../../shape/shape.ts";
import { dropObjects } from "../drop-objects.ts";
import { print } from "../lookups.ts";
import { differenceOf, type FunctionDifference, type SourceDifference, type TableDifference } from "./difference.ts";
import { refuseNameClashes } from "./name-clashes.ts";
import { renameInCatalog } from "./rename-in-catalog.ts";
import { Renames } from "./renames.ts";

export interface SchemaChangeInput {
  readonly catalog: Catalog;
  readonly analysis: Analysis;
  /** Source on which the SQL ran. */
  readonly source: string;
  readonly before: Shape;
  readonly after: Shape;
  /** Also drops dependents of dropped objects, which are an error otherwise. */
  readonly cascade: boolean;
  readonly path: string;
}

export interface SchemaChange {
  /** The changed catalog, or the original object if it already matches. */
  readonly catalog: Catalog;
  /** Maps an identity in the old metadata to the identity in the new metadata. */
  readonly renamed: (id: ObjectId) => ObjectId;
}

export function schemaChange(input: SchemaChangeInput): Result<SchemaChange> {
  const { catalog, analysis, before, after, path } = input;
  const source = sourceIn(catalog, input.source);
  const difference = differenceOf(source, before, after);
  const drops = dropsOf(analysis, source.name, difference);
  const refusal =
    refuseOverloads(source, difference, path) ??
    refuseDependents(input, drops) ??
    refuseVolatile(source, difference, path);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const left = dropObjects(catalog, [...drops.dependents, ...drops.objects]);
  const renames = new Renames(source, difference);
  const clashCheck = { source: sourceIn(left, source.name), renames, analysis, difference, path };
  const laterRefusal =
    refuseComputedFields(clashCheck.source, difference, path) ??
    refuseNameClashes(clashCheck) ??
    refuseRetypedColumns(input, source, difference, drops);
  if (laterRefusal !== undefined) return { ok: false, error: laterRefusal };
  return ok({ catalog: renameInCatalog(left, analysis, renames), renamed: (id) => renames.object(id) });
}

function sourceIn({ sources }: Catalog, name: string): Source {
  const source = sources.find((each) => each.name === name);
  invariant(source !== undefined, `source ${name} is not in the metadata`);
  return source;
}

function refuseDependents(
  { catalog, cascade, path }: SchemaChangeInput,
  { dependents }: Drops,
): Diagnostic | undefined {
  if (cascade || dependents.length === 0) return undefined;
  return { code: "dependency-error", path, message: cannotDropMessage(dependents, catalog) };
}

/**
 * Refuses a new type for a column that a static value depends on: the value has the old type, and dropping dependents
 * cannot convert it.
 */
function refuseRetypedColumns(
  { catalog, analysis, path }: SchemaChangeInput,
  source: Source,
  { tables }: SourceDifference,
  drops: Drops,
): Diagnostic | undefined {
  for (const { name: table, retypedColumns } of tables) {
    for (const column of retypedColumns) {
      const id: ObjectId = { kind: "column", source: source.name, table, column };
      const dependents = dependentsOnType(analysis, id).filter((each) => !drops.includes(each));
      if (dependents.length === 0) continue;
      const texts = dependents.map((each) => describeObject(each, catalog)).join(", ");
      const message =
        `cannot change type of column "${column}" in table "${print(source.kind, table)}" ` +
        `because of the following dependencies: ${texts}`;
      return { code: "dependency-error", path, message };
    }
  }
  return undefined;
}

// Refuses SQL that makes a function used by the metadata overloaded or VOLATILE.

function refuseOverloads(source: Source, { functions }: SourceDifference, path: string): Diagnostic | undefined {
  const overloaded = source.functions
    .filter((tracked) => functions.get(qualifiedKey(tracked.function))?.overloaded)
    .map((tracked) => print(source.kind, tracked.function))
    .sort();
  if (overloaded.length === 0) return undefined;
  const message = `the following tracked function(s) cannot be overloaded: ${overloaded.join(", ")}`;
  return { code: "not-supported", path, message };
}

function refuseVolatile(source: Source, { functions }: SourceDifference, path: string): Diagnostic | undefined {
  const altered = source.functions.find((tracked) => becameVolatile(functions.get(qualifiedKey(tracked.function))));
  if (altered === undefined) return undefined;
  const name = print(source.kind, altered.function);
  const message = `type of function "${name}" is altered to "VOLATILE" which is not supported now`;
  return { code: "not-supported", path, message };
}

/** Refuses functions of computed fields that became overloaded or VOLATILE. */
function refuseComputedFields(source: Source, { functions }: SourceDifference, path: string): Diagnostic | undefined {
  for (const { table, computed_fields } of source.tables) {
    for (const { name, definition } of computed_fields) {
      const difference = functions.get(qualifiedKey(definition.function));
      const problem = difference && problemOf(difference, { source, table, field: name });
      if (problem !== undefined) return { code: "not-supported", path, message: problem };
    }
  }
  return undefined;
}

interface FieldAddress {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly field: string;
}

function problemOf(difference: FunctionDifference, { source, table, field }: FieldAddress): string | undefined {
  const name = print(source.kind, difference.name);
  const owner = print(source.kind, table);
  if (difference.overloaded) {
    // The missing space before the field name is part of the text that clients compare.
    return `The function "${name}" associated with computed field"${field}" of table "${owner}" is being overloaded`;
  }
  if (!becameVolatile(difference)) return undefined;
  return `The type of function "${name}" associated with computed field "${field}" of table "${owner}" is being altered to "VOLATILE"`;
}

function becameVolatile(difference: FunctionDifference | undefined): boolean {
  return difference?.after?.volatility === "volatile" && difference.before.volatility !== "volatile";
}

// Computes the objects to remove from the metadata after SQL dropped database objects. Input: the difference and the
// analysis of the metadata; output: the objects that are always removed, and the dependents that are removed only with
// `cascade`.

interface Drops {
  /** Dropped tables with everything they own, dropped functions, and configurations of dropped columns. */
  readonly objects: readonly ObjectId[];
  readonly dependents: readonly ObjectId[];
  /** Returns true if an object is dropped for either reason. */
  includes(id: ObjectId): boolean;
}

function dropsOf(analysis: Analysis, source: string, { tables, functions }: SourceDifference): Drops {
  const goneTables = new Set(tables.filter(isGone).map(({ name }) => qualifiedKey(name)));
  const goneFunctions = new Set([...functions].filter(([, each]) => isGone(each)).map(([key]) => key));
  const goesAnyway = (id: ObjectId): boolean => {
    if (!("source" in id) || id.source !== source) return false;
    if ("table" in id) return goneTables.has(qualifiedKey(id.table));
    return "function" in id && goneFunctions.has(qualifiedKey(id.function));
  };
  const gone = [
    ...tables.flatMap((table) => goneParts(source, table)),
    ...[...functions.values()]
      .filter(isGone)
      .map(({ name }): ObjectId => ({ kind: "function", source, function: name })),
  ];
  const fields = computedFieldsOf(analysis, source, goneFunctions);
  const causes = [...gone, ...fields];
  const all = causes.length === 0 ? [] : [...fields, ...dependentsOf(analysis, causes)];
  const dependents = all.filter((id) => !goesAnyway(id));
  const keys = new Set(dependents.map(objectKey));
  return { objects: gone, dependents, includes: (id) => goesAnyway(id) || keys.has(objectKey(id)) };
}

function isGone({ after }: { readonly after?: unknown }): boolean {
  return after === undefined;
}

/**
 * Returns a dropped table with its columns and keys, which other objects may depend on, or the dropped parts of a
 * remaining table.
 */
function goneParts(source: string, difference: TableDifference): readonly ObjectId[] {
  const { name: table, before } = difference;
  const whole = isGone(difference);
  const columns = whole ? before.columns.map(({ name }) => name) : difference.droppedColumns;
  const keys = whole ? before.foreignKeys.map(({ name }) => name) : difference.droppedForeignKeys;
  return [
    ...columns.map((column): ObjectId => ({ kind: "column", source, table, column })),
    ...keys.map((constraint): ObjectId => ({ kind: "foreign_key", source, table, constraint })),
    ...(whole ? [{ kind: "table", source, table } as const] : []),
  ];
}

function computedFieldsOf(analysis: Analysis, source: string, functions: ReadonlySet<string>): readonly ObjectId[] {
  if (functions.size === 0) return [];
  return [...(analysis.sources.get(source)?.tables.values() ?? [])].flatMap(({ table, computedFields }) =>
    [...computedFields.values()]
      .filter(({ field }) => functions.has(qualifiedKey(field.definition.function)))
      .map(({ name }): ObjectId => ({ kind: "computed_field", source, table: table.table, name })),
  );
}
