/** Caches responses in the memory of this process, evicting the least recently used. */
import { LRUCache } from "lru-cache";
import type { ClearedResponses } from "../../ports/response-cache.ts";
import type { Lookup, ResponseIdentity, ResponseStore, StoredText } from "./store.ts";

interface Entry {
  readonly text: StoredText;
  readonly identity: ResponseIdentity;
}

/** Estimated overhead of an entry in bytes. */
const entryBytes = 500;

/** Estimates the size of an entry. V8 stores one or two bytes per character; two are assumed. */
const bytesOf = ({ text, identity: { role } }: Entry): number =>
  (typeof text === "string" ? 2 * text.length : text.length) + 2 * role.length + entryBytes;

export class MemoryStore implements ResponseStore {
  readonly #entries: LRUCache<string, Entry>;
  #clears = 0;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  lookUp(identity: ResponseIdentity): Lookup {
    const clears = this.#clears;
    const entry = this.#entries.get(identity.key);
    return {
      stamp: String(clears),
      found: entry && { text: entry.text, secondsLeft: this.#entries.getRemainingTTL(identity.key) / 1000 },
      save: (text, seconds) => {
        if (clears !== this.#clears) return true;
        this.#entries.set(identity.key, { text, identity }, { ttl: seconds * 1000 });
        return this.#entries.has(identity.key);
      },
    };
  }

  async clear(cleared: ClearedResponses): Promise<void> {
    this.#clears++;
    if (cleared === "all") this.#entries.clear();
    else if ("key" in cleared) this.#entries.delete(cleared.key);
    else {
      const matches = "family" in cleared ? isOfFamily(cleared.family) : isOfRole(cleared.role);
      for (const [key, { identity }] of [...this.#entries.entries()]) if (matches(identity)) this.#entries.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#entries.clear();
  }
}

const isOfFamily =
  (family: string) =>
  (identity: ResponseIdentity): boolean =>
    identity.family === family;

const isOfRole =
  (role: string) =>
  (identity: ResponseIdentity): boolean =>
    identity.role === role;
