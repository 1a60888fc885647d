/**
 * Deep equality of plain data. Shared parts are compared by identity, so the cost depends only on the parts that
 * differ.
 */
import { JsonNumber } from "../../runtime/values/json-number.ts";

/** Returns true if two values of plain data are equal: objects, arrays, primitives, exact numbers. */
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
