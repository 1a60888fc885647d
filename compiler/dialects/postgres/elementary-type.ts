import type { TypeRef } from "../../shape/shape.ts";

/** The type of what values are made of: of elements of arrays, of the base of domains. */
export function elementaryType(type: TypeRef): TypeRef {
  const inner = type.element ?? type.base;
  return inner === undefined ? type : elementaryType(inner);
}
