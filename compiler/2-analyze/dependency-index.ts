/**
 * Index of dependencies by the name of the required object. The part of a table group is built once and cached with the
 * group, so finding the dependents of an object does not scan all dependencies.
 */
import type { AnalyzedTable } from "./analyzed-table.ts";
import type { Dependency, ObjectId } from "./object-id.ts";
import { ofGroup, type TableGroup } from "./table-map.ts";

type Needed = readonly Dependency[];
type Owned = AnalyzedTable["dependencies"];

export class DependencyIndex {
  readonly #groups: readonly TableGroup[];
  /** Dependencies of objects that no table owns, by `objectKey`. */
  readonly others: Owned;
  readonly #othersByName: ReadonlyMap<string, readonly Needed[]>;

  constructor(groups: readonly TableGroup[], others: Owned) {
    this.#groups = groups;
    this.others = others;
    this.#othersByName = byName([others]);
  }

  /** Returns the dependencies of the object with this `objectKey`. */
  get(key: string): Needed | undefined {
    for (const own of this.#owned()) {
      const needed = own.get(key);
      if (needed !== undefined) return needed;
    }
    return undefined;
  }

  *values(): Generator<Needed, undefined> {
    for (const own of this.#owned()) yield* own.values();
  }

  /**
   * Yields the dependencies of each object that depends on an object with this name. Callers compare the full identity.
   */
  *naming(id: ObjectId): Generator<Needed, undefined> {
    const name = nameIn(id);
    for (const group of this.#groups) yield* ofGroupByName(group).get(name) ?? [];
    yield* this.#othersByName.get(name) ?? [];
  }

  *#owned(): Generator<Owned, undefined> {
    for (const group of this.#groups) for (const { dependencies } of group) yield dependencies;
    yield this.others;
  }
}

const ofGroupByName = ofGroup((group) => byName(group.map(({ dependencies }) => dependencies)));

function byName(owned: readonly Owned[]): ReadonlyMap<string, readonly Needed[]> {
  const index = new Map<string, Needed[]>();
  for (const needed of owned.flatMap((own) => [...own.values()])) {
    for (const name of new Set(needed.map(({ on }) => nameIn(on)))) {
      const same = index.get(name);
      if (same === undefined) index.set(name, [needed]);
      else same.push(needed);
    }
  }
  return index;
}

/** Returns the most selective part of an identity. */
function nameIn(id: ObjectId): string {
  if ("table" in id) return id.table.name;
  if ("function" in id) return id.function.name;
  return "name" in id ? id.name : id.kind;
}
