/**
 * Parses one JWT secret of the options: the location of the token in a request, the key that verifies it, and the
 * location of its claims. Printing or serializing the result or its parts never reveals the key.
 */
import { isObject } from "../../values/is-object.ts";
import { type HttpUrl, parseHttpUrl } from "../http-url.ts";
import type { Parsed, ValueType } from "../value-types.ts";
import {
  type ClaimsLocation,
  describeClaimsLocation,
  InvalidJwtConfig,
  isTextList,
  type JsonObject,
  member,
  optionalText,
  readClaimsLocation,
} from "./claims-location.ts";
import { parseVerificationKey, type VerificationKey } from "./verification-key.ts";

/** The location of the token in a request. */
export type TokenLocation =
  | { readonly kind: "authorization" }
  | { readonly kind: "cookie"; readonly name: string }
  /** Name in lower case. */
  | { readonly kind: "header"; readonly name: string };

type KeyLocation =
  | { readonly kind: "given"; readonly key: VerificationKey }
  | { readonly kind: "url"; readonly url: HttpUrl };

export interface JwtSettings {
  readonly key: KeyLocation;
  readonly token: TokenLocation;
  readonly claims: ClaimsLocation;
  /** Prefix of claims that is accepted as an alias. */
  readonly alias: string | null;
  /** Accepted audiences; `null` accepts any. */
  readonly audience: readonly string[] | null;
  readonly issuer: string | null;
  /** Clock skew tolerated for `exp`, `nbf` and `iat`. */
  readonly allowedSkewSeconds: number;
}

export class JwtConfig {
  readonly settings: JwtSettings;

  constructor(settings: JwtSettings) {
    this.settings = settings;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { claims, audience, issuer, allowedSkewSeconds, token } = this.settings;
    return {
      type: "<TYPE REDACTED>",
      key: "<JWK REDACTED>",
      ...describeClaimsLocation(claims),
      audience,
      issuer,
      allowed_skew: allowedSkewSeconds,
      header: token,
    };
  }
}

/** Parses a JWT secret. Problems never contain parts of the key. */
export function parseJwtConfig(json: unknown, alias: string | null = null): Parsed<JwtConfig> {
  try {
    if (!isObject(json)) throw new InvalidJwtConfig("expecting a JSON object");
    return { value: new JwtConfig(readSettings(json, alias)) };
  } catch (error) {
    if (error instanceof InvalidJwtConfig) return { problem: error.message };
    throw error;
  }
}

function readSettings(json: JsonObject, alias: string | null): JwtSettings {
  return {
    key: readKey(json),
    token: readTokenLocation(json),
    claims: readClaimsLocation(json, alias),
    alias,
    audience: readAudience(json),
    issuer: optionalText(json, "issuer") ?? null,
    allowedSkewSeconds: readSkew(json),
  };
}

function readKey(json: JsonObject): KeyLocation {
  const key = optionalText(json, "key");
  const url = optionalText(json, "jwk_url");
  if (key !== undefined && url !== undefined) throw new InvalidJwtConfig("key, jwk_url both cannot be present");
  if (url !== undefined) return { kind: "url", url: accept(parseHttpUrl(url), "jwk_url: ") };
  if (key === undefined) throw new InvalidJwtConfig("key and jwk_url both cannot be empty");
  const type = optionalText(json, "type");
  if (type === undefined) throw new InvalidJwtConfig('key "type" not found');
  return { kind: "given", key: accept(parseVerificationKey(type, key)) };
}

function readTokenLocation(json: JsonObject): TokenLocation {
  const header = member(json, "header") ?? { type: "Authorization" };
  if (!isObject(header)) throw new InvalidJwtConfig('expecting an object for "header"');
  const type = optionalText(header, "type")?.toLowerCase();
  if (type === "authorization") return { kind: "authorization" };
  if (type !== "cookie" && type !== "customheader") {
    throw new InvalidJwtConfig("expected 'type' is 'Authorization' or 'Cookie' or 'CustomHeader'");
  }
  const name = optionalText(header, "name");
  if (name === undefined || name === "") throw new InvalidJwtConfig('header: key "name" not found');
  return type === "cookie" ? { kind: "cookie", name } : { kind: "header", name: name.toLowerCase() };
}

function readAudience(json: JsonObject): readonly string[] | null {
  const audience = member(json, "audience");
  if (audience === undefined) return null;
  const list: unknown = typeof audience === "string" ? [audience] : audience;
  if (!isTextList(list)) throw new InvalidJwtConfig('expecting a string or an array of strings for "audience"');
  return list;
}

function readSkew(json: JsonObject): number {
  const skew = member(json, "allowed_skew") ?? 0;
  if (typeof skew !== "number" || !Number.isSafeInteger(skew) || skew < 0) {
    throw new InvalidJwtConfig('expecting a non negative integer of seconds for "allowed_skew"');
  }
  return skew;
}

function accept<T>(parsed: Parsed<T>, prefix = ""): T {
  if ("value" in parsed) return parsed.value;
  throw new InvalidJwtConfig(`${prefix}${parsed.problem}`);
}

const notJson = { problem: "expecting JSON" };

function parseText(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    // The parser's message would quote the key.
    return null;
  }
}

export const jwtConfig: ValueType<JwtConfig> = {
  valueName: "json",
  parse(text, alias) {
    const parsed = parseText(text);
    return parsed === null ? notJson : parseJwtConfig(parsed.json, alias);
  },
  print: () => null,
};

export const jwtConfigList: ValueType<readonly JwtConfig[]> = {
  valueName: "json",
  parse(text, alias) {
    const parsed = parseText(text);
    if (parsed === null) return notJson;
    if (!Array.isArray(parsed.json)) return { problem: "expecting a JSON array of objects" };
    const configs: JwtConfig[] = [];
    for (const [i, json] of parsed.json.entries()) {
      const config = parseJwtConfig(json, alias);
      if ("problem" in config) return { problem: `[${i}]: ${config.problem}` };
      configs.push(config.value);
    }
    return { value: configs };
  },
  print: () => null,
};
