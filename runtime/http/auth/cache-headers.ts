/** Parses `Cache-Control` and `Expires` of responses from webhooks and key set URLs. */

/** Directives by name in lower case; the value is `null` if absent. */
export type CacheControl = ReadonlyMap<string, string | null>;

const directive = /\s*([A-Za-z0-9-]+)(?:=(?:"([^"]*)"|([^\s",]*)))?\s*(?:,|$)/y;

/** Parses the directives. Returns `undefined` if the text is malformed or a lifetime is not a number of seconds. */
export function parseCacheControl(text: string): CacheControl | undefined {
  const directives = new Map<string, string | null>();
  directive.lastIndex = 0;
  while (directive.lastIndex < text.length) {
    const [, name, quoted, plain] = directive.exec(text) ?? [];
    if (name === undefined) return undefined;
    directives.set(name.toLowerCase(), quoted ?? plain ?? null);
  }
  const lifetimes = ["max-age", "s-maxage"].map((name) => directives.get(name));
  return lifetimes.every((value) => value === undefined || isSeconds(value)) ? directives : undefined;
}

function isSeconds(value: string | null): boolean {
  return value !== null && /^\d{1,15}$/.test(value);
}

/** Returns the lifetime in seconds. */
export function lifetimeOf(cacheControl: CacheControl): number | undefined {
  const text = cacheControl.get("max-age") ?? cacheControl.get("s-maxage");
  return text === undefined || text === null ? undefined : Number(text);
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a date to milliseconds since 1970. Returns `undefined` if the text is not a date like `Fri, 20 Nov 2026
 * 17:57:12 GMT`.
 */
export function parseHttpDate(text: string): number | undefined {
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
