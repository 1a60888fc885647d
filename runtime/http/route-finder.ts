/** Finds handlers by lookup, because paths have no parameters. */
import type { IncomingMessage } from "node:http";
import type { Handler } from "../ports/request.ts";
import type { Route } from "./request-routes.ts";

/**
 * Returns a function that finds the handler of a request among all routes. `HEAD` uses the handler of `GET`; Node omits
 * the body.
 */
export function routeFinder(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const exact = exactRoutes(routes);
  const prefixes = routes
    .filter(({ path }) => path.endsWith("*"))
    .map(({ method, path, handler }) => ({
      method,
      prefix: path.slice(0, -1),
      // REST endpoints record their own routes.
      handler: method === "ANY" ? handler : recordRoute(path, handler),
    }))
    // The longest prefix wins.
    .sort((one, other) => other.prefix.length - one.prefix.length);
  const anyMethod = new Map(
    routes.flatMap(({ method, path, handler }) =>
      method === "ANY" && !path.endsWith("*") ? [[path, recordRoute(path, handler)] as const] : [],
    ),
  );
  return (request) => {
    const found = exact(request);
    if (found) return found;
    const path = pathOf(request.url ?? "");
    const asked = methodOf(request);
    const isFound = ({ method, prefix }: Pick<Route, "method"> & { readonly prefix: string }): boolean =>
      path.startsWith(prefix) && (method === "ANY" || method === asked);
    return anyMethod.get(path) ?? prefixes.find(isFound)?.handler;
  };
}

/** Returns a function that finds handlers by exact path. Exported for `test/bench/libraries.ts`. */
export function exactRoutes(routes: readonly Route[]): (request: IncomingMessage) => Handler | undefined {
  const methods = new Map<string, Map<string, Handler>>();
  for (const { method, path, handler } of routes) {
    if (method === "ANY" || path.endsWith("*")) continue;
    const known = methods.get(method);
    const recorded = recordRoute(path, handler);
    if (known) known.set(path, recorded);
    else methods.set(method, new Map([[path, recorded]]));
  }
  return (request) => methods.get(methodOf(request))?.get(pathOf(request.url ?? ""));
}

const methodOf = ({ method = "GET" }: IncomingMessage): string => (method === "HEAD" ? "GET" : method);

/** Wraps a handler to record the route in the request's span. */
function recordRoute(path: string, handler: Handler): Handler {
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
