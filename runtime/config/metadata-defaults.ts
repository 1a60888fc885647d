/** The value of `--metadata-defaults`: metadata of which only the settings of database kinds count. */
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseAsWritten } from "../values/parse-json.ts";
import { Secret } from "./secret.ts";
import type { ValueType } from "./value-types.ts";

/** JSON text of `backend_configs`, whose settings may hold credentials. */
export const metadataDefaults: ValueType<Secret> = {
  placeholder: "json",
  parse(value) {
    const document = readDocument(value);
    if (!isObject(document)) return { problem: "expecting a JSON object" };
    const { backend_configs: configs = {}, version: _, ...others } = document;
    const [other] = Object.keys(others).filter((name) => !isEmpty(others[name]));
    if (other !== undefined) return { problem: `only "backend_configs" has defaults, "${other}" has none` };
    if (!isObject(configs)) return { problem: 'expecting an object as "backend_configs"' };
    return { value: new Secret(value) };
  },
  print: () => "",
};

/** @param text a value of the option @returns its `backend_configs` */
export function backendDefaultsOf(text: Secret): Readonly<Record<string, unknown>> {
  const document = parseAsWritten(text.reveal());
  const configs = isObject(document) ? document.backend_configs : undefined;
  return isObject(configs) ? configs : {};
}

function readDocument(text: string): unknown {
  try {
    return parseAsWritten(text);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Sections that say nothing may be there, as in an exported document. */
function isEmpty(section: unknown): boolean {
  return Array.isArray(section) ? section.length === 0 : isObject(section) && Object.keys(section).length === 0;
}
