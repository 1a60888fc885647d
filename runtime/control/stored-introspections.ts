/** Logs when a source or remote schema begins to be served from a stored introspection. */
import type { Log } from "../observe/logs/log.ts";
import type { IntrospectionResults } from "./compile-state.ts";

/** @param before introspection results served until now */
export function reportStoredIntrospections(log: Log, now: IntrospectionResults, before: IntrospectionResults): void {
  for (const { name, reason } of newlyStale(now.introspections, before.introspections)) {
    log.warn("stored-introspection", {
      message: "Source is unreachable; using its stored introspection",
      info: { source: name, reason },
    });
  }
  for (const { name, reason } of newlyStale(now.remoteIntrospections, before.remoteIntrospections)) {
    log.warn("stored-introspection", {
      message: "Remote schema is unreachable; using its stored introspection",
      info: { remote_schema: name, reason },
    });
  }
}

interface Introspected {
  readonly introspection: object | { readonly error: { readonly message: string }; readonly staleShape?: unknown };
}

function newlyStale(now: ReadonlyMap<string, Introspected>, before: ReadonlyMap<string, Introspected>) {
  return [...now].flatMap(([name, { introspection }]) => {
    const isStale = "error" in introspection && introspection.staleShape !== undefined;
    if (!isStale || before.get(name)?.introspection === introspection) return [];
    return [{ name, reason: introspection.error.message }];
  });
}
