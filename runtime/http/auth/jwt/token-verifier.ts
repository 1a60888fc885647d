/** Everything one JWT secret says about a token: text → what the token grants, or why it is refused. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { JwtSettings } from "../../../config/jwt/jwt-config.ts";
import { checkRegisteredClaims, hasEnded, tokenExpired } from "./check-claims.ts";
import { type CompactToken, readCompactToken } from "./compact-token.ts";
import { type EngineClaims, readEngineClaims } from "./engine-claims.ts";
import { unverified } from "./errors.ts";
import { chooseKeys, type IdentifiedKey } from "./key-set.ts";
import { isSignedBy } from "./verify-signature.ts";

export interface Grant extends EngineClaims {
  /** When the token ends, tolerance included, in milliseconds since 1970; `null`: never. */
  readonly end: number | null;
}

/** Where the keys of a URL are; the list is the same one until it changes. */
export interface KeyList {
  readonly current: readonly IdentifiedKey[];
}

const cachedGrants = 10_000;
/** In characters of the tokens that they stand for, which no grant is much larger than. */
const cachedCharacters = 32 * 1024 * 1024;

export class TokenVerifier {
  readonly settings: JwtSettings;
  readonly #keys: KeyList | null;
  /**
   * Verified tokens by their digest: checking a signature takes longer than most requests. The tokens themselves are
   * not kept.
   */
  readonly #grants = new LRUCache<string, Grant>({ max: cachedGrants, maxSize: cachedCharacters });
  /** The keys that verified what is cached. */
  #keysOfCache: readonly IdentifiedKey[] | null = null;

  /** @param keys for settings that name a URL */
  constructor(settings: JwtSettings, keys: KeyList | null) {
    this.settings = settings;
    this.#keys = keys;
  }

  /**
   * Known tokens are answered at once.
   * @throws EngineError
   */
  verify(text: string): Grant | Promise<Grant> {
    const keys = this.#keys?.current ?? null;
    // A token that a withdrawn key signed ends with that key.
    if (keys !== this.#keysOfCache) this.#grants.clear();
    this.#keysOfCache = keys;
    const digest = createHash("sha256").update(text).digest("base64");
    const cached = this.#grants.get(digest);
    if (cached === undefined) return this.#verifyNew(text, digest, keys);
    if (hasEnded(cached.end, Date.now())) {
      this.#grants.delete(digest);
      throw tokenExpired();
    }
    return cached;
  }

  async #verifyNew(text: string, digest: string, keys: readonly IdentifiedKey[] | null): Promise<Grant> {
    const token = readCompactToken(text);
    await this.#checkSignature(token, keys);
    const end = checkRegisteredClaims(token.payload, this.settings, Date.now());
    const grant = { ...readEngineClaims(token.payload, this.settings.claims, this.settings.alias), end };
    // The keys may have changed while this one was verified.
    if (this.#keysOfCache === keys) this.#grants.set(digest, grant, { size: text.length });
    return grant;
  }

  async #checkSignature(token: CompactToken, keys: readonly IdentifiedKey[] | null): Promise<void> {
    const { key } = this.settings;
    const chosen = key.kind === "given" ? [key.key] : chooseKeys(keys ?? [], token);
    if (chosen.length === 0) throw unverified("JWSError NoUsableKeys");
    if (!(await isSignedBy(token, chosen))) throw unverified("JWSError JWSInvalidSignature");
  }
}
