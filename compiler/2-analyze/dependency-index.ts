/**
 * Who needs whom, found by the name of what is needed. What a group of tables owns is listed by name once, and kept as
 * long as the group: looking for what depends on an object does not walk through all that anything depends on.
 */
import type { AnalyzedTable } from "./analyzed-table.ts";
import type { Dependency } from "./dependency.ts";
import type { ObjectId } from "./object-id.ts";
import { ofGroup, type TableGroup } from "./table-map.ts";

/** What one object needs. */
type Needed = readonly Dependency[];
type Owned = AnalyzedTable["dependencies"];

export class DependencyIndex {
  readonly #groups: readonly TableGroup[];
  /** Of what no table owns, by `objectKey`. */
  readonly others: Owned;
  readonly #othersByName: ReadonlyMap<string, readonly Needed[]>;

  constructor(groups: readonly TableGroup[], others: Owned) {
    this.#groups = groups;
    this.others = others;
    this.#othersByName = byName([others]);
  }

  /** What the object with this `objectKey` needs. */
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

  /** Of each object that needs something of the same name, all that it needs. */
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

/** A part of the object's key that most objects of other keys do not have. */
function nameIn(id: ObjectId): string {
  if ("table" in id) return id.table.name;
  if ("function" in id) return id.function.name;
  return "name" in id ? id.name : id.kind;
}
