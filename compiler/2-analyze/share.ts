/**
 * Sharing with the previous analysis: new plain data that equals the old is replaced by the old object, so that later
 * phases can detect changes by identity.
 */
import { JsonNumber } from "../../runtime/values/json-number.ts";
import type { Shape } from "../shape/shape.ts";
import { qualifiedKey } from "./analysis.ts";

/** Returns `previous` if both are deeply equal, else `next`. */
export function share<T>(previous: T | undefined, next: T): T {
  return previous !== undefined && equal(previous, next) ? previous : next;
}

/** Returns the list with each item shared by position, or `previous` if all are equal. */
export function shareList<T>(previous: readonly T[] | undefined, next: readonly T[]): readonly T[] {
  if (previous === undefined) return next;
  const shared = next.map((item, index) => share(previous[index], item));
  return shared.length === previous.length && shared.every((item, index) => item === previous[index])
    ? previous
    : shared;
}

/** Returns the map with each value shared by key, or `previous` if it has equal entries in the same order. */
export function shareMap<V>(
  previous: ReadonlyMap<string, V> | undefined,
  next: ReadonlyMap<string, V>,
): ReadonlyMap<string, V> {
  if (previous === undefined) return next;
  const shared = new Map<string, V>();
  for (const [key, value] of next) shared.set(key, share(previous.get(key), value));
  return sameEntries(previous, shared) ? previous : shared;
}

/** Returns `previous` if all members are identical, else `next`. */
export function shareShallow<T extends object>(previous: T | undefined, next: T): T {
  if (previous === undefined) return next;
  const keys = Object.keys(next) as (keyof T)[];
  const isSame =
    keys.length === Object.keys(previous).length && keys.every((key) => Object.is(previous[key], next[key]));
  return isSame ? previous : next;
}

/** Returns a shape that shares all unchanged parts with the previous one. */
export function shareShape(previous: Shape | undefined, next: Shape): Shape {
  if (previous === undefined || previous === next) return next;
  return shareShallow(previous, {
    ...next,
    tables: shareItems(previous.tables, next.tables, qualifiedKey),
    functions: shareItems(previous.functions, next.functions, ({ id }) => String(id)),
    types: share(previous.types, next.types),
  });
}

function shareItems<T>(previous: readonly T[], next: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const known = new Set(previous);
  let byKey: ReadonlyMap<string, T> | undefined;
  const shared = next.map((item) => {
    if (known.has(item)) return item;
    byKey ??= new Map(previous.map((each) => [keyOf(each), each]));
    return share(byKey.get(keyOf(item)), item);
  });
  return shared.length === previous.length && shared.every((item, i) => item === previous[i]) ? previous : shared;
}

function sameEntries<V>(left: ReadonlyMap<string, V>, right: ReadonlyMap<string, V>): boolean {
  if (left.size !== right.size) return false;
  const others = right.entries();
  for (const [key, value] of left) {
    const other = others.next().value;
    if (other?.[0] !== key || other[1] !== value) return false;
  }
  return true;
}

function equal(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (left instanceof Map && right instanceof Map) return equal([...left], [...right]);
  if (left instanceof JsonNumber !== right instanceof JsonNumber) return false;
  const keys = Object.keys(left);
  if (Array.isArray(left) !== Array.isArray(right) || keys.length !== Object.keys(right).length) return false;
  const a = left as Readonly<Record<string, unknown>>;
  const b = right as Readonly<Record<string, unknown>>;
  return keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
