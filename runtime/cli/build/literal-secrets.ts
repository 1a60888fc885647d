/**
 * Finds secrets that the metadata contains as literals instead of references to environment variables. They would be
 * readable in an artifact. Parts of the metadata that artifacts do not serve are also checked, in case a later version
 * serves them. `values/redact-metadata.ts` contains the patterns of secrets.
 */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";

/** Returns JSONPaths of the secrets, in the document's order. */
export function literalSecrets(document: Json): readonly string[] {
  return [...differences(document, redactor()(document), "$")];
}

/** Members with prose or SQL, whose text may resemble a password. */
const prose = new Set(["code", "comment", "description", "query"]);

/** Headers whose values are never secret. */
const harmlessHeader = /^(accept(-.*)?|cache-control|content-type|user-agent)$/i;

/** Yields paths at which redaction changed the value. */
function* differences(value: Json, redacted: Json | undefined, path: string): Iterable<string> {
  if (typeof value === "string") {
    if (value !== redacted) yield path;
  } else if (isList(value)) {
    const items = redacted !== undefined && isList(redacted) ? redacted : [];
    for (const [i, item] of value.entries()) yield* differences(item, items[i], pathTo(path, i));
  } else if (isObject(value)) {
    const members = new Map(redacted !== undefined && isObject(redacted) ? Object.entries(redacted) : []);
    for (const [key, member] of Object.entries(value)) {
      if (prose.has(key) || (key === "value" && isHarmlessHeader(value))) continue;
      yield* differences(member, members.get(key), pathTo(path, key));
    }
  }
}

const isHarmlessHeader = ({ name }: JsonObject): boolean => typeof name === "string" && harmlessHeader.test(name);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
