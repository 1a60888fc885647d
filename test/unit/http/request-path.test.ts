import { describe, expect, it } from "vitest";
import { pathOf } from "../../../runtime/http/route-finder.ts";

describe("Request paths", () => {
  it.each([
    ["/a?b", "/a"],
    ["/a?b?c", "/a"],
    ["http://example.com/a?b", "/a"],
    ["HTTPS://user@example.com:80/a/b", "/a/b"],
    ["http://example.com", "/"],
    ["http://example.com?a", "/"],
    ["http:///a", "/a"],
    ["*", "*"],
    ["", ""],
  ])("pathOf returns the path of %s", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
