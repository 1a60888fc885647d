/**
 * Analyses one source. Input: its metadata and introspection result; output: its consistent objects, and an
 * inconsistency for each of its other objects.
 */

import type { Source, Table } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import { type AnalysisOptions, type AnalyzedSource, qualifiedKey, type SourceIntrospection } from "./analysis.ts";
import { analyzeFunctions } from "./analyze-functions.ts";
import { analyzeTable } from "./analyze-table.ts";
import { analyzeChangedTables } from "./changed-tables.ts";
import { analyzeFields } from "./fields.ts";
import type { Dependency } from "./object-id.ts";
import { tablesWithChangedObjects } from "./owned-objects.ts";
import type { OtherSources } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
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

/** Returns `undefined` for a source that cannot be served. Its tables are left out without separate inconsistencies. */
export function analyzeSource(input: SourceInput, findings: Findings): AnalyzedSource | undefined {
  const { source } = input;
  const dialect = dialectOf(source.kind);
  const previous = sameKind(input);
  const introspection = shareShallow(previous?.introspection, input.introspection);
  const given = { ...input, introspection, previous };
  const isReusable =
    previous !== undefined && !(dependsOnOtherSources(previous) && input.others.anyHasChanged(source.name));
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
  const fields = analyzeFields({ context, tables: bases }, bases.values(), previous?.tables, ofTables);
  const crossSource = { others, dependsOnOtherSources: previous !== undefined && dependsOnOtherSources(previous) };
  const scope = { context, tables: fields, changed: changedTables(fields, previous), ...crossSource };
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
 * Returns the previous analysis with the changed tables analysed again; `undefined` if the whole source must be
 * analysed.
 */
function reuse(previous: AnalyzedSource, given: SourceInput): AnalyzedSource | undefined {
  const { source, introspection } = given;
  if (!sameIntrospection(previous.introspection, introspection)) return analyzeChangedTables(previous, given);
  if (previous.source === source) return shareShallow(previous, { ...previous, introspection });
  const changed = tablesWithChangedObjects(previous.source, source);
  return changed ? withOwnedObjects(previous, given, changed) : analyzeChangedTables(previous, given);
}

/** Analyses only the changed tables: no other object of a source depends on permissions and event triggers. */
function withOwnedObjects(
  previous: AnalyzedSource,
  { source, introspection, options, others }: SourceInput,
  changed: readonly Table[],
): AnalyzedSource {
  const context = new SourceContext(source, previous.shape, dialectOf(source.kind), options);
  const fields = new Map<string, TableFields>();
  for (const table of changed) {
    const known = previous.tables.get(qualifiedKey(table.table));
    // Changes of permissions and event triggers cannot make an inconsistent table consistent.
    if (known === undefined) continue;
    const before = fieldsOf(known);
    fields.set(known.key, new TableFields({ ...before.base, table }, before));
  }
  const tablesNow = new KnownFields(previous.tables, fields);
  const scope = { context, tables: tablesNow, changed: new Set<string>(), others, dependsOnOtherSources: false };
  const tables = Array.from(fields, ([key, own]) => analyzeTable(scope, own, previous.tables.get(key)));
  return { ...previous, source, introspection, tables: previous.tables.with(tables) };
}

/**
 * Returns true if a row filter of the source follows a relationship to another source, or might follow one once its
 * target exists. The source then depends on changes of other sources.
 */
function dependsOnOtherSources({ name, tables, nativeDependencies, otherInconsistencies }: AnalyzedSource): boolean {
  if (otherInconsistencies.length > 0 || [...nativeDependencies.values()].flat().some(leaves(name))) return true;
  return tables.groups.some((group) => {
    const { isCrossSource, isFaulty } = crossSourceUsesOf(group);
    return isCrossSource || (isFaulty && tables.groups.some((each) => crossSourceUsesOf(each).hasRemoteRelationships));
  });
}

const leaves =
  (source: string) =>
  ({ on }: Dependency): boolean =>
    on.kind === "table" && on.source !== source;

const crossSourceUsesOf = ofGroup((group) => ({
  isCrossSource: group.some(({ source, dependencies }) => [...dependencies.values()].flat().some(leaves(source))),
  isFaulty: group.some(({ inconsistencies }) => inconsistencies.length > 0),
  hasRemoteRelationships: group.some(({ remoteRelationships }) => remoteRelationships.size > 0),
}));

/** Compares deeply only after a new introspection: otherwise both results are the same object. */
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

/** Returns the previous analysis if the source still has the same kind. Nothing is reused after a change of kind. */
function sameKind({ source, previous }: SourceInput): AnalyzedSource | undefined {
  return previous?.source.kind === source.kind ? previous : undefined;
}

/** Returns the keys of tables whose changes require that row filters of other tables are bound again. */
function changedTables(
  fields: ReadonlyMap<string, TableFields>,
  previous: AnalyzedSource | undefined,
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [key, table] of fields) {
    const earlier = previous?.tables.get(key);
    if (earlier === undefined || !table.isEquivalentTo(earlier)) changed.add(key);
  }
  for (const key of previous?.tables.keys() ?? []) if (!fields.has(key)) changed.add(key);
  return changed;
}

const inconsistenciesOf = ofGroup((group) => group.flatMap(({ inconsistencies }) => inconsistencies));
