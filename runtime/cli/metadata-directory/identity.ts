/** Identifies the elements of lists in metadata, such as permissions by their role. */

import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { isObject } from "../../values/is-object.ts";

/** Keys that can identify an element. An element is identified by its first key in this order. */
const identityKeys = [
  "name",
  "role",
  "table",
  "function",
  "stored_procedure",
  "role_name",
  "collection",
  "type_name",
  "root_field_name",
  "host",
  "value",
] as const;

interface Identity {
  readonly key: string;
  readonly value: Json;
}

export function identityOf(element: Json | undefined): Identity | undefined {
  if (!isObject<Json>(element)) return undefined;
  const key = identityKeys.find((each) => isName(element[each]));
  return key === undefined ? undefined : { key, value: element[key] ?? null };
}

/** Returns true for a name, which may have a schema: conditions of row filters have other values. */
function isName(value: Json | undefined): boolean {
  return typeof value === "string" || (isObject<Json>(value) && typeof value.name === "string");
}

export const identityText = ({ key, value }: Identity): string => `${key}=${canonicalJson(value)}`;

/** Returns the index of each element by its identity; `undefined` if elements lack one, or share it. */
export function indexed(list: readonly Json[]): ReadonlyMap<string, number> | undefined {
  const found = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    const identity = identityOf(element);
    if (identity === undefined || found.has(identityText(identity))) return undefined;
    found.set(identityText(identity), index);
  }
  return found;
}

/**
 * Returns the index in the canonical list of each element of a file, which may name tables in a shorter form;
 * `undefined` for elements that the canonical list lacks.
 */
export function alignedTo(
  canonical: readonly Json[],
  indexes: ReadonlyMap<string, number>,
  written: readonly Json[],
): readonly (number | undefined)[] {
  const exact = written.map((element) => {
    const identity = identityOf(element);
    return identity === undefined ? undefined : indexes.get(identityText(identity));
  });
  const taken = new Set(exact);
  return written.map((element, position) => {
    if (exact[position] !== undefined) return exact[position];
    const identity = identityOf(element);
    const similar = canonical.flatMap((each, index) => (taken.has(index) || !isShort(identity, each) ? [] : [index]));
    return similar.length === 1 ? similar[0] : undefined;
  });
}

/** Returns true if a file may identify the canonical element this way: `note` or `{name: note}`. */
function isShort(identity: Identity | undefined, canonical: Json): boolean {
  const full = identityOf(canonical);
  if (identity === undefined || full?.key !== identity.key || !isObject<Json>(full.value)) return false;
  const short: JsonObject = isObject<Json>(identity.value) ? identity.value : { name: identity.value };
  return short.name === full.value.name && (short.schema === undefined || short.schema === full.value.schema);
}

/** Returns true if two elements differ in their identity only, as after a rename. */
export function isRenamed(before: Json, after: Json): boolean {
  const key = identityOf(before)?.key;
  if (key === undefined || key !== identityOf(after)?.key || !isObject<Json>(before) || !isObject<Json>(after)) {
    return false;
  }
  const { [key]: _before, ...left } = before;
  const { [key]: _after, ...right } = after;
  return Object.keys(left).length > 0 && canonicalJson(left) === canonicalJson(right);
}
