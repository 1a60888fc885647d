/** Emits objects of strings and of numbers. */
import { stringLiteral } from "../4-emit/escape.ts";
import { type Code, object } from "../4-emit/layout.ts";
import { member } from "../4-emit/sources.ts";

export function textsCode(texts: readonly (readonly [name: string, text: string])[]): Code {
  return object(texts.map(([name, text]) => member(name, stringLiteral(text))));
}

/** Returns an object of numbers: `{ statement: 0, column: 1 }`. */
export function positions(numbers: Readonly<Record<string, number>>): Code {
  return object(Object.entries(numbers).map(([name, number]) => member(name, String(number))));
}
