/** Which databases and remote servers a change has looked at anew, by what is known of them before and after it. */
import type { Surroundings } from "./compile-state.ts";
import type { Reloads } from "./reloads.ts";

/** @param after of a change that was made on `before` */
export function reloadsBetween(before: Surroundings, after: Surroundings): Reloads {
  return {
    sources: [...after.introspections].flatMap(([name, { introspection }]) =>
      shapeOf(introspection) === shapeOf(before.introspections.get(name)?.introspection) ? [] : [name],
    ),
    remoteSchemas: [...after.remoteIntrospections].flatMap(([name, { introspection }]) =>
      introspection === before.remoteIntrospections.get(name)?.introspection ? [] : [name],
    ),
  };
}

/** What was read, as an object of its own for each time that it was. */
function shapeOf(introspection: object | undefined): unknown {
  return introspection && "shape" in introspection ? introspection.shape : introspection;
}
