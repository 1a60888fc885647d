/** The admin secrets: only their digests are kept, and only digests are compared. */
import { hash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../../config/secret.ts";
import { decodeHeader } from "./headers.ts";

export class AdminSecrets {
  readonly #digests: readonly Buffer[];
  /** Holds the digest of the secret at hand: a new buffer for each request costs more than its digest. */
  readonly #sent = Buffer.alloc(64);

  /** @param secrets none of them empty */
  constructor(secrets: readonly Secret[]) {
    this.#digests = secrets.map((secret) => Buffer.from(digest(secret.reveal()), "latin1"));
  }

  /** @param value the header as it came, one character per byte */
  matches(value: string): boolean {
    this.#sent.write(digest(decodeHeader(value)), "latin1");
    let found = false;
    // Every digest is compared, so that the time does not tell which secret, or that one, was close.
    for (const known of this.#digests) found = timingSafeEqual(this.#sent, known) || found;
    return found;
  }
}

/** 64 bytes, as one character each. */
function digest(text: string): string {
  return hash("sha512", text, "binary");
}
