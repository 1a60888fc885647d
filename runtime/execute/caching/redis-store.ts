/**
 * Answers in Redis, for all instances together.
 *
 * An entry holds the marks that were there when its answer was asked for: one of everything, one of its role, one of its
 * family, one of itself. It counts as long as they are the same. Clearing sets another mark, so that it takes one command however much
 * is cleared, and an answer that was under way meanwhile is not found either.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { ClearedResponses } from "../../ports/response-cache.ts";
import type { Lookup, ResponsePlace, ResponseStore } from "./store.ts";

type Client = Pick<Redis, "mget" | "set" | "disconnect">;

export interface RedisStoreSettings {
  readonly client: Client;
  /** Longest life of an entry; marks live as long, since the last of their entries was kept or cleared. */
  readonly maxSeconds: number;
}

export class RedisStore implements ResponseStore {
  readonly #client: Client;
  readonly #markSeconds: number;

  constructor({ client, maxSeconds }: RedisStoreSettings) {
    this.#client = client;
    this.#markSeconds = maxSeconds + 1;
  }

  async look(place: ResponsePlace): Promise<Lookup> {
    const entryKey = nameOf("entry", place.key);
    const [entry = null, ...marks] = await this.#client.mget(entryKey, ...markNames(place));
    const stamp = marks.map((mark) => mark ?? "").join(" ");
    return {
      stamp,
      found: readEntry(entry, stamp),
      keep: async (text, seconds) => {
        const expires = Date.now() + seconds * 1000;
        await this.#client.set(entryKey, `${stamp}\n${expires}\n${text}`, "PX", Math.ceil(seconds * 1000));
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

const markNames = ({ role, family, key }: ResponsePlace): readonly string[] => [
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

/** Names of roles are as long as clients like, and keys come from requests. */
const nameOf = (kind: "entry" | "all" | "role" | "family" | "key", name: string): string =>
  `engine:cache:${kind}:${createHash("sha256").update(name).digest("base64url")}`;
