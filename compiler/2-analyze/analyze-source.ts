/** One source: its metadata and what introspection found → what is consistent of it, and entries for the rest. */

import type { Source, TrackedFunction } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import {
  type AnalysisOptions,
  type AnalyzedFunction,
  type AnalyzedSource,
  qualifiedKey,
  type SourceIntrospection,
} from "./analysis.ts";
import { analyzeTable } from "./analyze-table.ts";
import type { Dependency } from "./dependency.ts";
import { analyzeFields } from "./fields.ts";
import { functionObject } from "./metadata-objects.ts";
import { analyzeMovedTables } from "./moved-tables.ts";
import { tablesThatOwnOtherObjects } from "./owned-objects.ts";
import type { OtherSources } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
import { resolveFunction } from "./rules/functions.ts";
import { analyzeLogicalModels, type ModelScope } from "./rules/logical-models.ts";
import { analyzeNativeQueries, checkRelationshipsToQueries } from "./rules/native-queries.ts";
import { analyzeStoredProcedures } from "./rules/stored-procedures.ts";
import { share, shareList, shareMap, shareShallow, shareShape } from "./share.ts";
import { SourceContext } from "./source-context.ts";
import { sourceShape } from "./source-shape.ts";
import { fieldsOf, KnownFields, TableFields } from "./table-fields.ts";
import { ofGroup, TableMap } from "./table-map.ts";
import { analyzeTables } from "./tables.ts";

export interface SourceInput {
  readonly source: Source;
  readonly introspection: SourceIntrospection;
  readonly options: AnalysisOptions;
  readonly previous: AnalyzedSource | undefined;
  readonly others: OtherSources;
}

/** `undefined` for a source that cannot be served; its tables are left out without entries of their own. */
export function analyzeSource(input: SourceInput, findings: Findings): AnalyzedSource | undefined {
  const { source } = input;
  const dialect = dialectOf(source.kind);
  const previous = sameKind(input);
  const introspection = shareShallow(previous?.introspection, input.introspection);
  const isKnown = previous !== undefined && sameIntrospection(previous.introspection, introspection);
  const given = { ...input, introspection, previous };
  const isReusable = isKnown && !(looksElsewhere(previous) && input.others.anyHasChanged(source.name));
  const analyzed = (isReusable && reuse(previous, given)) || analyzeWhole(given, dialect, findings);
  if (analyzed === undefined) return undefined;
  for (const entry of analyzed.tableInconsistencies) findings.add(entry);
  for (const group of analyzed.tables.groups) for (const entry of inconsistenciesOf(group)) findings.add(entry);
  for (const entry of analyzed.otherInconsistencies) findings.add(entry);
  return analyzed;
}

function analyzeWhole(input: SourceInput, dialect: Dialect, findings: Findings): AnalyzedSource | undefined {
  const { source, introspection, options, previous, others } = input;
  const ofTables = new Findings();
  const ofOthers = new Findings();
  const found = sourceShape(source, introspection, ofTables);
  if (found === undefined) {
    for (const entry of ofTables.entries) findings.add(entry);
    return undefined;
  }
  const shape = shareShape(previous?.shape, found);
  const context = new SourceContext(source, shape, dialect, options);
  const bases = analyzeTables(context, previous, ofTables);
  const fields = analyzeFields(context, bases, previous?.tables, ofTables);
  const elsewhere = { others, looksElsewhere: previous !== undefined && looksElsewhere(previous) };
  const scope = { context, tables: fields, changed: changedTables(fields, previous), ...elsewhere };
  const tables = Array.from(fields, ([key, table]) => analyzeTable(scope, table, previous?.tables.get(key)));
  return shareShallow(previous, {
    name: source.name,
    source,
    introspection,
    shape,
    namingConvention: context.naming.convention,
    tables: TableMap.of(tables, previous?.tables),
    functions: shareMap(previous?.functions, analyzeFunctions(context, fields, ofOthers)),
    ...analyzeNative(
      { context, tables: fields, others, findings: ofOthers, dependencies: new Map() },
      introspection,
      previous,
    ),
    tableInconsistencies: shareList(previous?.tableInconsistencies, ofTables.entries),
    otherInconsistencies: shareList(previous?.otherInconsistencies, ofOthers.entries),
  });
}

/**
 * The previous analysis with the tables made anew whose permissions or event triggers are other ones, or with those that
 * came and without those that went: nothing else in the source looks at them. `undefined` where more is different.
 */
