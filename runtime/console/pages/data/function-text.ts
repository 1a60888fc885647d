/** Functions of a database as people write them. */
import type { DatabaseFunction } from "../../http/data-api.ts";
import { shownName } from "../../parts/table-name.ts";

/** `search(text text, at_most integer = …)` */
export function signatureOf(kind: string, found: DatabaseFunction): string {
  const given = found.arguments.map(({ name, type, has_default: hasDefault }) =>
    [name, type, hasDefault ? "= …" : null].filter((part) => part !== null).join(" "),
  );
  return `${shownName(kind, found)}(${given.join(", ")})`;
}

/** `set of book`, `integer` */
export function returnText(kind: string, { returns: { type, set, table } }: DatabaseFunction): string {
  return `${set ? "set of " : ""}${table ? shownName(kind, table) : type}`;
}

/** Names of arguments that can hold the variables of a session. */
export const sessionArguments = (found: DatabaseFunction): readonly string[] =>
  found.arguments.flatMap(({ name, type }) => (name !== null && /^jsonb?$/.test(type) ? [name] : []));
