/**
 * The alternative prefix of session variables, secrets and settings (`--header-alias`). Incoming names are translated to
 * the engine's prefix at the edge; outgoing names have both.
 */
import { sessionPrefix } from "./session.ts";

/**
 * The prefix of the engine whose projects can be imported. Without `--header-alias`, requests with that engine's role
 * header are refused.
 */
export const peerPrefix = "x-hasura-";

/**
 * Returns the name with the engine's prefix.
 * @param name name in lower case
 * @param alias the alternative prefix, if any
 */
export function ownName(name: string, alias: string | null): string {
  return alias !== null && name.startsWith(alias) ? `${sessionPrefix}${name.slice(alias.length)}` : name;
}

/** Two spellings of one name, whose values differ. */
export interface MismatchedNames {
  readonly mixed: readonly [foreign: string, own: string];
}

/**
 * Renames members to the engine's prefix. Either all members have the same prefix, or each occurs under both with equal
 * values: a party that may add members with one prefix must not override or complete members with the other.
 * @param members by name in lower case; names without either prefix are unchanged
 */
export function toEngineNames<T>(
  members: Iterable<readonly [string, T]>,
  alias: string,
): ReadonlyMap<string, T> | MismatchedNames {
  const others: [string, T][] = [];
  const [own, foreign] = [new Map<string, T>(), new Map<string, T>()];
  for (const [name, value] of members) {
    if (name.startsWith(alias)) foreign.set(ownName(name, alias), value);
    else if (name.startsWith(sessionPrefix)) own.set(name, value);
    else others.push([name, value]);
  }
  const mixed = own.size > 0 && foreign.size > 0 ? firstDifference(own, foreign, alias) : undefined;
  return mixed ?? new Map([...others, ...foreign, ...own]);
}

function firstDifference<T>(
  own: ReadonlyMap<string, T>,
  foreign: ReadonlyMap<string, T>,
  alias: string,
): MismatchedNames | undefined {
  const isSame = (name: string) =>
    own.has(name) && foreign.has(name) && JSON.stringify(own.get(name)) === JSON.stringify(foreign.get(name));
  const name = [...own.keys(), ...foreign.keys()].find((each) => !isSame(each));
  return name === undefined ? undefined : { mixed: [foreignName(name, alias), name] };
}

function foreignName(own: string, alias: string): string {
  return `${alias}${own.slice(sessionPrefix.length)}`;
}

export function mismatchText({ mixed: [foreign, own] }: MismatchedNames): string {
  return `"${foreign}" and "${own}" do not match: send all names with one prefix, or each with both and the same value`;
}

/** Adds copies of the members under the alternative prefix, for handlers, remote servers and SQL. */
export function underBothNames(
  variables: ReadonlyMap<string, string>,
  alias: string | null,
): ReadonlyMap<string, string> {
  if (alias === null) return variables;
  const both = new Map(variables);
  for (const [name, value] of variables) {
    if (name.startsWith(sessionPrefix)) both.set(foreignName(name, alias), value);
  }
  return both;
}

/** Returns the name of the transaction setting with the session variables: `name.user` for `x-name-`. */
export function userSetting(alias: string): string {
  return `${aliasName(alias)}.user`;
}

/** Returns the namespace that tokens use for claims of the engine with this prefix. */
export function claimsNamespace(alias: string): string {
  return `https://${aliasName(alias)}.io/jwt/claims`;
}

function aliasName(alias: string): string {
  return alias.slice("x-".length, -1);
}
