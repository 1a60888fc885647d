/** Opaque texts of the Relay API: JSON in base64 (`graphql-api.md` 5.11). */
import { EngineError } from "../errors.ts";
import { parseJson } from "../parse-json.ts";

/** What such a text holds; without a value, the bytes that are no JSON. */
export type Decoded = { readonly value: unknown } | { readonly bytes: Buffer };

/** Characters that are no base64 are skipped, as RFC 2045 has it. */
export function decodeJson(text: string): Decoded {
  const bytes = Buffer.from(text, "base64");
  try {
    return { value: parseJson(bytes.toString("utf8")) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { bytes };
  }
}
