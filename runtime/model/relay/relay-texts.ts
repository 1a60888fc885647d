/** Opaque texts of the Relay API: base64 of JSON, encrypted if the role may not read all values in it. */
import { EngineError } from "../../values/errors.ts";
import { parseJson } from "../../values/json/parse.ts";
import { isSealed, type RelayCipher } from "./cipher.ts";

/** A decoded text: `bytes` if it is not valid JSON, `refused` with a reason. */
export type Decoded =
  | { readonly value: unknown; readonly isEncrypted: boolean }
  | { readonly bytes: Buffer }
  | { readonly refused: string };

/** Encrypts JSON text. */
export type Encrypt = (json: string) => string;

export interface RelayTextsOptions {
  /** `null` without a key. */
  readonly cipher: RelayCipher | null;
  /** Purpose of the texts; encrypted texts with another purpose are refused. */
  readonly use: string;
  /** True if the role may not read all values: texts are encrypted, and plain texts are refused. */
  readonly isProtected: boolean;
}

/** Encodes and decodes the ids or cursors of one role. */
export class RelayTexts {
  readonly use: string;
  readonly #cipher: RelayCipher | null;
  readonly #isProtected: boolean;

  constructor({ cipher, use, isProtected }: RelayTextsOptions) {
    this.use = use;
    this.#cipher = cipher;
    this.#isProtected = isProtected;
  }

  /**
   * Returns the encryption of the texts, if they are encrypted.
   * @param path of the field that selects them
   * @throws EngineError `not-supported` without a key
   */
  encrypter(path: string): Encrypt | undefined {
    if (!this.#isProtected) return undefined;
    const cipher = this.#cipher;
    if (cipher === null) throw new EngineError("not-supported", path, noKey);
    return (json) => cipher.seal(this.use, json).toString("base64");
  }

  /** Decodes a text. Invalid base64 characters are skipped, as in RFC 2045. */
  decode(text: string): Decoded {
    const bytes = Buffer.from(text, "base64");
    if (isSealed(bytes)) return this.#decodeSealed(bytes);
    if (this.#isProtected) return { refused: notEncrypted };
    const value = parsed(bytes.toString("utf8"));
    return value === undefined ? { bytes } : { value, isEncrypted: false };
  }

  #decodeSealed(bytes: Buffer): Decoded {
    if (this.#cipher === null) return { refused: noKey };
    const opened = this.#cipher.open(this.use, bytes);
    if ("problem" in opened) return { refused: problems[opened.problem] };
    const value = parsed(opened.text);
    return value === undefined ? { bytes } : { value, isEncrypted: true };
  }
}

const noKey =
  "ids and cursors of this role are encrypted, and this server has no key for them; " +
  "to set one, use the ENGINE_GRAPHQL_RELAY_ID_KEY environment variable";

export const notEncrypted = "it is not encrypted, as this role requires; use one that a query returned to this role";

const problems = {
  changed: "it was changed, or issued for something else",
  "other key": "it was encrypted with another key; query the row again for a new one",
} as const;

function parsed(json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return undefined;
  }
}
