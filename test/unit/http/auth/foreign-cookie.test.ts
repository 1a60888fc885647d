import { expect, it } from "vitest";
import { hasForeignCookie } from "../../../../runtime/http/auth/foreign-cookie.ts";

const cookie = "session=1";
const json = "application/json";
const origins = { any: false, exact: new Set(["https://app.example"]), wildcard: new Set<string>() };

it.each([
  [{}, "POST", false],
  [{ cookie }, "POST", true],
  [{ cookie }, undefined, true],
  [{ cookie }, "GET", false],
  [{ cookie, "content-type": json }, "POST", false],
  [{ cookie, "content-type": "Text/Plain; charset=utf-8" }, "POST", true],
  [{ cookie, origin: "https://other.example", "content-type": json }, "POST", true],
  [{ cookie, origin: "https://app.example", "content-type": json }, "POST", false],
  [{ cookie, origin: "http://api.example", host: "api.example" }, "POST", false],
  [{ cookie, "sec-fetch-site": "same-origin" }, "POST", false],
  [{ cookie, "sec-fetch-site": "none" }, "GET", false],
  [{ cookie, "sec-fetch-site": "same-site" }, "POST", false],
  [{ cookie, "sec-fetch-site": "same-site", origin: "https://b.example" }, "POST", true],
  [{ cookie, "sec-fetch-site": "cross-site" }, "GET", true],
] as const)("The cookie of %j sent by %s is that of a foreign page: %s", (headers, method, expected) => {
  expect(hasForeignCookie(headers, method, origins)).toBe(expected);
});
