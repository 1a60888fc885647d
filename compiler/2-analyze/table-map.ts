/**
 * The tables of a source by key, sorted by schema and name, in groups of consecutive tables. Changing a table replaces
 * its group and shares all other groups, so that values derived from a group are computed again only for changed
 * groups. A change copies one group and the list of groups, however many tables the source has.
 */
import type { AnalyzedTable } from "./analyzed-table.ts";

/** Consecutive tables. Immutable: a changed table creates a new group. */
export type TableGroup = readonly AnalyzedTable[];

/** About the square root of a large number of tables, to balance the number of groups and their size. */
const groupSize = 32;
/** Maximum size of a group after tables were added. */
const maxGroupSize = 2 * groupSize;

/** Positions of the tables in a map; shared by maps with the same keys. */
interface Places {
  /** By key, counted across all groups. */
  readonly positions: ReadonlyMap<string, number>;
  /** Position of the first table of each group. */
  readonly starts: readonly number[];
}

export class TableMap implements ReadonlyMap<string, AnalyzedTable> {
  readonly #groups: readonly TableGroup[];
  readonly #places: Places;

  private constructor(groups: readonly TableGroup[], places: Places) {
    this.#groups = groups;
    this.#places = places;
  }

  /**
   * Builds a map.
   * @param tables sorted by schema and name, with unique keys
   * @param previous a map whose unchanged groups are reused; the result if nothing changed
   */
  static of(tables: readonly AnalyzedTable[], previous?: TableMap): TableMap {
    const known = previous === undefined ? [] : previous.#groups;
    const before = new Map(known.map((group) => [group[0]?.key, group]));
    const groups = inGroups(tables, before).map((group) => sameItems(before.get(group[0]?.key), group));
    if (previous !== undefined && sameItems(known, groups) === known) return previous;
    return new TableMap(groups, placesIn(groups));
  }

  get groups(): readonly TableGroup[] {
    return this.#groups;
  }

  get size(): number {
    return this.#places.positions.size;
  }

  get(key: string): AnalyzedTable | undefined {
    const place = this.#placeOf(key);
    return place && this.#groups[place.index]?.[place.position];
  }

  has(key: string): boolean {
    return this.#places.positions.has(key);
  }

  /** Returns the map with these tables replaced by key, or the same map if nothing changed. */
  with(tables: Iterable<AnalyzedTable>): TableMap {
    const groups = [...this.#groups];
    for (const table of tables) {
      const place = this.#placeOf(table.key);
      if (place === undefined || groups[place.index]?.[place.position] === table) continue;
      groups[place.index] = groups[place.index]?.with(place.position, table) ?? [];
    }
    return sameItems(this.#groups, groups) === this.#groups ? this : new TableMap(groups, this.#places);
  }

  /** Returns the group of a table and its position there. */
  #placeOf(key: string): { readonly index: number; readonly position: number } | undefined {
    const { positions, starts } = this.#places;
    const position = positions.get(key);
    if (position === undefined) return undefined;
    let index = 0;
    for (let end = starts.length; end - index > 1; ) {
      const middle = (index + end) >> 1;
      if ((starts[middle] ?? 0) <= position) index = middle;
      else end = middle;
    }
    return { index, position: position - (starts[index] ?? 0) };
  }

  /** Returns the map with each group mapped. Tables must keep their keys and positions. */
  mapGroups(change: (group: TableGroup) => TableGroup): TableMap {
    return new TableMap(this.#groups.map(change), this.#places);
  }

  /** Yields the tables that are not identical in `earlier`, with their earlier versions. */
  *changesSince(earlier: TableMap): Iterable<readonly [AnalyzedTable, AnalyzedTable | undefined]> {
    const known = new Set(earlier.groups);
    for (const group of this.#groups) {
      if (known.has(group)) continue;
      for (const table of group) {
        const before = earlier.get(table.key);
        if (before !== table) yield [table, before];
      }
    }
  }

  *values(): Generator<AnalyzedTable, undefined> {
    for (const group of this.#groups) yield* group;
  }

  *keys(): Generator<string, undefined> {
    for (const group of this.#groups) for (const { key } of group) yield key;
  }

  *entries(): Generator<[string, AnalyzedTable], undefined> {
    for (const group of this.#groups) for (const table of group) yield [table.key, table];
  }

  [Symbol.iterator](): Generator<[string, AnalyzedTable], undefined> {
    return this.entries();
  }

  forEach(visit: (table: AnalyzedTable, key: string, map: ReadonlyMap<string, AnalyzedTable>) => void): void {
    for (const group of this.#groups) for (const table of group) visit(table, table.key, this);
  }
}

/** Caches the result of `work` for each group, as long as the group exists. `work` must not depend on anything else. */
export function ofGroup<T>(work: (group: TableGroup) => T): (group: TableGroup) => T {
  const known = new WeakMap<TableGroup, { readonly value: T }>();
  return (group) => {
    let made = known.get(group);
    if (made === undefined) {
      made = { value: work(group) };
      known.set(group, made);
    }
    return made.value;
  };
}

/** Roles named by a permission on a table of the group. */
export const rolesOfGroup = ofGroup((group): ReadonlySet<string> => {
  const roles = new Set<string>();
  for (const { select, insert, update, delete: remove } of group) {
    for (const permissions of [select, insert, update, remove]) for (const role of permissions.keys()) roles.add(role);
  }
  return roles;
});

/**
 * Splits tables into groups, starting a group where one started before, so that added and removed tables do not shift
 * the other groups.
 */
function inGroups(tables: readonly AnalyzedTable[], before: ReadonlyMap<string | undefined, TableGroup>): TableGroup[] {
  const limit = before.size === 0 ? groupSize : maxGroupSize;
  const groups: AnalyzedTable[][] = [];
  let group: AnalyzedTable[] | undefined;
  for (const table of tables) {
    if (group === undefined || group.length >= limit || before.has(table.key)) {
      group = [];
      groups.push(group);
    }
    group.push(table);
  }
  return groups;
}

function placesIn(groups: readonly TableGroup[]): Places {
  const positions = new Map<string, number>();
  const starts: number[] = [];
  for (const group of groups) {
    starts.push(positions.size);
    for (const { key } of group) positions.set(key, positions.size);
  }
  return { positions, starts };
}

/** Returns `before` if it has the same items. */
function sameItems<T>(before: readonly T[] | undefined, items: readonly T[]): readonly T[] {
  const isSame = before?.length === items.length && items.every((item, i) => item === before[i]);
  return isSame ? before : items;
}
