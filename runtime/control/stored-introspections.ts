/** Tells which sources and remote schemas are served by what they said earlier, when that begins. */
import type { Log } from "../observe/logs/log.ts";
import type { Surroundings } from "./compile-state.ts";

/** @param before what was known until now */
export function reportStoredIntrospections(log: Log, now: Surroundings, before: Surroundings): void {
  for (const { name, reason } of newlyStale(now.introspections, before.introspections)) {
    log.warn("stored-introspection", {
      message: "The database of a source does not answer: its stored introspection is used",
      info: { source: name, reason },
    });
  }
  for (const { name, reason } of newlyStale(now.remoteIntrospections, before.remoteIntrospections)) {
    log.warn("stored-introspection", {
      message: "The server of a remote schema does not answer: its stored introspection is used",
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