function reuse(
  previous: AnalyzedSource,
  { source, introspection, options, others }: SourceInput,
): AnalyzedSource | undefined {
  if (previous.source === source) return shareShallow(previous, { ...previous, introspection });
  const changed = tablesThatOwnOtherObjects(previous.source, source);
  if (changed === undefined) {
    const tables = analyzeMovedTables(previous, { source, options, others });
    return tables && { ...previous, source, introspection, tables };
  }
  const context = new SourceContext(source, previous.shape, dialectOf(source.kind), options);
  const tablesBefore = new KnownFields(previous.tables);
  const scope = { context, tables: tablesBefore, changed: new Set<string>(), others, looksElsewhere: false };
  const tables = changed.flatMap((table) => {
    const known = previous.tables.get(qualifiedKey(table.table));
    // An inconsistent table stays one.
    if (known === undefined) return [];
    const fields = fieldsOf(known);
    return [analyzeTable(scope, new TableFields({ ...fields.base, table }, fields), known)];
  });
  return { ...previous, source, introspection, tables: previous.tables.with(tables) };
}

/**
 * Whether a row filter of the source follows a relationship to another one, or might, if what it leads to was there.
 * Then what becomes of other sources matters to it.
 */
function looksElsewhere({ name, tables, nativeDependencies, otherInconsistencies }: AnalyzedSource): boolean {
  if (otherInconsistencies.length > 0 || [...nativeDependencies.values()].flat().some(leaves(name))) return true;
  return tables.groups.some((group) => {
    const { isOutside, isFaulty } = outsideUsesOf(group);
    return isOutside || (isFaulty && tables.groups.some((each) => outsideUsesOf(each).hasRemoteRelationships));
  });
}

const leaves =
  (source: string) =>
  ({ on }: Dependency): boolean =>
    on.kind === "table" && on.source !== source;

const outsideUsesOf = ofGroup((group) => ({
  isOutside: group.some(({ source, dependencies }) => [...dependencies.values()].flat().some(leaves(source))),
  isFaulty: group.some(({ inconsistencies }) => inconsistencies.length > 0),
  hasRemoteRelationships: group.some(({ remoteRelationships }) => remoteRelationships.size > 0),
}));

/** Compared in depth only after a new look at the database: what was looked at last stays the same object. */
function sameIntrospection(left: SourceIntrospection, right: SourceIntrospection): boolean {
  return share(left, right) === left;
}

type NativeObjects = Pick<
  AnalyzedSource,
  "logicalModels" | "nativeQueries" | "storedProcedures" | "nativeDependencies"
>;

function analyzeNative(
  scope: ModelScope,
  introspection: SourceIntrospection,
  previous: AnalyzedSource | undefined,
): NativeObjects {
  const checks = "shape" in introspection ? introspection.nativeQueries : undefined;
  const models = analyzeLogicalModels(scope);
  const queries = analyzeNativeQueries({ ...scope, models, checks });
  checkRelationshipsToQueries({ ...scope, models, checks }, queries);
  return {
    logicalModels: shareMap(previous?.logicalModels, models),
    nativeQueries: shareMap(previous?.nativeQueries, queries),
    storedProcedures: shareMap(previous?.storedProcedures, analyzeStoredProcedures({ ...scope, models })),
    nativeDependencies: shareMap(previous?.nativeDependencies, scope.dependencies),
  };
}

/** Another kind of database under the same name has nothing in common with the former. */
function sameKind({ source, previous }: SourceInput): AnalyzedSource | undefined {
  return previous?.source.kind === source.kind ? previous : undefined;
}

/** The tables that row filters see with other eyes than in the previous Analysis. */
function changedTables(
  fields: ReadonlyMap<string, TableFields>,
  previous: AnalyzedSource | undefined,
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [key, table] of fields) {
    const earlier = previous?.tables.get(key);
    if (earlier === undefined || !table.looksLike(earlier)) changed.add(key);
  }
  for (const key of previous?.tables.keys() ?? []) if (!fields.has(key)) changed.add(key);
  return changed;
}

/** Of what its tables own. */
const inconsistenciesOf = ofGroup((group) => group.flatMap(({ inconsistencies }) => inconsistencies));

function analyzeFunctions(
  context: SourceContext,
  tables: ReadonlyMap<string, TableFields>,
  findings: Findings,
): ReadonlyMap<string, AnalyzedFunction> {
  const { name: source, functions: declared } = context.source;
  const keyOf = (tracked: TrackedFunction) => qualifiedKey(tracked.function);
  const objectOf = (tracked: TrackedFunction) => functionObject(source, tracked, context.print(tracked.function));
  const analyzed: AnalyzedFunction[] = [];
  for (const tracked of findings.withoutDuplicates(declared, keyOf, objectOf)) {
    const place = `in function "${context.print(tracked.function)}": `;
    const result = findings.attempt(
      () => objectOf(tracked),
      place,
      () => resolveFunction(context, tables, tracked),
    );
    if (result !== undefined) analyzed.push(result);
  }
  analyzed.sort(bySchemaAndName);
  return new Map(analyzed.map((each) => [each.key, each]));
}

function bySchemaAndName(left: AnalyzedFunction, right: AnalyzedFunction): number {
  const [a, b] = [left.function.function, right.function.function];
  if (a.schema !== b.schema) return a.schema < b.schema ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
