import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { pathOf } from "../../../runtime/http/request-path.ts";
import type { Route } from "../../../runtime/http/request-routes.ts";
import { anonymous } from "../../../runtime/http/responses.ts";
import { routeFinder } from "../../../runtime/http/route-finder.ts";
import type { Handler } from "../../../runtime/ports/request.ts";

const handlerNamed = (body: string): Handler =>
  Object.assign<Handler, { label: string }>(
    () => Promise.resolve({ status: 200, headers: {}, body, record: anonymous }),
    { label: body },
  );

const route = (method: Route["method"], path: string): Route => ({
  method,
  path,
  handler: handlerNamed(`${method} ${path}`),
});

/** What answers a request: the route, or its status where there is none. */
async function answering(method: string, url: string): Promise<string | number> {
  const wrapped = new Set<Handler>();
  const find = routeFinder(
    // Short beginnings first: the order does not count.
    [
      route("GET", "/pages/*"),
      route("ANY", "/api/*"),
      route("GET", "/pages/files/*"),
      route("GET", "/items"),
      route("POST", "/items"),
      route("GET", "/api/list"),
    ],
    (handler) => {
      const all: Handler = (request) => handler(request);
      wrapped.add(all);
      return all;
    },
  );
  const handler = find({ method, url } as IncomingMessage);
  const { status, body } = await handler({ span: { isRecording: false } } as Parameters<Handler>[0]);
  if (status !== 200) return status;
  return wrapped.has(handler) ? `any method: ${body}` : body;
}

describe("routeFinder", () => {
  it.each([
    ["GET", "/items", "GET /items"],
    ["POST", "/items?a=/pages/", "POST /items"],
    ["HEAD", "/items", "GET /items"],
    ["GET", "http://example.com/items?a=1", "GET /items"],
    ["GET", "/api/list", "GET /api/list"],
    ["PUT", "/api/list", "any method: ANY /api/*"],
    ["OPTIONS", "/api/", "any method: ANY /api/*"],
    ["GET", "/pages/a/b", "GET /pages/*"],
    ["HEAD", "/pages/a", "GET /pages/*"],
    ["GET", "/pages/files/a", "GET /pages/files/*"],
  ])("%s %s is answered by %s", async (method, url, expected) => {
    expect(await answering(method, url)).toBe(expected);
  });

  it.each([
    ["GET", "/"],
    ["DELETE", "/items"],
    ["GET", "/items/"],
    ["GET", "/Items"],
    ["GET", "/%69tems"],
    ["GET", "//items"],
    ["POST", "/pages/a"],
    ["GET", "/pages"],
    ["GET", "/api"],
    ["OPTIONS", "*"],
    ["GET", "ftp://example.com/items"],
    ["GET", "/__proto__"],
    ["__proto__", "/items"],
  ])("%s %s has no route", async (method, url) => {
    expect(await answering(method, url)).toBe(404);
  });
});

describe("pathOf", () => {
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
  ])("takes the path of %s", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
