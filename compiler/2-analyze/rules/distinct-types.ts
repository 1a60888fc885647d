/**
 * Decides without reading all tables that a change causes no collision between types. Most changes concern a few tables
 * whose type names are unique. For the others, `type-collisions.ts` compares all types.
 */
import { dialectOf } from "../../dialects/index.ts";
import type { AnalyzedSource } from "../analysis.ts";
import type { AnalyzedTable } from "../analyzed-table.ts";
import { ofGroup } from "../table-map.ts";
import { definesTheSame } from "./root-fields.ts";
import { comparisonsOfScalar, fixedTypes, isNamespace, namingOf, SourceTypes, scalarColumns } from "./type-names.ts";

type Sources = ReadonlyMap<string, AnalyzedSource>;

/**
 * Returns true only if the change causes no collision.
 * @param previous sources without collisions
 */
export function haveDistinctTypes(sources: Sources, previous: Sources): boolean {
  const changed = changedTables(sources, previous);
  if (changed === undefined || changed.length > maxTables) return false;
  if (changed.length === 0) return true;
  const known = new KnownTypes(sources);
  return changed.every((change) => known.areDistinct(change));
}

/** Above this number of tables, comparing all types is faster. */
const maxTables = 20;

interface Change {
  readonly source: AnalyzedSource;
  readonly table: AnalyzedTable;
}

/** Returns the tables whose types changed; `undefined` if other types, or types of other tables, may have changed. */
function changedTables(sources: Sources, previous: Sources): readonly Change[] | undefined {
  const changes: Change[] = [];
  for (const [name, source] of sources) {
    const earlier = previous.get(name);
    if (earlier === undefined || earlier.logicalModels !== source.logicalModels) return undefined;
    if (!definesTheSame(source, earlier)) return undefined;
    for (const [table, before] of source.tables.changesSince(earlier.tables)) {
      if (before !== undefined && hasSameType(table, before)) continue;
      // Other tables refer to a renamed type.
      if (before !== undefined && before.graphqlName !== table.graphqlName) return undefined;
      changes.push({ source, table });
    }
  }
  return changes;
}

function hasSameType(table: AnalyzedTable, before: AnalyzedTable): boolean {
  return (
    table.graphqlName === before.graphqlName &&
    table.shape === before.shape &&
    table.columns === before.columns &&
    table.relationships === before.relationships &&
    table.computedFields === before.computedFields &&
    table.remoteRelationships === before.remoteRelationships
  );
}

/** Inputs of arguments, and inputs that compare scalars of the whole database, are compared with all types. */
const inputName = /(?:exp|input|args|arguments)$/i;

/** The types of a schema, found by name without reading the tables of unchanged groups. */
class KnownTypes {
  readonly #sources: ReadonlyMap<AnalyzedSource, SourceTypes>;
  readonly #scalars: ReadonlySet<string>;
  readonly #models: ReadonlySet<string>;
  readonly #tables: readonly ReadonlyMap<string, number>[];

  constructor(sources: Sources) {
    const all = [...sources.values()];
    this.#sources = new Map(all.map((source) => [source, new SourceTypes(source)]));
    this.#scalars = new Set(scalarColumns(sources).keys());
    this.#models = new Set(all.flatMap(modelTypes));
    this.#tables = all.flatMap(tableTypes);
  }

  /** Returns true only if no type of the table has the name of another type. */
  areDistinct({ source, table }: Change): boolean {
    const { graphqlName, computedFields } = table;
    if (graphqlName === null) return true;
    const name = namingOf(source).type(graphqlName);
    if (computedFields.size > 0 || inputName.test(name) || this.#countOf(name) !== 1) return false;
    if (fixedTypes.has(name) || this.#scalars.has(name)) return false;
    for (const [other, types] of this.#sources) {
      if (isNamespace(name, other) || this.#hasAny(types.possibleOwners(name))) return false;
    }
    const generated = this.#sources.get(source)?.generatedFor(graphqlName) ?? [];
    return !this.#hasAny(generated) && !this.#hasAny(typesOfColumns(table, source));
  }

  #hasAny(names: Iterable<string>): boolean {
    for (const name of names) if (this.#countOf(name) > 0) return true;
    return false;
  }

  /** Returns the number of tables and models with an object type of this name. */
  #countOf(name: string): number {
    let count = this.#models.has(name) ? 1 : 0;
    for (const types of this.#tables) count += types.get(name) ?? 0;
    return count;
  }
}

function modelTypes(source: AnalyzedSource): readonly string[] {
  const { logicalModels, nativeQueries, storedProcedures } = source;
  const naming = namingOf(source);
  const rows = [...nativeQueries.values(), ...storedProcedures.values()].map(({ model }) => model.name);
  return [...logicalModels.keys(), ...rows].map((name) => naming.type(name));
}

/** Yields the scalars of the columns and their inputs. */
function* typesOfColumns({ columns }: AnalyzedTable, source: AnalyzedSource): Generator<string> {
  const dialect = dialectOf(source.source.kind);
  const naming = namingOf(source);
  for (const { shape } of columns) {
    const scalar = dialect.scalarOf(dialect.scalarCall(shape.type)).graphql;
    yield scalar;
    yield* comparisonsOfScalar(scalar, naming);
  }
}

/** Number of tables by object type in a group of tables, by the naming of their source. */
const typesByNaming = ofGroup(() => new Map<string, ReadonlyMap<string, number>>());

/** Returns the number of tables by object type, for each group of tables. */
function tableTypes(source: AnalyzedSource): readonly ReadonlyMap<string, number>[] {
  const naming = namingOf(source);
  // The name of a type whose base is a character that no name contains shows the prefix and the suffix.
  const key = `${source.namingConvention} ${naming.type("\u0000")}`;
  return source.tables.groups.map((group) => {
    const byNaming = typesByNaming(group);
    const known = byNaming.get(key);
    if (known !== undefined) return known;
    const types = new Map<string, number>();
    for (const { graphqlName } of group) {
      if (graphqlName === null) continue;
      const name = naming.type(graphqlName);
      types.set(name, (types.get(name) ?? 0) + 1);
    }
    byNaming.set(key, types);
    return types;
  });
}
