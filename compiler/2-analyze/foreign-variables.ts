/**
 * Refuses constants in permissions that look like session variables of another engine. As constants they would be
 * compared literally with rows, which can let all rows pass.
 */
import { isObject } from "../../runtime/values/is-object.ts";
import { sessionPrefix } from "../../runtime/values/session.ts";
import { peerPrefix } from "../../runtime/values/session-alias.ts";
import type { Json } from "../catalog/model.ts";
import { reject } from "./rejection.ts";

export interface PlacedText {
  /** `filter.author.id._eq` */
  readonly path: string;
  readonly text: string;
}

/** Yields all strings in a value with their paths. */
export function* textsIn(value: Json | undefined, path: string): Generator<PlacedText> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, `${path}[${index}]`);
  } else if (isObject<Json>(value)) {
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, `${path}.${key}`);
  }
}

/**
 * Refuses session variables of the other engine, unless their prefix is an alias.
 * @param alias the alias of the session variable prefix, in lower case
 * @throws Rejection
 */
export function refuseForeignVariables(value: Json | undefined, path: string, alias: string | null | undefined): void {
  if (alias === peerPrefix) return;
  for (const { path: place, text } of textsIn(value, path)) {
    if (isPeerVariable(text)) reject(foreignVariableText(place, text));
  }
}

export function isPeerVariable(text: string): boolean {
  return text.length > peerPrefix.length && text.toLowerCase().startsWith(peerPrefix);
}

export function foreignVariableText(path: string, text: string): string {
  const own = `${sessionPrefix}${text.slice(peerPrefix.length)}`;
  return (
    `${path}: "${text}" is a session variable of another engine: write "${own}", ` +
    `or start the server with --header-alias ${peerPrefix}=${sessionPrefix}`
  );
}
