/** Refuses renames to names that other objects of the metadata already have. */

import { type Analysis, type AnalyzedSource, qualifiedKey } from "../../2-analyze/analysis.ts";
import { baseName, functionRootFields, type Naming, namingOf, tableRootFields } from "../../2-analyze/naming.ts";
import { TableMap } from "../../2-analyze/table-map.ts";
import type { QualifiedName, Source, Table } from "../../catalog/model.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { print } from "../lookups.ts";
import { isQueryRootField } from "../root-fields.ts";
import type { SourceDifference } from "./difference.ts";
import type { Renames } from "./renames.ts";

interface RenameCheck {
  /** The source without its dropped objects, with the old names. */
  readonly source: Source;
  readonly renames: Renames;
  /** Analysis of the metadata before the SQL ran. */
  readonly analysis: Analysis;
  readonly difference: SourceDifference;
  readonly path: string;
}

export function refuseNameClashes(check: RenameCheck): Diagnostic | undefined {
  return refuseTrackedNames(check) ?? refuseRootFields(check) ?? refuseColumns(check);
}

/**
 * Refuses two entries with one name, which occur if the metadata still names a table or function that was missing from
 * the database.
 */
function refuseTrackedNames({ source, renames, path }: RenameCheck): Diagnostic | undefined {
  const table = repeated(source.tables.map((each) => renames.table(each.table)));
  if (table !== undefined) {
    const message = `view/table already tracked: "${print(source.kind, table)}"`;
    return { code: "already-tracked", path, message };
  }
  const name = repeated(source.functions.map((each) => renames.function(each.function)));
  if (name === undefined) return undefined;
  return { code: "already-tracked", path, message: `function already tracked: "${print(source.kind, name)}"` };
}

function repeated(names: readonly QualifiedName[]): QualifiedName | undefined {
  const seen = new Set<string>();
  return names.find((name) => {
    const key = qualifiedKey(name);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

/** Refuses a root field that is in use. The root fields of renamed and dropped objects are available. */
function refuseRootFields({ source, renames, analysis, difference, path }: RenameCheck): Diagnostic | undefined {
  // Root fields in a namespace can clash only with root fields of the same source, whose tables have unique names.
  if (source.customization?.root_fields?.namespace !== undefined) return undefined;
  const naming = namingOf(source, sourceKinds[source.kind].defaultSchema, analysis.options);
  const fields = [
    ...source.tables.map((table) =>
      newName(renames.table(table.table), table.table, (name) => selectField(naming, table, name)),
    ),
    ...source.functions.map((tracked) =>
      newName(renames.function(tracked.function), tracked.function, (name) => {
        const base = baseName(naming, name, tracked.configuration?.custom_name);
        return base && functionRootFields(naming, base, tracked).function;
      }),
    ),
  ].filter((field) => field !== null);
  if (fields.length === 0) return undefined;
  const others = withoutMoved(analysis, source.name, difference);
  const taken = fields.find((field) => isQueryRootField(others, field));
  if (taken === undefined) return undefined;
  return { code: "remote-schema-conflicts", path, message: `node ${taken} already exists in current graphql schema` };
}

/** Returns the new name of a field; `null` if it did not change or there is no such field. */
function newName(
  after: QualifiedName,
  before: QualifiedName,
  fieldOf: (name: QualifiedName) => string | null,
): string | null {
  if (after === before) return null;
  const field = fieldOf(after);
  return field === fieldOf(before) ? null : field;
}

function selectField(naming: Naming, { configuration }: Table, name: QualifiedName): string | null {
  const base = baseName(naming, name, configuration?.custom_name);
  return base && tableRootFields(naming, base, configuration?.custom_root_fields).select.name;
}

/** Returns the analysis without renamed and dropped objects. */
function withoutMoved(analysis: Analysis, name: string, difference: SourceDifference): Analysis {
  const source = analysis.sources.get(name);
  if (source === undefined) return analysis;
  const hasMoved = ({ name, after }: { readonly name: QualifiedName; readonly after?: QualifiedName }) =>
    after === undefined || qualifiedKey(after) !== qualifiedKey(name);
  const moved = new Set(difference.tables.filter(hasMoved).map((table) => qualifiedKey(table.name)));
  const tables = TableMap.of([...source.tables.values()].filter(({ key }) => !moved.has(key)));
  const functions = new Map(source.functions);
  for (const each of [...difference.functions.values()].filter(hasMoved)) functions.delete(qualifiedKey(each.name));
  const left: AnalyzedSource = { ...source, tables, functions };
  return { ...analysis, sources: new Map([...analysis.sources, [name, left]]) };
}

/** Refuses a column that takes the name of a relationship. */
function refuseColumns({ source, difference, path }: RenameCheck): Diagnostic | undefined {
  for (const { name, renamedColumns } of difference.tables) {
    const key = qualifiedKey(name);
    const table = renamedColumns.size > 0 && source.tables.find((each) => qualifiedKey(each.table) === key);
    if (!table) continue;
    const relationships = new Set(
      [table.object_relationships, table.array_relationships, table.remote_relationships].flatMap((list) =>
        list.map((relationship) => relationship.name),
      ),
    );
    for (const [from, to] of renamedColumns) {
      if (!relationships.has(to)) continue;
      const message =
        `cannot rename column "${from}" to "${to}" in table "${print(source.kind, name)}" ` +
        "as a relationship with the name already exists";
      return { code: "already-exists", path, message };
    }
  }
  return undefined;
}
