/**
 * Sharing with the previous Analysis: new plain data that says the same as the old becomes the old object, so that
 * later phases see by identity what changed.
 */
import { JsonNumber } from "../../runtime/values/json-number.ts";
import type { Shape } from "../shape/shape.ts";
import { qualifiedKey } from "./analysis.ts";

/** `next`, or `previous` if both hold the same in depth. */
export function share<T>(previous: T | undefined, next: T): T {
  return previous !== undefined && equal(previous, next) ? previous : next;
}

/** The list with each item shared with the one in its place; `previous` itself if it holds the same. */
export function shareList<T>(previous: readonly T[] | undefined, next: readonly T[]): readonly T[] {
  if (previous === undefined) return next;
  const shared = next.map((item, index) => share(previous[index], item));
  return shared.length === previous.length && shared.every((item, index) => item === previous[index])
    ? previous
    : shared;
}

/** The map with each value shared; `previous` itself if it holds the same in the same order. */
export function shareMap<V>(
  previous: ReadonlyMap<string, V> | undefined,
  next: ReadonlyMap<string, V>,
): ReadonlyMap<string, V> {
  if (previous === undefined) return next;
  const shared = new Map<string, V>();
  for (const [key, value] of next) shared.set(key, share(previous.get(key), value));
  return sameEntries(previous, shared) ? previous : shared;
}

/** The object if some member is another one, else `previous`. */
export function shareShallow<T extends object>(previous: T | undefined, next: T): T {
  if (previous === undefined) return next;
  const keys = Object.keys(next) as (keyof T)[];
  const isSame =
    keys.length === Object.keys(previous).length && keys.every((key) => Object.is(previous[key], next[key]));
  return isSame ? previous : next;
}

/** A Shape of which everything is that of an earlier one that introspection found the same again. */
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
