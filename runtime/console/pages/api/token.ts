/** Decodes JSON Web Tokens to show their content. Only the server verifies them. */
import type { ClaimsLocation } from "../../http/config-api.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export interface DecodedToken {
  /** The compact form, without `Bearer`. */
  readonly text: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Maximum length of a token in characters. Servers accept headers of this size at most. */
const maxLength = 64 * 1024;

/** @throws Error with the reason that the text is not a token */
export function decodeToken(text: string): DecodedToken {
  const compact = text.replace(/^\s*(?:authorization\s*:\s*)?(?:bearer\s+)?/i, "").replace(/^["']|["']?\s*$/g, "");
  if (compact.length > maxLength) throw new Error(`The token is longer than ${maxLength.toLocaleString()} characters.`);
  const parts = compact.split(".");
  if (parts.length === 5) throw new Error("The token is encrypted (JWE). The server reads signed tokens (JWS) only.");
  const [header, claims] = parts;
  if (parts.length !== 3 || !header || !claims)
    throw new Error("Not a JSON Web Token: expected three parts that are separated by dots.");
  return { text: compact, header: jsonOf(header, "header"), claims: jsonOf(claims, "claims") };
}

function jsonOf(part: string, name: string): JsonObject {
  let value: unknown;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`Not a JSON Web Token: its ${name} is not JSON in base64url.`);
  }
  if (!isObject(value)) throw new Error(`Not a JSON Web Token: its ${name} is not a JSON object.`);
  return value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the time of a claim such as `exp`; `null` if it is missing or not a time. */
export function timeOf({ claims }: DecodedToken, name: "exp" | "nbf" | "iat"): Date | null {
  const seconds = claims[name];
  const time = typeof seconds === "number" ? new Date(seconds * 1000) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

// The engine's claims, by the configuration of the server.

const defaultLocation: ClaimsLocation = {
  claims_namespace: "https://engine.io/jwt/claims",
  claims_format: "json",
  claims_map: null,
};

/** Returns the session by the first location that fits. @throws Error for the first location, if none fits */
export function sessionAtAny(decoded: DecodedToken, locations: readonly ClaimsLocation[]): TokenSession {
  const [first = defaultLocation, ...others] = locations;
  try {
    return sessionOf(decoded, first);
  } catch (thrown) {
    if (others.length === 0) throw thrown;
    try {
      return sessionAtAny(decoded, others);
    } catch {
      throw thrown;
    }
  }
}

export interface TokenSession {
  readonly allowedRoles: readonly string[];
  readonly defaultRole: string;
  /** By name in lower case. */
  readonly variables: Readonly<Record<string, string>>;
}

const prefix = "x-engine-";
const allowedRoles = `${prefix}allowed-roles`;
const defaultRole = `${prefix}default-role`;

/** Returns the roles and session variables of a token. @throws Error that names the missing or invalid claim */
function sessionOf({ claims }: DecodedToken, location: ClaimsLocation): TokenSession {
  const found = new Map(
    Object.entries(location.claims_map ? mapped(claims, location.claims_map) : inNamespace(claims, location)).map(
      ([name, value]) => [name.toLowerCase(), value],
    ),
  );
  const roles = found.get(allowedRoles);
  const role = found.get(defaultRole);
  if (!Array.isArray(roles) || !roles.every((each) => typeof each === "string"))
    throw new Error(`The claim ${allowedRoles} is missing or not a list of roles.`);
  if (typeof role !== "string") throw new Error(`The claim ${defaultRole} is missing or not the name of a role.`);
  const variables: [string, string][] = [];
  for (const [name, value] of found) {
    if (!name.startsWith(prefix) || name === allowedRoles || name === defaultRole) continue;
    if (typeof value !== "string") throw new Error(`The claim ${name} is not a string.`);
    variables.push([name, value]);
  }
  return { allowedRoles: roles, defaultRole: role, variables: Object.fromEntries(variables) };
}

function inNamespace(
  claims: JsonObject,
  { claims_namespace: name, claims_format: format }: ClaimsLocation,
): JsonObject {
  const value = name.startsWith("$") ? valueAt(claims, name) : memberOf(claims, name);
  if (value === undefined) throw new Error(`The token has no claims at ${name}, where the server reads them.`);
  const parsed = format === "stringified_json" && typeof value === "string" ? parsedOrText(value) : value;
  if (!isObject(parsed)) throw new Error(`The claims at ${name} are not ${formats[format] ?? "a JSON object"}.`);
  return parsed;
}

const formats: Readonly<Record<string, string>> = { stringified_json: "a JSON object as text" };

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Evaluates a claims map: each entry is a value, or a path with an optional default. */
function mapped(claims: JsonObject, map: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([name, entry]) => {
      if (!isObject(entry)) return [name, entry];
      const value = valueAt(claims, String(entry.path)) ?? entry.default;
      if (value === undefined) throw new Error(`The token has no claim at ${String(entry.path)} for ${name}.`);
      return [name, value];
    }),
  );
}

const step = /\.?\[(?:(\d+)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]|\.([A-Za-z_][\w-]*)/g;

function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const [, index, double, single, name] of path.matchAll(step)) {
    value = memberOf(value, index ?? name ?? (double ?? single ?? "").replace(/\\(.)/g, "$1"));
  }
  return value;
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
