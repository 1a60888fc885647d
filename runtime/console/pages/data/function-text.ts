/** Texts of database functions. */
import type { DatabaseFunction } from "../../http/data-api.ts";
import { shownName } from "../../parts/table-name.ts";

/** Returns a signature such as `search(text text, at_most integer = …)`. */
export function signatureOf(kind: string, found: DatabaseFunction): string {
  const given = found.arguments.map(({ name, type, has_default: hasDefault }) =>
    [name, type, hasDefault ? "= …" : null].filter((part) => part !== null).join(" "),
  );
  return `${shownName(kind, found)}(${given.join(", ")})`;
}

/** Returns the text of a return type, such as `set of book` or `integer`. */
export function returnText(kind: string, { returns: { type, set, table } }: DatabaseFunction): string {
  return `${set ? "set of " : ""}${table ? shownName(kind, table) : type}`;
}

/** Returns the names of arguments that can be the session argument. */
export const sessionArguments = (found: DatabaseFunction): readonly string[] =>
  found.arguments.flatMap(({ name, type }) => (name !== null && /^jsonb?$/.test(type) ? [name] : []));
