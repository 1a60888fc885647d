/** Parses `--metadata-defaults`: metadata that contains only settings of database kinds. */
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseWithNumberTexts } from "../values/json/parse.ts";
import { Secret } from "./secret.ts";
import type { ValueType } from "./value-types.ts";

/** JSON text with `backend_configs`, whose settings may contain credentials. */
export const metadataDefaults: ValueType<Secret> = {
  valueName: "json",
  parse(value) {
    const document = readDocument(value);
    if (!isObject(document)) return { problem: "expecting a JSON object" };
    const { backend_configs: configs = {}, version: _, ...others } = document;
    const [other] = Object.keys(others).filter((name) => !isEmpty(others[name]));
    if (other !== undefined) return { problem: `only "backend_configs" is allowed, found "${other}"` };
    if (!isObject(configs)) return { problem: 'expecting an object as "backend_configs"' };
    return { value: new Secret(value) };
  },
  print: () => "",
};

/** Returns the `backend_configs` of a value of the option. */
export function backendDefaultsOf(text: Secret): Readonly<Record<string, unknown>> {
  const document = parseWithNumberTexts(text.reveal());
  const configs = isObject(document) ? document.backend_configs : undefined;
  return isObject(configs) ? configs : {};
}

function readDocument(text: string): unknown {
  try {
    return parseWithNumberTexts(text);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Returns true for an empty section, which an exported document may contain. */
function isEmpty(section: unknown): boolean {
  return Array.isArray(section) ? section.length === 0 : isObject(section) && Object.keys(section).length === 0;
}
