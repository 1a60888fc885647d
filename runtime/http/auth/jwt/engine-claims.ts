/** Reads roles and session variables from a verified payload. */
import { isDeepStrictEqual } from "node:util";
import {
  allowedRolesClaim,
  type ClaimsFormat,
  type ClaimsLocation,
  type ClaimsMap,
  defaultRoleClaim,
  type JsonPath,
  type MappedClaim,
} from "../../../config/jwt/claims-location.ts";
import { encounteredJson } from "../../../values/describe-json.ts";
import { isObject } from "../../../values/is-object.ts";
import { sessionPrefix } from "../../../values/session.ts";
import { mismatchText, toEngineNames } from "../../../values/session-alias.ts";
import { accessKeyHeader, adminSecretHeader } from "../headers.ts";
import { invalidClaims, type JsonObject, missingRoleClaim } from "./compact-token.ts";

export interface EngineClaims {
  readonly allowedRoles: ReadonlySet<string>;
  readonly defaultRole: string;
  /** By name in lower case, without the claims about roles. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Reads the claims of a verified payload.
 * @param alias the alternative prefix of claims
 * @throws EngineError `jwt-invalid-claims`, `jwt-missing-role-claims`
 */
export function readEngineClaims(payload: JsonObject, location: ClaimsLocation, alias: string | null): EngineClaims {
  if (location.kind === "map") return mappedClaims(payload, location.map);
  const claims = new Map<string, unknown>();
  for (const [name, value] of claimsIn(payload, location, alias)) {
    if (name.startsWith(sessionPrefix)) claims.set(name, value);
  }
  const allowedRoles = readAllowedRoles(claims.get(allowedRolesClaim));
  const defaultRole = readDefaultRole(claims.get(defaultRoleClaim), "a single role name");
  return { allowedRoles, defaultRole, variables: variablesOf(claims) };
}

type Namespace = Exclude<ClaimsLocation, { kind: "map" }>;

/** Returns the claims under the engine's names. With an alias, they may be in either namespace or in both. */
function claimsIn(payload: JsonObject, location: Namespace, alias: string | null): ReadonlyMap<string, unknown> {
  const otherName = location.kind === "namespace" ? location.otherName : undefined;
  if (otherName === undefined || !Object.hasOwn(payload, otherName)) {
    return ownClaims(findNamespace(payload, location), alias);
  }
  const other = ownClaims(findNamespace(payload, { ...location, kind: "namespace", name: otherName }), alias);
  if (location.kind !== "namespace" || !Object.hasOwn(payload, location.name)) return other;
  // A party that controls one namespace must not override the claims in the other.
  if (isDeepStrictEqual(other, ownClaims(findNamespace(payload, location), alias))) return other;
  throw invalidClaims(`'${otherName}' and '${location.name}' do not match`);
}

function ownClaims(members: JsonObject, alias: string | null): ReadonlyMap<string, unknown> {
  const lower = Object.entries(members).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (alias === null) return new Map(lower);
  const own = toEngineNames(lower, alias);
  if ("mixed" in own) throw invalidClaims(mismatchText(own));
  return own;
}

const registeredClaims: ReadonlySet<string> = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

function findNamespace(payload: JsonObject, location: Namespace): JsonObject {
  const own = Object.fromEntries(Object.entries(payload).filter(([name]) => !registeredClaims.has(name)));
  if (location.kind === "namespace") {
    const found = member(own, location.name);
    if (found === undefined) throw invalidClaims(`claims key: '${location.name}' not found`);
    return parseNamespace(found, location.format, `claims_namespace ${location.name}`);
  }
  const { path, format } = location;
  const found = valueAt(own, path);
  if (found === undefined) throw invalidClaims(`claims not found at claims_namespace_path: '${path.text}'`);
  return parseNamespace(found, format, `claims_namespace_path ${path.text}`);
}

function parseNamespace(value: unknown, format: ClaimsFormat, location: string): JsonObject {
  if (format === "json") {
    if (isObject(value)) return value;
    throw invalidClaims("expecting a json object when claims_format is json");
  }
  if (typeof value !== "string") throw invalidClaims("expecting a string when claims_format is stringified_json");
  const parsed = parseJsonObject(value);
  if (parsed !== undefined) return parsed;
  throw invalidClaims(`expecting stringified json at: '${location}', but found: ${value}`);
}

function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Reads claims by their paths in the whole payload, including registered claims. */
function mappedClaims(payload: JsonObject, map: ClaimsMap): EngineClaims {
  const allowedRoles = readAllowedRoles(mappedValue(payload, map.allowedRoles));
  const defaultRole = readDefaultRole(mappedValue(payload, map.defaultRole), "a role");
  const claims = new Map<string, unknown>();
  for (const [name, claim] of map.others) {
    const value = mappedValue(payload, claim);
    if (value === undefined) throw invalidClaims(`JWT claim from claims_map, ${name} not found`);
    claims.set(name, value);
  }
  return { allowedRoles, defaultRole, variables: variablesOf(claims) };
}

function mappedValue(payload: JsonObject, claim: MappedClaim<unknown>): unknown {
  return claim.kind === "literal" ? claim.value : (valueAt(payload, claim.path) ?? claim.default);
}

function valueAt(json: unknown, { keys }: JsonPath): unknown {
  return keys.reduce(member, json);
}

function member(json: unknown, key: string): unknown {
  if (Array.isArray(json)) return /^\d+$/.test(key) ? json[Number(key)] : undefined;
  // Ignores inherited properties.
  return isObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

function readAllowedRoles(claim: unknown): ReadonlySet<string> {
  if (claim === undefined) throw missingRoleClaim(allowedRolesClaim);
  const problem = `invalid ${allowedRolesClaim}; should be a list of roles`;
  if (!Array.isArray(claim)) throw invalidClaims(`${problem}: ${wrongKind("[]", "Array", claim)}`);
  return new Set(claim.map((role: unknown) => readRole(role, problem)));
}

function readDefaultRole(claim: unknown, expected: string): string {
  if (claim === undefined) throw missingRoleClaim(defaultRoleClaim);
  return readRole(claim, `invalid ${defaultRoleClaim}; should be ${expected}`);
}

function readRole(role: unknown, problem: string): string {
  if (typeof role !== "string") throw invalidClaims(`${problem}: ${wrongKind("Text", "String", role)}`);
  if (role === "") throw invalidClaims(`${problem}: empty string not allowed`);
  return role;
}

const notVariables: ReadonlySet<string> = new Set([
  allowedRolesClaim,
  defaultRoleClaim,
  adminSecretHeader,
  accessKeyHeader,
]);

function variablesOf(claims: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [name, value] of claims) {
    if (notVariables.has(name)) continue;
    if (typeof value !== "string")
      throw invalidClaims(`${sessionPrefix}* claims: ${wrongKind("Text", "String", value)}`);
    variables.set(name, value);
  }
  return variables;
}

function wrongKind(type: string, expected: string, found: unknown): string {
  return `parsing ${type} failed, expected ${expected}, but encountered ${encounteredJson(found)}`;
}
