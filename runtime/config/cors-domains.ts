/** Parses the browser origins of `--cors-domain` into sets with constant-time lookup. */
import type { Parsed } from "./value-types.ts";

export interface CorsDomains {
  /** If true, every origin is allowed. */
  readonly any: boolean;
  /** Allowed origins, `scheme://host[:port]`. */
  readonly exact: ReadonlySet<string>;
  /** Allowed origins with one arbitrary leading label, `scheme://*.host[:port]`. */
  readonly wildcard: ReadonlySet<string>;
}

const domain =
  /^[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/u;

/** Parses a comma-separated list of origins. An empty text allows none. */
export function parseCorsDomains(text: string): Parsed<CorsDomains> {
  const trimmed = text.trim();
  if (trimmed === "*") return { value: { any: true, exact: new Set(), wildcard: new Set() } };
  const exact = new Set<string>();
  const wildcard = new Set<string>();
  for (const entry of trimmed === "" ? [] : trimmed.split(",")) {
    const origin = entry.trim().toLowerCase();
    if (!domain.test(origin) || origin.includes("*.[")) {
      return {
        problem: `invalid domain: '${entry.trim()}'. All domains should have scheme + (optional wildcard) host + (optional port)`,
      };
    }
    (origin.includes("://*.") ? wildcard : exact).add(origin);
  }
  return { value: { any: false, exact, wildcard } };
}

export function allowsOrigin(domains: CorsDomains, origin: string): boolean {
  if (domains.any || domains.exact.has(origin)) return true;
  if (domains.wildcard.size === 0) return false;
  const host = origin.indexOf("://") + 3;
  const dot = origin.indexOf(".", host);
  // The wildcard matches exactly one label, so `https://.foo.com` does not match `https://*.foo.com`.
  if (host < 3 || dot <= host) return false;
  return domains.wildcard.has(`${origin.slice(0, host)}*${origin.slice(dot)}`);
}

/** Formats the domains for the log, as in the option. */
export function describeCorsDomains(domains: CorsDomains): string | readonly string[] {
  return domains.any ? "*" : [...domains.exact, ...domains.wildcard];
}
