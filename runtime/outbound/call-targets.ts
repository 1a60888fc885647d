/** Validates and parses the URLs of calls, and caches the results. */

import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { OutboundRules } from "../values/outbound-rules.ts";

export interface CallTarget {
  readonly origin: string;
  /** Path with the query string. */
  readonly path: string;
  readonly load: OriginLoad;
}

/** Number of calls to one origin that are awaiting a reply. Shared by all URLs of the origin. */
export interface OriginLoad {
  calls: number;
}

/** Cache limits, because the number and length of URLs built from request values is unlimited. */
const maxTargets = 1000;
const maxOrigins = 1000;
const maxCachedUrlLength = 2000;

/** Returns a function that resolves URLs. It throws an `Error` for a destination that the rules refuse. */
export function callTargets(rules: OutboundRules): (url: string) => CallTarget {
  const known = new Map<string, CallTarget>();
  const loads = new Map<string, OriginLoad>();
  const loadOf = (origin: string): OriginLoad => {
    let load = loads.get(origin);
    if (load === undefined) {
      if (loads.size >= maxOrigins) evictIdle(loads, known);
      load = { calls: 0 };
      loads.set(origin, load);
    }
    return load;
  };
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    checkAddress(url, rules);
    const location = locationOf(url);
    const target = { ...location, load: loadOf(location.origin) };
    if (url.length > maxCachedUrlLength) return target;
    if (known.size === maxTargets) known.clear();
    known.set(url, target);
    return target;
  };
}

/** Evicts idle origins, and all targets, which hold references to the loads of their origins. */
function evictIdle(loads: Map<string, OriginLoad>, known: Map<string, CallTarget>): void {
  for (const [origin, { calls }] of loads) if (calls === 0) loads.delete(origin);
  known.clear();
}

function locationOf(url: string): Omit<CallTarget, "load"> {
  const { protocol, origin, pathname, search } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new Error("the address of a call begins with http: or https:");
  return { origin, path: pathname + search };
}

/** Resolves host names for calls, and refuses addresses according to the outbound rules. */
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
