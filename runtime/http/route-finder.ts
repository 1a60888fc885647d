/**
 * Finds the handler of a request by look-ups. No route has parameters, so that no router is needed: those of packages
 * build functions from strings, which a sealed process may not.
 */
import type { IncomingMessage } from "node:http";
import type { Handler } from "../ports/request.ts";
import { notFoundHandler } from "./not-found.ts";
import { pathOf } from "./request-path.ts";
import type { Route } from "./request-routes.ts";

/**
 * `HEAD` goes where `GET` goes: Node leaves the body out. A whole path comes before the beginning of one, a long
 * beginning before a short one.
 * @param wrap what handlers become that get requests with any method
 */
export function routeFinder(
  routes: readonly Route[],
  wrap: (handler: Handler) => Handler,
): (request: IncomingMessage) => Handler {
  const exact = exactRoutes(routes);
  const prefixes = prefixRoutes(routes, wrap);
  const elsewhere = wrap(notFoundHandler);
  return ({ method: sent = "GET", url = "" }) => {
    const method = sent === "HEAD" ? "GET" : sent;
    const path = pathOf(url);
    return exact.get(method)?.get(path) ?? prefixes.find((route) => takes(route, method, path))?.handler ?? elsewhere;
  };
}

/** Method → path → handler. */
function exactRoutes(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Handler>> {
  const methods = new Map<string, Map<string, Handler>>();
  for (const { method, path, handler } of routes.filter((route) => !isPrefix(route))) {
    const known = methods.get(method);
    const told = tellingRoute(path, handler);
    if (known) known.set(path, told);
    else methods.set(method, new Map([[path, told]]));
  }
  return methods;
}

/** With paths that lack the `*`. */
function prefixRoutes(routes: readonly Route[], wrap: (handler: Handler) => Handler): readonly Route[] {
  const prefixes = routes.filter(isPrefix).map(({ method, path, handler }) => ({
    method,
    path: path.slice(0, -1),
    handler: method === "ANY" ? wrap(handler) : handler,
  }));
  return prefixes.sort((a, b) => b.path.length - a.path.length);
}

const isPrefix = ({ path }: Route): boolean => path.endsWith("*");

const takes = (route: Route, method: string, path: string): boolean =>
  (route.method === "ANY" || route.method === method) && path.startsWith(route.path);

/** Traces of requests tell which route they took. */
function tellingRoute(path: string, handler: Handler): Handler {
  return (request) => {
    if (request.span.isRecording) request.span.set({ "http.route": path });
    return handler(request);
  };
}
