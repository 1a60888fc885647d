import type { TypeRef } from "../../shape/shape.ts";

/** Returns the innermost type: the element type of arrays, and the base type of domains. */
export function elementaryType(type: TypeRef): TypeRef {
  const inner = type.element ?? type.base;
  return inner === undefined ? type : elementaryType(inner);
}
