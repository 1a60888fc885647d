import { describe, expect, it } from "vitest";
import { allowsOrigin, parseCorsDomains } from "../../../runtime/config/cors-domains.ts";

function allows(domains: string, origin: string): boolean {
  const parsed = parseCorsDomains(domains);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return allowsOrigin(parsed.value, origin);
}

describe("Allowed origins", () => {
  const list = "http://*.localhost, http://localhost:3000, https://*.foo.bar.com, myapp://*.shop:8443";

  it.each([
    ["http://app.localhost", true],
    ["http://localhost:3000", true],
    ["https://app.foo.bar.com", true],
    ["myapp://a.shop:8443", true],
    ["https://a.b.foo.bar.com", false],
    ["https://foo.bar.com", false],
    ["https://.foo.bar.com", false],
    ["http://app.foo.bar.com", false],
    ["http://localhost", false],
    ["http://localhost:3001", false],
    ["https://a.shop:8443", false],
    ["myapp://a.shop", false],
    ["https://evil.com/.foo.bar.com", false],
    ["https://app.foo.bar.com.evil.com", false],
    ["null", false],
    ["", false],
  ])("allowsOrigin for %s returns %s", (origin, allowed) => {
    expect(allows(list, origin)).toBe(allowed);
  });

  it("The pattern * allows every origin and an empty text allows none", () => {
    expect(allows("*", "https://example.com")).toBe(true);
    expect(allows("", "https://example.com")).toBe(false);
  });
});

describe("Parsing of CORS domains", () => {
  it.each([
    "example.com",
    "http://",
    "http://*",
    "http://*.",
    "http://a.*.com",
    "http://*.*.com",
    "http://a.com/path",
    "http://a.com:port",
    "http://a.com,",
    "*,http://a.com",
  ])("parseCorsDomains refuses %s", (text) => {
    expect(parseCorsDomains(text)).toHaveProperty("problem", expect.stringMatching(/^invalid domain: '/));
  });

  it.each([
    "http://a.com",
    "http://[::1]:3000",
    "chrome-extension://abcdef",
    "https://*.a.com:8080",
    "http://127.0.0.1",
  ])("parseCorsDomains accepts %s", (text) => {
    expect(parseCorsDomains(text)).toHaveProperty("value");
  });
});
