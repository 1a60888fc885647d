/** `--header-alias X-Name-=X-Engine-`: a prefix that clients, tokens and metadata may have in place of ours. */
import { sessionPrefix } from "../values/session.ts";
import type { ValueType } from "./value-types.ts";

/** Prefixes of headers that proxies and browsers set. */
const taken: ReadonlySet<string> = new Set([
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

/** The other prefix, in lower case. */
export const headerAlias: ValueType<string> = {
  placeholder: "prefix=prefix",
  parse(text) {
    const [, alias, own] = /^\s*(x-[a-z][a-z0-9]*-)\s*=\s*(x-[a-z]+-)\s*$/.exec(text.toLowerCase()) ?? [];
    if (alias === undefined || own !== sessionPrefix || alias === sessionPrefix) {
      return { problem: "expecting another prefix and ours, such as X-Hasura-=X-Engine-" };
    }
    if (taken.has(alias)) return { problem: `headers that begin with ${alias} have another meaning` };
    return { value: alias };
  },
  print: (alias) => `${alias}=${sessionPrefix}`,
};
