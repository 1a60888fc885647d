/**
 * Analyses a source in which some tables were changed, added or removed, in the metadata or in the database. Only these
 * tables and their dependents are analysed.
 */
import type { Source, Table } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import type { Shape } from "../shape/shape.ts";
import { type AnalysisOptions, type AnalyzedSource, qualifiedKey, type SourceIntrospection } from "./analysis.ts";
import { analyzeFunctions } from "./analyze-functions.ts";
import { analyzeTable } from "./analyze-table.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import { analyzeFields } from "./fields.ts";
import { sameButTables } from "./owned-objects.ts";
import type { OtherSources } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
import { share, shareMap, shareShallow, shareShape } from "./share.ts";
import { SourceContext } from "./source-context.ts";
import { fieldsOf, KnownFields, type TableFields } from "./table-fields.ts";
import { ofGroup, type TableGroup, TableMap } from "./table-map.ts";
import { analyzeTables, type NamedTables, type TableBase } from "./tables.ts";

/** Above this number of changes the whole source is analysed. */
const maxChanges = 100;

interface Input {
  readonly source: Source;
  readonly introspection: SourceIntrospection;
  readonly options: AnalysisOptions;
  readonly others: OtherSources;
}

/** Changed tables and functions by key. */
interface Changes {
  /** Current metadata of each table; `undefined` for a table that is no longer tracked. */
  readonly tables: ReadonlyMap<string, Table | undefined>;
  readonly functions: ReadonlySet<string>;
}

/** Returns `undefined` if the whole source must be analysed, or if an object is inconsistent. */
export function analyzeChangedTables(
  previous: AnalyzedSource,
  { source, introspection, options, others }: Input,
): AnalyzedSource | undefined {
  const shape = sharedShape(previous, introspection);
  if (shape === undefined || !sameButTables(previous.source, source) || hasFaults(previous)) return undefined;
  const changes = changesOf(previous, source, shape);
  if (changes === undefined || involvesEnums(previous, changes) || involvesQueries(previous, changes)) {
    return undefined;
  }
  const findings = new Findings();
  const dialect = dialectOf(source.kind);
  const tables = [...changes.tables.values()].filter((table) => table !== undefined);
  const ofChanged = new SourceContext({ ...source, tables }, shape, dialect, options);
  const bases = analyzeTables(ofChanged, previous, findings, enumsOf(previous));
  const unchanged = new UnchangedTables(previous.tables, changes);
  const all = new MergedTables(unchanged, bases);
  const context = new SourceContext(source, shape, dialect, options);
  const owners = [...bases.values(), ...unchanged.named(dependentTables(previous, changes))];
  const fields = analyzeFields({ context, tables: all }, owners, previous.tables, findings);
  const changed = keysOfChangedTables(previous, changes, fields);
  const scope = {
    context,
    tables: new KnownFields(unchanged, fields),
    changed,
    others,
    dependsOnOtherSources: false,
  };
  const filtering = unchanged.named(namedBy(previous, changed, tablesByNeed)).filter(({ key }) => !fields.has(key));
  const analyzed = [...fields.values(), ...filtering.map(fieldsOf)].map((own) =>
    analyzeTable(scope, own, previous.tables.get(own.base.key)),
  );
  const functions = analyzeFunctions(context, all, findings);
  if (findings.entries.length > 0 || analyzed.some(isFaulty)) return undefined;
  return shareShallow(previous, {
    ...previous,
    source,
    introspection,
    shape,
    tables: withAnalyzed(previous.tables, changes, analyzed),
    functions: shareMap(previous.functions, functions),
  });
}

/**
 * Returns the new shape; `undefined` if the database could not be introspected, or if relevant parts besides tables and
 * functions changed.
 */
function sharedShape(previous: AnalyzedSource, introspection: SourceIntrospection): Shape | undefined {
  const before = previous.introspection;
  if (!("shape" in introspection && "shape" in before)) return undefined;
  if (share(before.nativeQueries, introspection.nativeQueries) !== before.nativeQueries) return undefined;
  const shape = shareShape(previous.shape, introspection.shape);
  const { tables, functions, types, ...others } = shape;
  const { tables: _tables, functions: _functions, types: typesBefore, ...othersBefore } = previous.shape;
  if (share<object>(othersBefore, others) !== othersBefore) return undefined;
  // Logical models and arguments of native queries refer to types by name.
  return types === typesBefore || !hasQueries(previous.source) ? shape : undefined;
}

function hasQueries({ logical_models, native_queries, stored_procedures }: Source): boolean {
  return logical_models.length + native_queries.length + stored_procedures.length > 0;
}

