/** The location of the engine's claims in the payload of a token. */
import { parseJsonPath } from "../../model/dialects/postgres/json-path.ts";
import { isObject } from "../../values/is-object.ts";
import { sessionPrefix } from "../../values/session.ts";
import { claimsNamespace, ownName } from "../../values/session-alias.ts";

export const allowedRolesClaim = "x-engine-allowed-roles";
export const defaultRoleClaim = "x-engine-default-role";

const defaultNamespace = "https://engine.io/jwt/claims";

const claimsFormats = ["json", "stringified_json"] as const;
export type ClaimsFormat = (typeof claimsFormats)[number];

export interface JsonPath {
  /** The path as written by the user. */
  readonly text: string;
  /** Member names and element indexes, from the outermost. */
  readonly keys: readonly string[];
}

/** One variable of a claims map: a literal value or a path in the payload. */
export type MappedClaim<T> =
  | { readonly kind: "literal"; readonly value: T }
  | { readonly kind: "path"; readonly path: JsonPath; readonly default: T | undefined };

export interface ClaimsMap {
  readonly allowedRoles: MappedClaim<readonly string[]>;
  readonly defaultRole: MappedClaim<string>;
  /** Names in lower case. */
  readonly others: ReadonlyMap<string, MappedClaim<string>>;
}

export type ClaimsLocation =
  | {
      readonly kind: "namespace";
      readonly name: string;
      /** Namespace in tokens issued for another engine; absent without a header alias. */
      readonly otherName?: string;
      readonly format: ClaimsFormat;
    }
  | { readonly kind: "path"; readonly path: JsonPath; readonly format: ClaimsFormat }
  | { readonly kind: "map"; readonly map: ClaimsMap };

/** Returns the location in the form of the configuration endpoint. For a map, namespace and format are the defaults. */
export function describeClaimsLocation(claims: ClaimsLocation): Readonly<Record<string, unknown>> {
  if (claims.kind === "map") {
    return { claims_namespace: defaultNamespace, claims_format: "json", claims_map: describeMap(claims.map) };
  }
  const name = claims.kind === "path" ? claims.path.text : claims.name;
  return { claims_namespace: name, claims_format: claims.format, claims_map: null };
}

function describeMap({ allowedRoles, defaultRole, others }: ClaimsMap): Readonly<Record<string, unknown>> {
  const claims = [[allowedRolesClaim, allowedRoles], [defaultRoleClaim, defaultRole], ...others] as const;
  return Object.fromEntries(
    claims.map(([name, claim]) => [
      name,
      claim.kind === "literal" ? claim.value : { path: claim.path.text, default: claim.default },
    ]),
  );
}

/**
 * Reads the location of claims from the JSON of a JWT secret.
 * @param alias prefix of claims that is accepted as an alias
 * @throws InvalidJwtConfig
 */
export function readClaimsLocation(json: JsonObject, alias: string | null): ClaimsLocation {
  const map = member(json, "claims_map");
  // A map overrides the other settings, which are not validated.
  if (map !== undefined) return { kind: "map", map: readClaimsMap(map, alias) };
  const format = readFormat(json);
  const name = optionalText(json, "claims_namespace");
  const path = optionalText(json, "claims_namespace_path");
  if (path === undefined) {
    const otherName = name === undefined && alias !== null ? { otherName: claimsNamespace(alias) } : {};
    return { kind: "namespace", name: name ?? defaultNamespace, ...otherName, format };
  }
  if (name !== undefined) throw new InvalidJwtConfig("claims_namespace and claims_namespace_path both cannot be set");
  return { kind: "path", path: readPath(path, "invalid JSON path claims_namespace_path error"), format };
}

function readFormat(json: JsonObject): ClaimsFormat {
  const text = optionalText(json, "claims_format") ?? "json";
  const format = claimsFormats.find((known) => known === text);
  if (format === undefined) throw new InvalidJwtConfig("expected 'claims_format' is 'json' or 'stringified_json'");
  return format;
}

function readClaimsMap(json: unknown, alias: string | null): ClaimsMap {
  if (!isObject(json)) throw new InvalidJwtConfig(`expecting an object for "claims_map"`);
  const claims = new Map<string, unknown>();
  for (const [given, claim] of Object.entries(json)) {
    const name = ownName(given.toLowerCase(), alias);
    if (!name.startsWith(sessionPrefix)) {
      throw new InvalidJwtConfig(`claims_map: "${given}" is not a session variable, which begin with ${sessionPrefix}`);
    }
    if (claims.has(name)) throw new InvalidJwtConfig(`claims_map: ${name} occurs twice`);
    claims.set(name, claim);
  }
  const take = <T>(name: string, isValue: (value: unknown) => value is T, expected: string): MappedClaim<T> => {
    if (!claims.has(name)) throw new InvalidJwtConfig(`${name} is expected but not found`);
    const claim = readClaim(name, claims.get(name), isValue, expected);
    claims.delete(name);
    return claim;
  };
  const allowedRoles = take(allowedRolesClaim, isRoleList, "an array of roles");
  const defaultRole = take(defaultRoleClaim, isRole, "a role");
  return {
    allowedRoles,
    defaultRole,
    others: new Map([...claims].map(([name, claim]) => [name, readClaim(name, claim, isText, "a string")])),
  };
}

function isRole(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isRoleList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isRole);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function readClaim<T>(
  name: string,
  claim: unknown,
  isValue: (value: unknown) => value is T,
  expected: string,
): MappedClaim<T> {
  if (isValue(claim)) return { kind: "literal", value: claim };
  const path = isObject(claim) ? optionalText(claim, "path") : undefined;
  if (!isObject(claim) || path === undefined) {
    throw new InvalidJwtConfig(`claims_map: ${name}: expecting ${expected}, or an object with a "path"`);
  }
  const fallback = member(claim, "default");
  if (fallback !== undefined && !isValue(fallback)) {
    throw new InvalidJwtConfig(`claims_map: ${name}: expecting ${expected} as its "default"`);
  }
  return { kind: "path", path: readPath(path, `claims_map: invalid JSON path of ${name}`), default: fallback };
}

function readPath(text: string, problem: string): JsonPath {
  const keys = parseJsonPath(text);
  if (keys === undefined)
    throw new InvalidJwtConfig(`${problem}: ${JSON.stringify(text)} is not a path like $.a['b c']`);
  return { text, keys };
}

/** Reads members of the JSON object that configures JWT authentication. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** An invalid configuration, described without secrets. `parseJwtConfig` converts it to a problem. */
export class InvalidJwtConfig extends Error {}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Returns a string member, or `undefined` if it is absent or null. */
export function optionalText(json: JsonObject, name: string): string | undefined {
  const value = member(json, name);
  if (value === undefined || typeof value === "string") return value;
  throw new InvalidJwtConfig(`expecting a string for "${name}"`);
}

/** Returns a member, or `undefined` if it is absent or null. */
export function member(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined;
}
