/** Reads `--header "name: value"` of commands. */
import { EngineError } from "../../../values/errors.ts";

/** Headers that the connection or the body of a request determines. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** @throws EngineError `invalid-params` for a malformed header; messages contain no value, which may be secret */
export function readHeaders(flags: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const flag of flags) {
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7E]*)$/.exec(flag) ?? [];
    if (name === "") throw new EngineError("invalid-params", "$", 'expected --header "name: value" in ASCII');
    const key = name.toLowerCase();
    if (ownHeaders.has(key)) throw new EngineError("invalid-params", "$", `--header cannot set ${key}`);
    headers[key] = value;
  }
  return headers;
}
