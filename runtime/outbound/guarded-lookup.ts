/** Looks up hosts for calls, and refuses what the rules do, when the addresses are known. */
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

/** @throws Error where the host is written as an address, which nobody looks up, and the rules refuse it */
export function checkAddress(url: string, rules: OutboundRules): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const refusal = isIP(host) === 0 ? undefined : rules.refusal(host, host);
  if (refusal !== undefined) throw new Error(refusal);
}
