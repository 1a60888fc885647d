/** Values made on first use. */

/** Calls `make` once, when the value is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A map whose values are made one by one: when they are asked for, or met by who walks the map. */
export class MapOnDemand<T> implements ReadonlyMap<string, T> {
  readonly #make: (key: string) => T | undefined;
  readonly #made = new Map<string, T>();
  readonly #keys: () => Iterable<string>;
  readonly #keeps: boolean;

  /**
   * @param keys those that `make` gives a value for, in the order of the map
   * @param keeps whether a value that was made is given again
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
    // Names that are not there come from requests, without end: they are not kept.
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

/** A map of what `entries` yields, in the order of the keys; of equal keys, the last one counts. */
export function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  const all = [...entries];
  if (all.length > few) return new Map(all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  // Most have a handful, for which `sort` takes several times as long.
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

const few = 12;
