/**
 * Parses `--header-alias X-Name-=X-Engine-`: a prefix that clients, tokens and metadata may use instead of the
 * engine's.
 */
import { sessionPrefix } from "../values/session.ts";
import type { ValueType } from "./value-types.ts";

/** Prefixes of headers set by proxies and browsers. */
const reservedPrefixes: ReadonlySet<string> = new Set([
  "x-forwarded-",
  "x-original-",
  "x-real-",
  "x-request-",
  "x-b3-",
  "x-amz-",
  "x-amzn-",
  "x-cloud-",
  "x-goog-",
  "x-ms-",
]);

/** The alias in lower case. */
export const headerAlias: ValueType<string> = {
  valueName: "prefix=prefix",
  parse(text) {
    const [, alias, own] = /^\s*(x-[a-z][a-z0-9]*-)\s*=\s*(x-[a-z]+-)\s*$/.exec(text.toLowerCase()) ?? [];
    if (alias === undefined || own !== sessionPrefix || alias === sessionPrefix) {
      return { problem: "expecting an alias and the prefix of the engine, such as X-Hasura-=X-Engine-" };
    }
    if (reservedPrefixes.has(alias)) return { problem: `headers that start with ${alias} are reserved` };
    return { value: alias };
  },
  print: (alias) => `${alias}=${sessionPrefix}`,
};
