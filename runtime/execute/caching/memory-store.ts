/** Answers in the memory of this process: the least recently used go first. */
import { LRUCache } from "lru-cache";
import type { ClearedResponses } from "../../ports/response-cache.ts";
import type { Lookup, ResponsePlace, ResponseStore } from "./store.ts";

interface Entry {
  readonly text: string;
  readonly place: ResponsePlace;
}

/** Of an entry besides its text: its key, its place and the table of the cache. */
const entryBytes = 500;

/** V8 keeps a text in one or two bytes a character; the larger is counted. */
const bytesOf = ({ text, place: { role } }: Entry): number => 2 * (text.length + role.length) + entryBytes;

export class MemoryStore implements ResponseStore {
  readonly #entries: LRUCache<string, Entry>;
  #clears = 0;

  /** @param maxBytes of all entries together */
  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  look(place: ResponsePlace): Lookup {
    const clears = this.#clears;
    const entry = this.#entries.get(place.key);
    return {
      stamp: String(clears),
      found: entry && { text: entry.text, secondsLeft: this.#entries.getRemainingTTL(place.key) / 1000 },
      keep: (text, seconds) => {
        if (clears !== this.#clears) return true;
        this.#entries.set(place.key, { text, place }, { ttl: seconds * 1000 });
        return this.#entries.has(place.key);
      },
    };
  }

  async clear(cleared: ClearedResponses): Promise<void> {
    this.#clears++;
    if (cleared === "all") this.#entries.clear();
    else if ("key" in cleared) this.#entries.delete(cleared.key);
    else {
      const names = "family" in cleared ? isOfFamily(cleared.family) : isOfRole(cleared.role);
      for (const [key, { place }] of [...this.#entries.entries()]) if (names(place)) this.#entries.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#entries.clear();
  }
}

const isOfFamily =
  (family: string) =>
  (place: ResponsePlace): boolean =>
    place.family === family;

const isOfRole =
  (role: string) =>
  (place: ResponsePlace): boolean =>
    place.role === role;
