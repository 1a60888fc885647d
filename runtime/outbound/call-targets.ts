/** Where calls go, by their addresses: checked once, and taken apart once. */
import type { OutboundRules } from "../values/outbound-rules.ts";
import { checkAddress } from "./guarded-lookup.ts";

export interface CallTarget {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly load: OriginLoad;
}

/** Calls of one service that have no reply yet; the same object for all its addresses. */
export interface OriginLoad {
  calls: number;
}

/** Addresses that are made of values of requests are without number, and may be long. */
const mostKnown = 1000;
const mostOrigins = 1000;
const longestKnown = 2000;

/** @returns address → target; throws an `Error` where calls may not go there */
export function callTargets(rules: OutboundRules): (url: string) => CallTarget {
  const known = new Map<string, CallTarget>();
  const loads = new Map<string, OriginLoad>();
  const loadOf = (origin: string): OriginLoad => {
    let load = loads.get(origin);
    if (load === undefined) {
      if (loads.size >= mostOrigins) forgetIdle(loads, known);
      load = { calls: 0 };
      loads.set(origin, load);
    }
    return load;
  };
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    checkAddress(url, rules);
    const place = placeOf(url);
    const target = { ...place, load: loadOf(place.origin) };
    if (url.length > longestKnown) return target;
    if (known.size === mostKnown) known.clear();
    known.set(url, target);
    return target;
  };
}

/** Targets hold the loads of their origins, so that they go along. */
function forgetIdle(loads: Map<string, OriginLoad>, known: Map<string, CallTarget>): void {
  for (const [origin, { calls }] of loads) if (calls === 0) loads.delete(origin);
  known.clear();
}

function placeOf(url: string): Omit<CallTarget, "load"> {
  const { protocol, origin, pathname, search } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new Error("the address of a call begins with http: or https:");
  return { origin, path: pathname + search };
}
