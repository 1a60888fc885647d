/**
 * Encodes JSON for the log. `jsonb` rejects some JSON that handlers accept: NUL characters, lone surrogates, numbers
 * outside the range of `numeric`. Such a text is stored as a string inside an object.
 */
import { isObject } from "../../values/is-object.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";

/** A key that no argument, header or session variable can have. */
const member = "(json text)";

/** Wraps a text so that `jsonb` accepts it. */
export const wrapped = (text: string): string => JSON.stringify({ [member]: text });

/** Returns true for a text that `parseStored` would mistake for a wrapped one. Such a text must itself be wrapped. */
export const looksWrapped = (text: string): boolean => text.startsWith(`{"${member}":`);

/** Parses a text of the log, unwrapping it if necessary. */
export function parseStored(text: string): unknown {
  const value = parseDatabaseJson(text);
  if (!isObject(value)) return value;
  const { [member]: inner, ...others } = value;
  return typeof inner === "string" && Object.keys(others).length === 0 ? parseDatabaseJson(inner) : value;
}

/**
 * Serializes session variables. Equal variables have equal texts, so that stored and current sessions can be compared.
 */
export function storedVariables(variables: ReadonlyMap<string, string>): string {
  const entries = [...variables].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(entries));
  return entries.flat().some(isRefused) ? wrapped(text) : text;
}

const isRefused = (text: string): boolean => text.includes("\0") || /\p{Cs}/u.test(text);
