/**
 * The tables of a source by key, in order of schema and name, in groups that follow each other. A change of some tables
 * makes their groups anew and shares all others, so that what follows from a group alone is worked out for those few:
 * a change costs a group and the list of groups, not all tables, of which there may be thousands.
 */
import type { AnalyzedTable } from "./analyzed-table.ts";

/** Tables that follow each other. Immutable: another table makes another group. */
export type TableGroup = readonly AnalyzedTable[];

/** About the square root of a large number of tables: then there are about as many groups as tables in one of them. */
const groupSize = 32;
/** Of a group that tables came to. */
const mostInGroup = 2 * groupSize;

/** Where the tables of a map stand; shared by the maps with the same keys. */
interface Places {
  /** By key, counted over all groups. */
  readonly positions: ReadonlyMap<string, number>;
  /** Of the first table of each group. */
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
   * @param tables in the order of schema and name, each with a key of its own
   * @param previous whose groups are kept where they have the same tables; itself if all of them do
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

  /** With other tables in the places of those with their keys; itself if they are the same. */
  with(tables: Iterable<AnalyzedTable>): TableMap {
    const groups = [...this.#groups];
    for (const table of tables) {
      const place = this.#placeOf(table.key);
      if (place === undefined || groups[place.index]?.[place.position] === table) continue;
      groups[place.index] = groups[place.index]?.with(place.position, table) ?? [];
    }
    return sameItems(this.#groups, groups) === this.#groups ? this : new TableMap(groups, this.#places);
  }

  /** The group of a table, and its place there. */
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

  /** With what becomes of each group; a table keeps its key and its place. */
  mapGroups(change: (group: TableGroup) => TableGroup): TableMap {
    return new TableMap(this.#groups.map(change), this.#places);
  }

  /** The tables that are not the same object in `earlier`, each with the one that has its key there. */
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

/** What `work` makes of a group: worked out once, and kept as long as the group. It may look at nothing else. */
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

/** The roles that some permission on tables of the group names. */
export const rolesOfGroup = ofGroup((group): ReadonlySet<string> => {
  const roles = new Set<string>();
  for (const { select, insert, update, delete: remove } of group) {
    for (const permissions of [select, insert, update, remove]) for (const role of permissions.keys()) roles.add(role);
  }
  return roles;
});

/** A group begins where one began before, so that tables that come or go move no others to another group. */
function inGroups(tables: readonly AnalyzedTable[], before: ReadonlyMap<string | undefined, TableGroup>): TableGroup[] {
  const most = before.size === 0 ? groupSize : mostInGroup;
  const groups: AnalyzedTable[][] = [];
  let group: AnalyzedTable[] | undefined;
  for (const table of tables) {
    if (group === undefined || group.length >= most || before.has(table.key)) {
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

/** `before` if it has the same items. */
function sameItems<T>(before: readonly T[] | undefined, items: readonly T[]): readonly T[] {
  const isSame = before?.length === items.length && items.every((item, i) => item === before[i]);
  return isSame ? before : items;
}
