/**
 * What has to leave the metadata because SQL dropped something (`metadata-api.md` 4.4). Input: the difference and the
 * Analysis of the metadata; output: the objects that go in any case, and those that only go when the request cascades.
 */

import { type Analysis, qualifiedKey } from "../../2-analyze/analysis.ts";
import { dependentsOf } from "../../2-analyze/dependencies.ts";
import { type ObjectId, objectKey } from "../../2-analyze/object-id.ts";
import type { SourceDifference, TableDifference } from "./difference.ts";

export interface Drops {
  /** Tables with all they own, functions, settings of columns. */
  readonly objects: readonly ObjectId[];
  /** Objects elsewhere that cannot be without what is gone. */
  readonly dependents: readonly ObjectId[];
  /** Whether an object goes, one way or the other. */
  includes(id: ObjectId): boolean;
}

export function dropsOf(analysis: Analysis, source: string, { tables, functions }: SourceDifference): Drops {
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

/** A table that is gone, with its columns and keys, which others may depend on; or what a table has lost. */
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
