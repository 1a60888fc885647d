/** Values made on first use. */

/** Calls `make` once, when the value is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A map whose values are made one by one when they are asked for, all of them for who walks it. */
export class MapOnDemand<T> implements ReadonlyMap<string, T> {
  readonly #make: (key: string) => T | undefined;
  readonly #made = new Map<string, T | undefined>();
  readonly #all: () => ReadonlyMap<string, T>;

  /** @param keys those that `make` gives a value for */
  constructor(make: (key: string) => T | undefined, keys: () => Iterable<string>) {
    this.#make = make;
    this.#all = lazy(() =>
      sortedMap(
        Array.from(keys(), (key): readonly [string, T | undefined] => [key, this.get(key)]).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, value] as const],
        ),
      ),
    );
  }

  get(key: string): T | undefined {
    if (!this.#made.has(key)) {
      const value = this.#make(key);
      // Names that are not there come from requests, without end.
      if (value === undefined) return undefined;
      this.#made.set(key, value);
    }
    return this.#made.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.#all().size;
  }

  keys(): MapIterator<string> {
    return this.#all().keys();
  }

  values(): MapIterator<T> {
    return this.#all().values();
  }

  entries(): MapIterator<[string, T]> {
    return this.#all().entries();
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  forEach(use: (value: T, key: string, map: ReadonlyMap<string, T>) => void): void {
    this.#all().forEach((value, key) => {
      use(value, key, this);
    });
  }
}

/** A map of what `entries` yields, in the order of the keys. */
export function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
