/**
 * Names of session variables, secrets and settings as the engine spells them that this one stands in for (`--header-alias`). What
 * comes in gets our names at the edge; what goes out has both.
 */
import { sessionPrefix } from "./session.ts";

/** The engine whose projects this one takes over: its prefix is refused where nobody says what it means. */
export const peerPrefix = "x-hasura-";

/** Our lower-case name of a lower-case name. @param alias the other prefix, in lower case; `null`: there is none */
export function ownName(name: string, alias: string | null): string {
  return alias !== null && name.startsWith(alias) ? `${sessionPrefix}${name.slice(alias.length)}` : name;
}

/** Two names of one thing that do not say the same. */
export interface MixedNames {
  readonly mixed: readonly [foreign: string, own: string];
}

/**
 * Members under our names. All of them come in one spelling, or each in both with the same value: who may add a member in
 * one spelling must not be able to override, or to complete, what somebody else vouches for in the other.
 * @param members names in lower case; other names than those of session variables are passed on
 */
export function underOwnNames<T>(
  members: Iterable<readonly [string, T]>,
  alias: string,
): ReadonlyMap<string, T> | MixedNames {
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
): MixedNames | undefined {
  const isSame = (name: string) =>
    own.has(name) && foreign.has(name) && JSON.stringify(own.get(name)) === JSON.stringify(foreign.get(name));
  const name = [...own.keys(), ...foreign.keys()].find((each) => !isSame(each));
  return name === undefined ? undefined : { mixed: [foreignName(name, alias), name] };
}

function foreignName(own: string, alias: string): string {
  return `${alias}${own.slice(sessionPrefix.length)}`;
}

export function mixedText({ mixed: [foreign, own] }: MixedNames): string {
  return `"${foreign}" and "${own}" do not say the same: send all names in one spelling, or each in both with the same value`;
}

/** Variables under our names → the same under both, for whoever reads them elsewhere: handlers, servers, SQL. */
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

/** `x-name-` → `name.user`, the setting of a transaction in which SQL finds the session variables. */
export function userSetting(alias: string): string {
  return `${aliasName(alias)}.user`;
}

/** `x-name-` → where tokens for the other engine have their claims. */
export function claimsNamespace(alias: string): string {
  return `https://${aliasName(alias)}.io/jwt/claims`;
}

function aliasName(alias: string): string {
  return alias.slice("x-".length, -1);
}