/** Returns true if the source has inconsistent objects: an added object may repair them. */
function hasFaults({ tables, tableInconsistencies, otherInconsistencies }: AnalyzedSource): boolean {
  if (tableInconsistencies.length + otherInconsistencies.length > 0) return true;
  return tables.groups.some(isFaultyGroup);
}

const isFaulty = ({ inconsistencies, dangling }: AnalyzedTable): boolean =>
  inconsistencies.length + dangling.length > 0;

const isFaultyGroup = ofGroup((group) => group.some(isFaulty));

// ---------------------------------------------------------------- changes

/** Finds changes by identity. Returns `undefined` if there are too many changes or a table occurs twice. */
function changesOf(previous: AnalyzedSource, source: Source, shape: Shape): Changes | undefined {
  const inMetadata = difference(previous.source.tables, source.tables);
  const inDatabase = difference(previous.shape.tables, shape.tables);
  const shapes = new Set([...inDatabase.gone, ...inDatabase.new].map(qualifiedKey));
  if (inMetadata.gone.length + inMetadata.new.length + shapes.size > maxChanges) return undefined;
  if (source.tables.length !== new Set(source.tables).size) return undefined;
  const tables = new Map<string, Table | undefined>();
  for (const { table } of inMetadata.gone) tables.set(qualifiedKey(table), undefined);
  for (const table of inMetadata.new) {
    const key = qualifiedKey(table.table);
    const isTwice = tables.get(key) !== undefined || (previous.tables.has(key) && !tables.has(key));
    if (isTwice) return undefined;
    tables.set(key, table);
  }
  for (const key of shapes) {
    const tracked = previous.tables.get(key);
    if (tracked !== undefined && !tables.has(key)) tables.set(key, tracked.table);
  }
  const functions = difference(previous.shape.functions, shape.functions);
  return { tables, functions: new Set([...functions.gone, ...functions.new].map(qualifiedKey)) };
}

/** Returns the items that only one of the lists contains. */
function difference<T>(
  before: readonly T[],
  after: readonly T[],
): { readonly gone: readonly T[]; readonly new: readonly T[] } {
  if (before === after) return { gone: [], new: [] };
  const [known, now] = [new Set(before), new Set(after)];
  return { gone: before.filter((item) => !now.has(item)), new: after.filter((item) => !known.has(item)) };
}

// ---------------------------------------------------------------- dependents of changes

/** Returns true if an enum table changed: columns of any table may contain its values. */
function involvesEnums({ tables }: AnalyzedSource, changes: Changes): boolean {
  return [...changes.tables].some(([key, table]) => table?.is_enum || tables.get(key)?.table.is_enum);
}

/**
 * Returns true if native queries or logical models depend on a changed table, or if a changed table depends on them.
 */
function involvesQueries({ name, nativeDependencies }: AnalyzedSource, { tables }: Changes): boolean {
  const isNamed = [...nativeDependencies.values()].flat().some(({ on }) => {
    return on.kind === "table" && on.source === name && tables.has(qualifiedKey(on.table));
  });
  return isNamed || [...tables.values()].some((table) => table !== undefined && leadsToQuery(table));
}

function leadsToQuery({ object_relationships, array_relationships }: Table): boolean {
  return [...object_relationships, ...array_relationships].some(
    ({ using }) => "manual_configuration" in using && using.manual_configuration.remote_table === undefined,
  );
}

const enumsOfGroup = ofGroup((group) => group.filter(({ table }) => table.is_enum));

function enumsOf({ tables }: AnalyzedSource): ReadonlyMap<string, AnalyzedTable> {
  return new Map(tables.groups.flatMap(enumsOfGroup).map((table) => [table.key, table]));
}

/** Returns the keys of tables with relationships or computed fields based on a changed object. */
function dependentTables(source: AnalyzedSource, { tables, functions }: Changes): ReadonlySet<string> {
  return new Set([
    ...namedBy(source, new Set(tables.keys()), tablesByTarget),
    ...namedBy(source, functions, tablesByFunction),
  ]);
}

/** Keys of the tables in a group, by the key of the object that the tables refer to. */
type NamingIndex = (group: TableGroup) => ReadonlyMap<string, readonly string[]>;

/** Returns the keys of the tables that refer to one of `keys`. */
function namedBy({ tables }: AnalyzedSource, keys: ReadonlySet<string>, index: NamingIndex): ReadonlySet<string> {
  const naming = new Set<string>();
  if (keys.size === 0) return naming;
  for (const group of tables.groups) {
    const byKey = index(group);
    for (const key of keys) for (const table of byKey.get(key) ?? []) naming.add(table);
  }
  return naming;
}

