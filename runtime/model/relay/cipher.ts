/**
 * Deterministic authenticated encryption of Relay ids and cursors: equal texts stay equal, so that clients can cache
 * rows by id, and a text that this key did not encrypt is refused. The construction is a synthetic IV in the sense of
 * RFC 5297, with HMAC-SHA-256 instead of S2V: the IV is a MAC of use and plaintext, and the plaintext is encrypted
 * under it with AES-256-CTR.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** First byte of an encrypted text, with which no JSON text starts. */
const formatVersion = 1;
const keyIdBytes = 4;
const ivBytes = 16;
const headerBytes = 1 + keyIdBytes;
/**
 * Block size in bytes. Plaintexts are padded to multiples of it, so that the length of a text reveals little about its
 * values.
 */
const blockBytes = 32;

export type Opened = { readonly text: string } | { readonly problem: "changed" | "other key" };

export class RelayCipher {
  readonly #header: Buffer;
  readonly #macKey: Buffer;
  readonly #encryptionKey: Buffer;

  /**
   * Derives the keys from the secret.
   * @param secret should have at least 256 bits of entropy
   */
  constructor(secret: string) {
    const derive = (purpose: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync("sha256", secret, "", `engine relay ids: ${purpose}`, bytes));
    this.#header = Buffer.concat([Buffer.of(formatVersion), derive("key id", keyIdBytes)]);
    this.#macKey = derive("authentication", 32);
    this.#encryptionKey = derive("encryption", 32);
  }

  /**
   * Encrypts JSON text.
   * @param use purpose of the text; `open` requires the same purpose
   */
  seal(use: string, json: string): Buffer {
    const length = Buffer.byteLength(json);
    // JSON allows trailing blanks.
    const padded = Buffer.alloc(Math.ceil(length / blockBytes) * blockBytes, " ");
    padded.write(json);
    const iv = this.#ivOf(use, padded);
    const cipher = createCipheriv("aes-256-ctr", this.#encryptionKey, iv);
    return Buffer.concat([this.#header, iv, cipher.update(padded), cipher.final()]);
  }

  /** Decrypts a result of `seal` with the same use. */
  open(use: string, sealed: Buffer): Opened {
    if (!sealed.subarray(0, headerBytes).equals(this.#header)) return { problem: "other key" };
    const iv = sealed.subarray(headerBytes, headerBytes + ivBytes);
    if (iv.length < ivBytes) return { problem: "changed" };
    const decipher = createDecipheriv("aes-256-ctr", this.#encryptionKey, iv);
    const padded = Buffer.concat([decipher.update(sealed.subarray(headerBytes + ivBytes)), decipher.final()]);
    if (!timingSafeEqual(iv, this.#ivOf(use, padded))) return { problem: "changed" };
    return { text: padded.toString() };
  }

  #ivOf(use: string, padded: Buffer): Buffer {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(use));
    return createHmac("sha256", this.#macKey).update(length).update(use).update(padded).digest().subarray(0, ivBytes);
  }
}

/** Returns true if bytes have the format of an encrypted text, for any key. */
export function isSealed(bytes: Buffer): boolean {
  return bytes[0] === formatVersion;
}
