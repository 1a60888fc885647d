import { describe, expect, it } from "vitest";
import type { Route } from "../../../runtime/http/request-routes.ts";
import { pathOf, routeFinder } from "../../../runtime/http/route-finder.ts";
import { noSpan } from "../../../runtime/values/span.ts";
import { request } from "../../support/stub-services.ts";

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

describe("Routes", () => {
  const routes = ["GET /a", "POST /a", "ANY /b", "GET /c*", "GET /c/long/*", "ANY /d/*"].map((text): Route => {
    const [method = "", path = ""] = text.split(" ");
    const handler: Route["handler"] = async () => ({ status: 200, headers: {}, body: text, record: {} as never });
    return { method: method as Route["method"], path, handler };
  });
  const find = routeFinder(routes);

  it.each([
    ["GET", "/a", "GET /a"],
    ["HEAD", "/a?b", "GET /a"],
    ["POST", "/a", "POST /a"],
    ["PUT", "/a", undefined],
    ["GET", "/a/", undefined],
    ["GET", "/A", undefined],
    ["GET", "/%61", undefined],
    ["PURGE", "/b", "ANY /b"],
    ["GET", "/c", "GET /c*"],
    ["GET", "/c/long", "GET /c*"],
    ["HEAD", "/c/long/", "GET /c/long/*"],
    ["POST", "/c/long/x", undefined],
    ["DELETE", "/d/%zz", "ANY /d/*"],
    ["GET", "/d", undefined],
    ["OPTIONS", "*", undefined],
  ])("The route of %s %s is %s", async (method, url, expected) => {
    const handler = find({ method, url } as never);
    const response = await handler?.(request("", { span: noSpan }));
    expect(response?.body).toBe(expected);
  });
});
