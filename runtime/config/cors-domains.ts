/** Which browser origins may call: the text of `--cors-domain` → a set that answers in constant time. */
import type { Parsed } from "./value-types.ts";

export interface CorsDomains {
  /** Every origin is allowed. */
  readonly any: boolean;
  /** Allowed origins, `scheme://host[:port]`. */
  readonly exact: ReadonlySet<string>;
  /** Allowed origins with any one label in front, `scheme://*.host[:port]`. */
  readonly wildcard: ReadonlySet<string>;
}

const domain =
  /^[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/u;

/** Rules and message of `operations.md` 6; an empty text allows no origin. */
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
  // A label of its own has to stand before the dot, so `https://.foo.com` does not match `https://*.foo.com`.
  if (host < 3 || dot <= host) return false;
  return domains.wildcard.has(`${origin.slice(0, host)}*${origin.slice(dot)}`);
}

/** As the user wrote it, for the log. */
export function describeCorsDomains(domains: CorsDomains): string | readonly string[] {
  return domains.any ? "*" : [...domains.exact, ...domains.wildcard];
}
