/** Resolves host names for calls, and refuses addresses according to the outbound rules. */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { OutboundRules } from "../values/outbound-rules.ts";

export function guardedLookup(rules: OutboundRules): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return done(error, found, family);
      const addresses = typeof found === "string" ? [found] : found.map(({ address }) => address);
      const refusal = addresses.map((address) => rules.refusal(hostname, address)).find((each) => each !== undefined);
      if (refusal === undefined) return done(null, found, family);
      done(new Error(refusal), found, family);
    });
  };
}

/**
 * Checks the host of a URL that is an IP address and needs no lookup.
 * @throws Error if the rules refuse it
 */
export function checkAddress(url: string, rules: OutboundRules): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const refusal = isIP(host) === 0 ? undefined : rules.refusal(host, host);
  if (refusal !== undefined) throw new Error(refusal);
}
