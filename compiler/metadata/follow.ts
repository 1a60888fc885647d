/** Edits of metadata in which only some names become others: what stays the same stays the same object. */

import { isObject } from "../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../catalog/model.ts";
import { mapWhere, set } from "./edit.ts";

/** Every item changed; the same list when no item became another one. */
export function mapItems<T>(items: readonly T[], to: (item: T) => T): readonly T[] {
  return mapWhere(items, () => true, to);
}

/** Every member changed, its key, its value or both; order stays. */
export function mapMembers<V>(
  object: Readonly<Record<string, V>>,
  to: (key: string, value: V) => readonly [string, V],
): Readonly<Record<string, V>> {
  let changed = false;
  const entries = Object.entries(object).map(([key, value]) => {
    const next = to(key, value);
    if (next[0] !== key || next[1] !== value) changed = true;
    return next;
  });
  return changed ? Object.fromEntries(entries) : object;
}

/** A member of free form changed, where the object has it. */
export function editMember(object: JsonObject, key: string, to: (value: Json) => Json): JsonObject {
  const value = object[key];
  return value === undefined ? object : set(object, key, to(value));
}

/** The same, where the member is an object. */
export function editObject(object: JsonObject, key: string, to: (value: JsonObject) => JsonObject): JsonObject {
  return editMember(object, key, (value) => (isJsonObject(value) ? to(value) : value));
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