function namingIndex(keysOf: (table: AnalyzedTable) => Iterable<string>): NamingIndex {
  return ofGroup((group) => {
    const index = new Map<string, string[]>();
    for (const table of group) {
      for (const key of new Set(keysOf(table))) index.set(key, [...(index.get(key) ?? []), table.key]);
    }
    return index;
  });
}

const tablesByTarget = namingIndex(targets);

const tablesByFunction = namingIndex(({ computedFields }) =>
  Array.from(computedFields.values(), ({ field }) => qualifiedKey(field.definition.function)),
);

/** Keys of tables by the tables that their row filters depend on. */
const tablesByNeed = namingIndex(function* ({ source, dependencies }) {
  for (const own of dependencies.values()) {
    for (const { on } of own) if (on.kind === "table" && on.source === source) yield qualifiedKey(on.table);
  }
});

/** Yields the targets of relationships and computed fields. */
function* targets({ relationships, computedFields }: AnalyzedTable): Iterable<string> {
  for (const { target } of relationships.values()) yield target;
  for (const { returns } of computedFields.values()) if (returns.kind === "table") yield returns.target;
}

/** Returns the keys of tables whose changes require that row filters of other tables are bound again. */
function keysOfChangedTables(
  { tables }: AnalyzedSource,
  changes: Changes,
  fields: ReadonlyMap<string, TableFields>,
): ReadonlySet<string> {
  return new Set(
    [...changes.tables.keys(), ...fields.keys()].filter((key) => {
      const [own, earlier] = [fields.get(key), tables.get(key)];
      return own === undefined || earlier === undefined || !own.isEquivalentTo(earlier);
    }),
  );
}

// ---------------------------------------------------------------- unchanged tables

/** The unchanged tables of the previous analysis, without copying them: a source may have thousands. */
class UnchangedTables implements NamedTables<AnalyzedTable> {
  readonly #tables: TableMap;
  readonly #changed: Changes["tables"];

  constructor(tables: TableMap, { tables: changed }: Changes) {
    this.#tables = tables;
    this.#changed = changed;
  }

  get(key: string): AnalyzedTable | undefined {
    return this.#changed.has(key) ? undefined : this.#tables.get(key);
  }

  has(key: string): boolean {
    return !this.#changed.has(key) && this.#tables.has(key);
  }

  *values(): Generator<AnalyzedTable, undefined> {
    for (const [key, table] of this.#tables) if (!this.#changed.has(key)) yield table;
  }

  named(keys: Iterable<string>): readonly AnalyzedTable[] {
    return Array.from(keys, (key) => this.get(key)).filter((table) => table !== undefined);
  }
}

class MergedTables implements NamedTables<TableBase> {
  readonly #unchanged: UnchangedTables;
  readonly #changed: ReadonlyMap<string, TableBase>;

  constructor(unchanged: UnchangedTables, others: ReadonlyMap<string, TableBase>) {
    this.#unchanged = unchanged;
    this.#changed = others;
  }

  get(key: string): TableBase | undefined {
    return this.#changed.get(key) ?? this.#unchanged.get(key);
  }

  has(key: string): boolean {
    return this.#changed.has(key) || this.#unchanged.has(key);
  }

  *values(): Generator<TableBase, undefined> {
    yield* this.#unchanged.values();
    yield* this.#changed.values();
  }
}

/** Returns the tables with the analysed ones replaced or added, and without the removed ones. */
function withAnalyzed(tables: TableMap, { tables: changed }: Changes, analyzed: readonly AnalyzedTable[]): TableMap {
  const isSameList = [...changed].every(([key, table]) => tables.has(key) === (table !== undefined));
  if (isSameList) return tables.with(analyzed);
  const now = new Set(analyzed.map(({ key }) => key));
  const all = tables.groups.flatMap((group) => group.filter(({ key }) => !changed.has(key) && !now.has(key)));
  for (const table of analyzed) all.splice(positionFor(table, all), 0, table);
  return TableMap.of(all, tables);
}

/** Returns the insertion index for a table in a sorted list. */
function positionFor(table: AnalyzedTable, tables: readonly AnalyzedTable[]): number {
  let [low, high] = [0, tables.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = tables[middle];
    if (other && bySchemaAndName(other, table) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bySchemaAndName(
  { table: { table: left } }: AnalyzedTable,
  { table: { table: right } }: AnalyzedTable,
): number {
  if (left.schema !== right.schema) return left.schema < right.schema ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
