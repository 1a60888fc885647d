/** Texts by their names, as code. */
import { stringLiteral } from "../4-emit/escape.ts";
import { type Code, object } from "../4-emit/layout.ts";
import { member } from "../4-emit/sources.ts";

export function textsCode(texts: readonly (readonly [name: string, text: string])[]): Code {
  return object(texts.map(([name, text]) => member(name, stringLiteral(text))));
}
