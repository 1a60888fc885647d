/**
 * Opaque texts of the Relay API: base64 of JSON (`graphql-api.md` 5.11), or of encrypted JSON where the role may not
 * read all values in it.
 */
import { EngineError } from "../../values/errors.ts";
import { parseJson } from "../../values/parse-json.ts";
import { isSealed, type RelayCipher } from "./cipher.ts";

/** The bytes are no JSON, or the text is refused for a reason. */
export type Decoded =
  | { readonly value: unknown; readonly isEncrypted: boolean }
  | { readonly bytes: Buffer }
  | { readonly refused: string };

/** JSON text → the opaque text that the role gets. */
export type Encrypt = (json: string) => string;

export interface RelayTextsOptions {
  /** `null`: this server has no key. */
  readonly cipher: RelayCipher | null;
  /** Encrypted texts of another use are refused. */
  readonly use: string;
  /** The role may not read all values: it gets encrypted texts, and only those are taken from it. */
  readonly isProtected: boolean;
}

/** Ids or cursors, as one role gets and sends them. */
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
   * What encrypts the texts; `undefined`: they are plain.
   * @param path of the field that selects them
   * @throws EngineError `not-supported` without a key
   */
  encrypter(path: string): Encrypt | undefined {
    if (!this.#isProtected) return undefined;
    const cipher = this.#cipher;
    if (cipher === null) throw new EngineError("not-supported", path, noKey);
    return (json) => cipher.seal(this.use, json).toString("base64");
  }

  /** Characters that are no base64 are skipped, as RFC 2045 has it. */
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
