/**
 * Determines the sources and remote schemas that a change has introspected again, from the results before and after it.
 */
import type { IntrospectionResults } from "./compile-state.ts";
import type { Reloads } from "./reloads.ts";
import type { IntrospectedSource } from "./source-registry.ts";

/** Returns the sources and remote schemas whose introspection results differ between two states. */
export function reloadsBetween(before: IntrospectionResults, after: IntrospectionResults): Reloads {
  return {
    sources: [...after.introspections].flatMap(([name, source]) =>
      resultOf(source) === resultOf(before.introspections.get(name)) ? [] : [name],
    ),
    remoteSchemas: [...after.remoteIntrospections].flatMap(([name, { introspection }]) =>
      introspection === before.remoteIntrospections.get(name)?.introspection ? [] : [name],
    ),
  };
}

/**
 * Returns an object that is new after each introspection, even if the shape is unchanged: it may still differ from the shape
 * that another instance has read.
 */
function resultOf(source: IntrospectedSource | undefined): unknown {
  if (source === undefined) return undefined;
  const { introspection, fingerprinted } = source;
  return fingerprinted ?? ("shape" in introspection ? introspection.shape : introspection);
}
