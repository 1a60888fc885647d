/**
 * JSON texts as the log keeps them. `jsonb` refuses some JSON that handlers are told all the same: the character NUL,
 * halves of surrogate pairs, numbers beyond those of `numeric`. Such a text is kept as a string inside an object.
 */
import { isObject } from "../../values/is-object.ts";
import { parseAnswer } from "../../values/parse-json.ts";

/** No argument, header or session variable has such a name. */
const member = "(json text)";

/** A text that `jsonb` takes, whatever the given one is. */
export const wrapped = (text: string): string => JSON.stringify({ [member]: text });

/** Whether a text that `jsonb` takes would be mistaken for a wrapped one, unless it is wrapped, too. */
export const looksWrapped = (text: string): boolean => text.startsWith(`{"${member}":`);

/** What a text of the log says. */
export function parseStored(text: string): unknown {
  const value = parseAnswer(text);
  if (!isObject(value)) return value;
  const { [member]: inner, ...others } = value;
  return typeof inner === "string" && Object.keys(others).length === 0 ? parseAnswer(inner) : value;
}

/** Equal for equal variables: those of a session are compared with those that are stored. */
export function storedVariables(variables: ReadonlyMap<string, string>): string {
  const entries = [...variables].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(entries));
  return entries.flat().some(isRefused) ? wrapped(text) : text;
}

const isRefused = (text: string): boolean => text.includes("\0") || /\p{Cs}/u.test(text);
