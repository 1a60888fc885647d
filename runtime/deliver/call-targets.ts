/** Where calls go, by their addresses: checked once, and taken apart once. */
import type { OutboundRules } from "../values/outbound-rules.ts";
import { checkAddress } from "./guarded-lookup.ts";

export interface CallTarget {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** Addresses that are made of values of requests are without number, and may be long. */
const mostKnown = 1000;
const longestKnown = 2000;

/** @returns address → target; throws an `Error` where calls may not go there */
export function callTargets(rules: OutboundRules): (url: string) => CallTarget {
  const known = new Map<string, CallTarget>();
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    checkAddress(url, rules);
    const target = targetOf(url);
    if (url.length > longestKnown) return target;
    if (known.size === mostKnown) known.clear();
    known.set(url, target);
    return target;
  };
}

function targetOf(url: string): CallTarget {
  const { protocol, origin, pathname, search } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new Error("the address of a call begins with http: or https:");
  return { origin, path: pathname + search };
}
