/**
 * The state of a write that waits for its confirmation (`requestState`). The server keeps none: the state passes through
 * the client, with a MAC. The key is derived from the admin secret, so that all instances accept each other's states;
 * the slow derivation prevents a search for the secret. Without a secret, each process has a random key, because
 * any client could derive one.
 */
import { createHash, createHmac, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { AdminSecrets } from "../../config/admin-secrets.ts";
import type { WriteEffect } from "../../ports/agent-tools.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import type { Session } from "../../values/session.ts";

const derive = promisify<string, string, number, Buffer>(scrypt);

const lifetime = 10 * 60 * 1000;

export interface PendingWrite {
  /** Identifies caller, tool and arguments. */
  readonly subject: string;
  /** `null` if it could not be determined. */
  readonly effect: readonly WriteEffect[] | null;
  /** Duration of the rehearsal in milliseconds. */
  readonly duration: number;
}

export class RequestStates {
  readonly #secret: string;
  readonly #now: () => number;
  #key: Promise<Buffer> | undefined;
  /** Expiry times of the states that were confirmed in this process, by MAC. */
  readonly #used = new Map<string, number>();

  constructor({ adminSecret, accessKey, adminSecrets }: AdminSecrets, now: () => number = Date.now) {
    this.#secret = (adminSecret ?? accessKey ?? adminSecrets[0])?.reveal() || randomBytes(32).toString("hex");
    this.#now = now;
  }

  async seal(write: PendingWrite): Promise<string> {
    // Equal writes at the same time have different states, because each state confirms one write.
    const state = { ...write, expires: this.#now() + lifetime, nonce: randomUUID() };
    const body = Buffer.from(JSON.stringify(state)).toString("base64url");
    return `${body}.${(await this.#mac(body)).toString("base64url")}`;
  }

  /** Returns the write of a state that is authentic, not expired, not used before, and of this subject. */
  async open(state: unknown, subject: string): Promise<PendingWrite | undefined> {
    if (typeof state !== "string") return undefined;
    const [body = "", mac = "", ...rest] = state.split(".");
    const expected = await this.#mac(body);
    const found = Buffer.from(mac, "base64url");
    if (rest.length > 0 || found.length !== expected.length || !timingSafeEqual(found, expected)) return undefined;
    const text = Buffer.from(body, "base64url").toString("utf8");
    const { expires, ...write }: PendingWrite & { readonly expires: number } = JSON.parse(text);
    if (write.subject !== subject || expires <= this.#now()) return undefined;
    return this.#use(expected.toString("base64url"), expires) ? write : undefined;
  }

  #use(mac: string, expires: number): boolean {
    for (const [other, end] of this.#used) {
      // The entries are in the order of their use, which is nearly the order of their expiry.
      if (end > this.#now()) break;
      this.#used.delete(other);
    }
    if (this.#used.has(mac)) return false;
    this.#used.set(mac, expires);
    return true;
  }

  async #mac(body: string): Promise<Buffer> {
    this.#key ??= derive(this.#secret, "engine mcp request state", 32);
    return createHmac("sha256", await this.#key)
      .update(body)
      .digest();
  }
}

/** Returns a hash of caller, tool and arguments. */
export function subjectOf(
  { role, variables }: Session,
  tool: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const text = canonicalJson([role, Object.fromEntries(variables), tool, values]);
  return createHash("sha256").update(text).digest("base64url");
}
