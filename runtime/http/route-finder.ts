/** Finds the handler of a request where no path has parameters, in a look-up. */
import type { IncomingMessage } from "node:http";
import type { Handler } from "../ports/request.ts";
import { pathOf } from "./request-path.ts";
import type { Route } from "./request-routes.ts";

/** @returns `undefined`: there is no such route. `HEAD` goes where `GET` goes: Node leaves the body out. */
export function routeFinder(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const exact = exactRoutes(routes);
  const prefixes = routes.flatMap(({ method, path, handler }) =>
    method === "ANY" ? [[path.replace(/\*$/, ""), handler] as const] : [],
  );
  return (request) => {
    const found = exact(request);
    if (found) return found;
    const path = pathOf(request.url ?? "");
    return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  };
}

/** As `routeFinder`, for routes of one path. */
export function exactRoutes(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const methods = new Map<string, Map<string, Handler>>();
  for (const { method, path, handler } of routes) {
    if (method === "ANY") continue;
    const known = methods.get(method);
    const told = tellingRoute(path, handler);
    if (known) known.set(path, told);
    else methods.set(method, new Map([[path, told]]));
  }
  return (request) => {
    const { method = "GET" } = request;
    return methods.get(method === "HEAD" ? "GET" : method)?.get(pathOf(request.url ?? ""));
  };
}

/** Traces of requests tell which route they took. */
function tellingRoute(path: string, handler: Handler): Handler {
  return (request) => {
    if (request.span.isRecording) request.span.set({ "http.route": path });
    return handler(request);
  };
}
