/** Returns a function that calls `make` on first use and caches the value. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A map that computes each value on first access or during iteration. */
export class MapOnDemand<T> implements ReadonlyMap<string, T> {
  readonly #make: (key: string) => T | undefined;
  readonly #made = new Map<string, T>();
  readonly #keys: () => Iterable<string>;
  readonly #keeps: boolean;

  /**
   * @param keys the keys with a value, in the order of the map
   * @param keeps true if values are cached
   */
  constructor(make: (key: string) => T | undefined, keys: () => Iterable<string>, keeps = true) {
    this.#make = make;
    this.#keys = keys;
    this.#keeps = keeps;
  }

  get(key: string): T | undefined {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#make(key);
    // Misses are not cached: requests contain arbitrary names.
    if (made !== undefined && this.#keeps) this.#made.set(key, made);
    return made;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    let size = 0;
    for (const _ of this.entries()) size++;
    return size;
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<T> {
    for (const [, value] of this.entries()) yield value;
  }

  *entries(): MapIterator<[string, T]> {
    for (const key of this.#keys()) {
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  forEach(use: (value: T, key: string, map: ReadonlyMap<string, T>) => void): void {
    for (const [key, value] of this.entries()) use(value, key, this);
  }
}

/** Returns a map sorted by key. Of several entries with the same key, the last one wins. */
export function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  const all = [...entries];
  if (all.length > maxInsertionSorted) return new Map(all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  // Insertion sort is several times faster for the usual few entries.
  for (let i = 1; i < all.length; i++) {
    const entry = all[i] as readonly [string, T];
    let at = i;
    for (; at > 0; at--) {
      const before = all[at - 1] as readonly [string, T];
      if (before[0] <= entry[0]) break;
      all[at] = before;
    }
    all[at] = entry;
  }
  return new Map(all);
}

const maxInsertionSorted = 12;
