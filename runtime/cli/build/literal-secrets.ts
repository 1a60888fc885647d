/**
 * Secrets that metadata has in the place of names of environment variables. Whoever gets an artifact can read them in
 * it: parts that an artifact does not serve today count too, so that none slips in tomorrow.
 */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";

/** Their places in the document, as JSONPaths, in its order. */
export function literalSecrets(document: Json): readonly string[] {
  return [...differences(document, redactor()(document), "$")];
}

/** Texts for people and databases, in which something may look like a password. */
const prose = new Set(["code", "comment", "description", "query"]);

/** Headers whose values are nobody's secret. */
const harmlessHeader = /^(accept(-.*)?|cache-control|content-type|user-agent)$/i;

/** Where what is shown differs, something was hidden. */
function* differences(value: Json, shown: Json | undefined, path: string): Iterable<string> {
  if (typeof value === "string") {
    if (value !== shown) yield path;
  } else if (isList(value)) {
    const items = shown !== undefined && isList(shown) ? shown : [];
    for (const [i, item] of value.entries()) yield* differences(item, items[i], pathTo(path, i));
  } else if (isObject(value)) {
    const members = new Map(shown !== undefined && isObject(shown) ? Object.entries(shown) : []);
    for (const [key, member] of Object.entries(value)) {
      if (prose.has(key) || (key === "value" && isHarmlessHeader(value))) continue;
      yield* differences(member, members.get(key), pathTo(path, key));
    }
  }
}

const isHarmlessHeader = ({ name }: JsonObject): boolean => typeof name === "string" && harmlessHeader.test(name);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
