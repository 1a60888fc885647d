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

export class TableMap implements ReadonlyMap<string, AnalyzedTable> {
  readonly #groups: readonly TableGroup[];
  /** Shared by the maps with the same keys. */
  readonly #positions: ReadonlyMap<string, number>;

  private constructor(groups: readonly TableGroup[], positions: ReadonlyMap<string, number>) {
    this.#groups = groups;
    this.#positions = positions;
  }

  /**
   * @param tables in the order of schema and name, each with a key of its own
   * @param previous whose groups are kept where they have the same tables; itself if all of them do
   */
  static of(tables: readonly AnalyzedTable[], previous?: TableMap): TableMap {
    const known = previous === undefined ? [] : previous.#groups;
    const groups: TableGroup[] = [];
    for (let start = 0; start < tables.length; start += groupSize) {
      const group = tables.slice(start, start + groupSize);
      groups.push(sameItems(known[groups.length], group));
    }
    if (previous !== undefined && sameItems(known, groups) === known) return previous;
    return new TableMap(groups, new Map(tables.map(({ key }, position) => [key, position])));
  }

  get groups(): readonly TableGroup[] {
    return this.#groups;
  }

  get size(): number {
    return this.#positions.size;
  }

  get(key: string): AnalyzedTable | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#groups[Math.floor(position / groupSize)]?.[position % groupSize];
  }

  has(key: string): boolean {
    return this.#positions.has(key);
  }

  /** With other tables in the places of those with their keys. */
  with(tables: Iterable<AnalyzedTable>): TableMap {
    const groups = [...this.#groups];
    const positions = this.#positions;
    for (const table of tables) {
      const position = positions.get(table.key);
      if (position === undefined) continue;
      const index = Math.floor(position / groupSize);
      groups[index] = groups[index]?.with(position % groupSize, table) ?? [];
    }
    return new TableMap(groups, positions);
  }

  /** With what becomes of each group; a table keeps its key and its place. */
  mapGroups(change: (group: TableGroup) => TableGroup): TableMap {
    return new TableMap(this.#groups.map(change), this.#positions);
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

/** `before` if it has the same items. */
function sameItems<T>(before: readonly T[] | undefined, items: readonly T[]): readonly T[] {
  const isSame = before?.length === items.length && items.every((item, i) => item === before[i]);
  return isSame ? before : items;
}
