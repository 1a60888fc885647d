/** Recognizes the purpose of columns by their names. */
import type { AnalyzedColumn } from "../2-analyze/analyzed-table.ts";
import type { TypeRef } from "../shape/shape.ts";

/** Splits `apiKey`, `api_key`, `APIKey` and `api-key` into words in lower case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

const secretWords = new Set([
  ...["password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "jwt", "otp", "totp", "salt"],
  ...["credential", "credentials", "apikey", "passwordhash", "pin"],
]);
/** Words before `key` that make it a secret. */
const keyWords = new Set(["api", "private", "secret", "access", "encryption", "signing", "ssh", "master"]);
/** Words that make a hash or digest one of public content. */
const contentWords = new Set([
  ...["content", "file", "commit", "block", "tx", "transaction", "image", "body", "git", "tree", "geo", "query"],
  ...["md5", "etag", "document", "avatar", "perceptual", "row", "schema", "blur"],
]);
/** Last words of columns about a secret that do not contain it. */
const aboutWords = new Set([
  ...["id", "at", "on", "count", "type", "kind", "name", "hint", "length", "expiry", "expires", "policy", "status"],
  ...["attempts", "version", "scope", "scopes", "required", "enabled", "set", "changed", "algorithm", "label"],
]);

/** Returns true if the column probably contains a password, token, key or their hash. */
export function looksSecret({ name, shape: { type } }: Pick<AnalyzedColumn, "name" | "shape">): boolean {
  if (!mayContainText(type)) return false;
  const words = wordsOf(name);
  if (aboutWords.has(words.at(-1) ?? "")) return false;
  if (words.some((word) => secretWords.has(word) || secretWords.has(word.replace(/e?s$/, "")))) return true;
  if (words.some((word, i) => /^keys?$/.test(word) && keyWords.has(words[i - 1] ?? ""))) return true;
  return words.some((word) => /^(?:hash|digest)$/.test(word)) && !words.some((word) => contentWords.has(word));
}

const ownerWords = new Set([
  ...["owner", "user", "account", "customer", "tenant", "organization", "organisation", "org", "creator"],
]);

/** Returns true for `owner`, `user_id`, `created_by`, `tenantId` and the like. */
export function looksLikeOwner(name: string): boolean {
  const words = wordsOf(name);
  if (words.join(" ") === "created by" || words.join(" ") === "owned by") return true;
  const [word = "", id, ...others] = words;
  if (!ownerWords.has(word) || others.length > 0) return false;
  return id === undefined ? word === "owner" : ["id", "uuid", "uid"].includes(id);
}

/** Types of flags, numbers and times, which do not contain secrets. */
const plainTypes = new Set([
  ...["bool", "int2", "int4", "int8", "numeric", "float4", "float8", "date", "time", "timetz", "timestamp"],
  ...["timestamptz", "interval", "bit", "tinyint", "smallint", "int", "bigint", "decimal", "float", "real"],
  ...["datetime", "datetime2", "datetimeoffset", "smalldatetime"],
]);

function mayContainText({ base, category, name, schema }: TypeRef): boolean {
  if (base !== undefined) return mayContainText(base);
  if (category === "enum" || category === "range") return false;
  return !((schema === "pg_catalog" || schema === "sys") && plainTypes.has(name));
}
