/**
 * Names that stay distinct where generators of clients make their own of them: in another case, or without the signs
 * between words.
 */
export class DistinctNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved.map(comparable));
  }

  /** The name of something. @param key of the same thing, whenever it is named */
  of(key: string, wanted: string): string {
    const before = this.#names.get(key);
    if (before !== undefined) return before;
    let name = wanted;
    for (let i = 2; this.#taken.has(comparable(name)); i++) name = `${wanted}_${i}`;
    this.#taken.add(comparable(name));
    this.#names.set(key, name);
    return name;
  }
}

const comparable = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
