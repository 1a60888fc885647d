import { describe, expect, it } from "vitest";
import { lifetimeOf, parseCacheControl, parseHttpDate } from "../../../../runtime/http/auth/cache-headers.ts";

describe("Parsing of Cache-Control", () => {
  it.each<[string, readonly (readonly [string, string | null])[]]>([
    ["", []],
    ["no-cache", [["no-cache", null]]],
    [
      ' Private="set-cookie, x" ,MAX-AGE=60,must-revalidate',
      [
        ["private", "set-cookie, x"],
        ["max-age", "60"],
        ["must-revalidate", null],
      ],
    ],
    ['max-age="60"', [["max-age", "60"]]],
  ])("parseCacheControl parses %j", (text, expected) => {
    expect([...(parseCacheControl(text) ?? [])]).toEqual(expected);
  });

  it.each(["max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=1.5", "s-maxage=x", "a b", "a=b c", '"', "a;b"])(
    "parseCacheControl returns undefined for %j",
    (text) => {
      expect(parseCacheControl(text)).toBeUndefined();
    },
  );
});

it.each([
  ["max-age=5, s-maxage=7", 5],
  ["s-maxage=7", 7],
  ["maxage=3", undefined],
])("lifetimeOf returns the lifetime of %s", (text, seconds) => {
  expect(lifetimeOf(parseCacheControl(text) ?? new Map())).toBe(seconds);
});

describe("Parsing of HTTP dates", () => {
  it("parseHttpDate parses the preferred HTTP date format", () => {
    expect(parseHttpDate("Fri, 20 Nov 2026 17:57:12 GMT")).toBe(Date.UTC(2026, 10, 20, 17, 57, 12));
  });

  it.each(["", "0", "Fri, 20 11 2026 17:57:12 UTC", "Fri, 20 Nov 2026 17:57:12", "Fri, 20 Nov 2026 25:00:00 GMT"])(
    "parseHttpDate rejects %j",
    (text) => {
      expect(parseHttpDate(text)).toBeUndefined();
    },
  );
});
