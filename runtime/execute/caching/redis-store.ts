/**
 * Caches responses in Redis, shared by all instances.
 *
 * An entry contains the marks that were current when its response was computed: a global mark and the marks of its
 * role, family and key. It is valid while all these marks are unchanged. Clearing replaces one mark. It therefore takes
 * one command for any number of entries, and also invalidates responses that are being computed.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { ClearedResponses } from "../../ports/response-cache.ts";
import type { Lookup, ResponseIdentity, ResponseStore } from "./store.ts";

type Client = Pick<Redis, "mget" | "set" | "disconnect">;

export interface RedisStoreSettings {
  readonly client: Client;
  /** Maximum lifetime of an entry. Marks live at least as long. */
  readonly maxSeconds: number;
}

export class RedisStore implements ResponseStore {
  readonly #client: Client;
  readonly #markSeconds: number;

  constructor({ client, maxSeconds }: RedisStoreSettings) {
    this.#client = client;
    this.#markSeconds = maxSeconds + 1;
  }

  async lookUp(identity: ResponseIdentity): Promise<Lookup> {
    const entryKey = nameOf("entry", identity.key);
    const [entry = null, ...marks] = await this.#client.mget(entryKey, ...markNames(identity));
    const stamp = marks.map((mark) => mark ?? "").join(" ");
    return {
      stamp,
      found: readEntry(entry, stamp),
      save: async (text, seconds) => {
        const expires = Date.now() + seconds * 1000;
        await this.#client.set(entryKey, `${stamp}\n${expires}\n${text.toString()}`, "PX", Math.ceil(seconds * 1000));
        return true;
      },
    };
  }

  async clear(cleared: ClearedResponses): Promise<void> {
    await this.#client.set(markName(cleared), randomUUID(), "EX", this.#markSeconds);
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }
}

function readEntry(entry: string | null, stamp: string): Lookup["found"] {
  if (entry === null) return undefined;
  const first = entry.indexOf("\n");
  const second = entry.indexOf("\n", first + 1);
  const secondsLeft = (Number(entry.slice(first + 1, second)) - Date.now()) / 1000;
  if (second < 0 || entry.slice(0, first) !== stamp || !(secondsLeft > 0)) return undefined;
  return { text: entry.slice(second + 1), secondsLeft };
}

const markNames = ({ role, family, key }: ResponseIdentity): readonly string[] => [
  markName("all"),
  markName({ role }),
  markName({ family }),
  markName({ key }),
];

function markName(marked: ClearedResponses): string {
  if (marked === "all") return nameOf("all", "");
  if ("role" in marked) return nameOf("role", marked.role);
  return "family" in marked ? nameOf("family", marked.family) : nameOf("key", marked.key);
}

/** Returns the name of a Redis key. Hashes names to limit their length, because clients choose role names. */
const nameOf = (kind: "entry" | "all" | "role" | "family" | "key", name: string): string =>
  `engine:cache:${kind}:${createHash("sha256").update(name).digest("base64url")}`;
