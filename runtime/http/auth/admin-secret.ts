/** The admin secrets, stored and compared as digests only. */
import * as crypto from "node:crypto";
import type { Secret } from "../../config/secret.ts";
import { decodeHeader } from "./headers.ts";

export class AdminSecrets {
  readonly #digests: readonly Buffer[];
  /**
   * A reused buffer for the digest of the received secret: allocating one per request costs more than computing the
   * digest.
   */
  readonly #sent = Buffer.alloc(64);

  /** @param secrets non-empty secrets */
  constructor(secrets: readonly Secret[]) {
    this.#digests = secrets.map((secret) => Buffer.from(digest(secret.reveal()), "latin1"));
  }

  /**
   * Returns true if a header contains one of the secrets.
   * @param value the raw header, one character per byte
   */
  matches(value: string): boolean {
    this.#sent.write(digest(decodeHeader(value)), "latin1");
    let found = false;
    // Compares with every digest, so that the duration does not depend on the secrets.
    for (const known of this.#digests) found = crypto.timingSafeEqual(this.#sent, known) || found;
    return found;
  }
}

/** Returns the 64 bytes of a digest as one character each. */
function digest(text: string): string {
  return crypto.hash("sha512", text, "binary");
}
