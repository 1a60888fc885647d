/** JSON with sorted keys. */
import { JsonNumber } from "./json-number.ts";

/** A key that needs no escaping in JSON. */
const plainKey = /^\w+$/;

/**
 * Prints JSON with sorted keys and without white space: equal values have equal texts, regardless of the order of their
 * keys.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (value instanceof JsonNumber) return value.text;
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  // `sort` compares UTF-16 code units.
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    const name = plainKey.test(key) ? `"${key}"` : JSON.stringify(key);
    text += `${text === "" ? "" : ","}${name}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
