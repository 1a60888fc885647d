/** Which databases and remote servers a change has looked at anew, by what is known of them before and after it. */
import type { Surroundings } from "./compile-state.ts";
import type { Reloads } from "./reloads.ts";
import type { IntrospectedSource } from "./source-registry.ts";

/** @param after of a change that was made on `before` */
export function reloadsBetween(before: Surroundings, after: Surroundings): Reloads {
  return {
    sources: [...after.introspections].flatMap(([name, source]) =>
      lookAt(source) === lookAt(before.introspections.get(name)) ? [] : [name],
    ),
    remoteSchemas: [...after.remoteIntrospections].flatMap(([name, { introspection }]) =>
      introspection === before.remoteIntrospections.get(name)?.introspection ? [] : [name],
    ),
  };
}

/**
 * What was seen, as an object of its own for each time that somebody looked: what had not changed here since the last
 * time may have changed since another instance looked.
 */
function lookAt(source: IntrospectedSource | undefined): unknown {
  if (source === undefined) return undefined;
  const { introspection, seen } = source;
  return seen ?? ("shape" in introspection ? introspection.shape : introspection);
}
