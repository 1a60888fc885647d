/**
 * A source to which tables came, or from which tables went, and in which nothing else changed: the others stay as they
 * were analysed, where none of them looks at what came or went.
 */
import type { Source, Table } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { type AnalysisOptions, type AnalyzedSource, qualifiedKey } from "./analysis.ts";
import { analyzeTable } from "./analyze-table.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import { analyzeOwnFields } from "./fields.ts";
import { sameButTables } from "./owned-objects.ts";
import type { OtherSources } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
import { SourceContext } from "./source-context.ts";
import { KnownFields, type TableFields, type TablesByKey } from "./table-fields.ts";
import { ofGroup, TableMap } from "./table-map.ts";
import { analyzeTables, type TableBase } from "./tables.ts";

/** Of more, all tables are looked at. */
const mostMoved = 100;

interface MovedTables {
  readonly added: readonly Table[];
  /** By `qualifiedKey`. */
  readonly removed: ReadonlySet<string>;
}

/** The analysis of the tables; `undefined` where others have to be looked at again, or something is inconsistent. */
export function analyzeMovedTables(
  previous: AnalyzedSource,
  {
    source,
    options,
    others,
  }: { readonly source: Source; readonly options: AnalysisOptions; readonly others: OtherSources },
): TableMap | undefined {
  const moved = movedTables(previous.source, source);
  if (moved === undefined || hasFaults(previous) || [...moved.removed].some((key) => isNeeded(previous, key))) {
    return undefined;
  }
  const { shape } = previous;
  const dialect = dialectOf(source.kind);
  const findings = new Findings();
  const coming = new SourceContext({ ...source, tables: moved.added }, shape, dialect, options);
  const bases = analyzeTables(coming, undefined, findings);
  if ([...bases.values()].some((base) => refersToEnum(base, previous))) return undefined;
  const staying = [...previous.tables].filter(([key]) => !moved.removed.has(key));
  const all = new Map<string, TableBase>([...staying, ...bases]);
  const context = new SourceContext(source, shape, dialect, options);
  const fields = new Map(Array.from(bases, ([key, base]) => [key, analyzeOwnFields(context, all, base, findings)]));
  const tables = new FieldsWithMore(new KnownFields(new Map(staying)), fields);
  const scope = { context, tables, changed: new Set<string>(), others, looksElsewhere: false };
  const analyzed = Array.from(fields.values(), (own) => analyzeTable(scope, own, undefined));
  if (findings.entries.length > 0 || analyzed.some(({ inconsistencies }) => inconsistencies.length > 0))
    return undefined;
  const sorted = [...staying.map(([, table]) => table), ...analyzed].sort(bySchemaAndName);
  return TableMap.of(sorted, previous.tables);
}

/** Told by identity. `undefined`: something else is different, or a table is another object. */
function movedTables(before: Source, after: Source): MovedTables | undefined {
  if (!sameButTables(before, after)) return undefined;
  const [known, now] = [new Set(before.tables), new Set(after.tables)];
  const added = after.tables.filter((table) => !known.has(table));
  const removed = before.tables.filter((table) => !now.has(table));
  if (added.length + removed.length > mostMoved) return undefined;
  const keys = new Set([...added, ...removed].map(({ table }) => qualifiedKey(table)));
  // One that is there twice, or in another form, is more than a table that came or went.
  if (keys.size !== added.length + removed.length || now.size !== after.tables.length) return undefined;
  if ([...added, ...removed].some(({ is_enum }) => is_enum)) return undefined;
  return { added, removed: new Set(removed.map(({ table }) => qualifiedKey(table))) };
}

/** What was left out before may have lacked a table that came. */
function hasFaults({ tables, tableInconsistencies, otherInconsistencies }: AnalyzedSource): boolean {
  if (tableInconsistencies.length + otherInconsistencies.length > 0) return true;
  return tables.groups.some(isFaulty);
}

const isFaulty = ofGroup((group) =>
  group.some(({ inconsistencies, dangling }) => inconsistencies.length + dangling.length > 0),
);

function refersToEnum({ shape }: TableBase, { tables }: AnalyzedSource): boolean {
  return shape.foreignKeys.some(({ foreignTable }) => tables.get(qualifiedKey(foreignTable))?.table.is_enum);
}

/** Whether anything besides the table itself looks at it. */
function isNeeded({ name, tables, functions, nativeDependencies }: AnalyzedSource, key: string): boolean {
  if (tables.groups.some((group) => neededBy(group).has(key))) return true;
  if ([...functions.values()].some(({ target }) => target === key)) return true;
  return [...nativeDependencies.values()].flat().some(({ on }) => {
    return on.kind === "table" && on.source === name && qualifiedKey(on.table) === key;
  });
}

/** The keys of tables that tables of the group look at, without themselves. */
const neededBy = ofGroup((group): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const table of group) for (const key of lookedAt(table)) if (key !== table.key) keys.add(key);
  return keys;
});

function* lookedAt({ source, dependencies, relationships, computedFields }: AnalyzedTable): Iterable<string> {
  for (const { target } of relationships.values()) yield target;
  for (const { returns } of computedFields.values()) if (returns.kind === "table") yield returns.target;
  for (const own of dependencies.values()) {
    for (const { on } of own) if (on.kind === "table" && on.source === source) yield qualifiedKey(on.table);
  }
}

/** Tables that are known, and those that came. */
class FieldsWithMore implements TablesByKey {
  readonly #known: TablesByKey;
  readonly #more: ReadonlyMap<string, TableFields>;

  constructor(known: TablesByKey, more: ReadonlyMap<string, TableFields>) {
    this.#known = known;
    this.#more = more;
  }

  get(key: string): TableFields | undefined {
    return this.#more.get(key) ?? this.#known.get(key);
  }

  *values(): Iterable<TableFields> {
    yield* this.#known.values();
    yield* this.#more.values();
  }
}

function bySchemaAndName(
  { table: { table: left } }: AnalyzedTable,
  { table: { table: right } }: AnalyzedTable,
): number {
  if (left.schema !== right.schema) return left.schema < right.schema ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
