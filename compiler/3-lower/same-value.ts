/** Equality of plain data. Where values share parts with their predecessors, it costs as much as what they do not. */
import { JsonNumber } from "../../runtime/values/json-number.ts";

/** Compares two values of plain data: objects, arrays, primitives, exact numbers. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, i) => sameValue(item, right[i]));
  }
  if (left instanceof JsonNumber !== right instanceof JsonNumber) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      sameValue((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
