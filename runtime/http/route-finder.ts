/** The router of sealed servers. It finds handlers by lookup, because their paths have no parameters. */
import type { IncomingMessage } from "node:http";
import type { Handler } from "../ports/request.ts";
import type { Route } from "./request-routes.ts";

/**
 * Returns a function that finds the handler of a request among all routes. `HEAD` uses the handler of `GET`; Node omits
 * the body.
 */
export function routeFinder(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const exact = exactRoutes(routes);
  const prefixes = routes.flatMap(({ method, path, handler }) =>
    method === "ANY" && path.endsWith("*") ? [[path.slice(0, -1), handler] as const] : [],
  );
  const anyMethod = new Map(
    routes.flatMap(({ method, path, handler }) =>
      method === "ANY" && !path.endsWith("*") ? [[path, recordRoute(path, handler)] as const] : [],
    ),
  );
  return (request) => {
    const found = exact(request);
    if (found) return found;
    const path = pathOf(request.url ?? "");
    return anyMethod.get(path) ?? prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  };
}

/** Returns a function that finds handlers by exact path. Exported for `test/bench/libraries.ts`. */
export function exactRoutes(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const methods = new Map<string, Map<string, Handler>>();
  for (const { method, path, handler } of routes) {
    if (method === "ANY") continue;
    const known = methods.get(method);
    const recorded = recordRoute(path, handler);
    if (known) known.set(path, recorded);
    else methods.set(method, new Map([[path, recorded]]));
  }
  return (request) => {
    const { method = "GET" } = request;
    return methods.get(method === "HEAD" ? "GET" : method)?.get(pathOf(request.url ?? ""));
  };
}

/** Wraps a handler to record the route in the request's span. */
export function recordRoute(path: string, handler: Handler): Handler {
  return (request) => {
    if (request.span.isRecording) request.span.set({ "http.route": path });
    return handler(request);
  };
}

/**
 * Returns the path of a request target, without the query string. Also accepts the absolute form, which clients send to
 * a proxy (RFC 9112, 3.2.2).
 */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  if (path.startsWith("/")) return path;
  const rest = absoluteForm.exec(path)?.[1];
  return rest === "" ? "/" : (rest ?? path);
}

const absoluteForm = /^https?:\/\/[^/]*(.*)$/i;
