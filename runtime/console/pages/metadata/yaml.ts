/**
 * Metadata as one YAML document, in the form of the command `engine metadata convert`. Loaded on first use, because the
 * page would wait for the parser.
 */
import { Locations } from "../../../metadata-text/locations.ts";
import { parseYaml, yamlValue } from "../../../metadata-text/yaml-file.ts";
import { type YamlContent, yamlText } from "../../../metadata-text/yaml-text.ts";
import { EngineError } from "../../../values/errors.ts";
import { JsonNumber } from "../../../values/json-number.ts";
import { parseRaw, rawNumberText } from "../../http/json.ts";

/** Maximum number of values. Aliases of aliases in a short text can stand for more values than the memory has space for. */
const maxValues = 1_000_000;

/** Maximum depth of objects and lists, below the limit of the call stack. */
const maxDepth = 200;

/** @param metadata as `parseRaw` returns it */
export const yamlOf = (metadata: unknown): string => yamlText(converted(metadata, withJsonNumber) as YamlContent);

/**
 * Returns a value in the form of `parseRaw`.
 * @param name name of the text in messages
 * @throws Error with a message for the user
 */
export function readYaml(name: string, text: string): unknown {
  try {
    return converted(parse(name, text), withRawNumber);
  } catch (thrown) {
    // The parser is recursive.
    if (thrown instanceof RangeError) throw tooDeep();
    if (thrown instanceof EngineError) throw new Error(`This is not YAML: ${thrown.message}`);
    throw thrown;
  }
}

function parse(name: string, text: string): unknown {
  const file = parseYaml({ file: name, text });
  const { value } = yamlValue(file, new Locations(), (target) => {
    throw new Error(
      `This is one file of a metadata directory: it includes ${target}. Apply the directory with engine metadata apply, or convert it to one file with engine metadata convert.`,
    );
  });
  return value;
}

const tooDeep = (): Error => new Error(`The metadata is nested deeper than ${maxDepth} levels.`);

function withJsonNumber(value: unknown): unknown {
  const text = rawNumberText(value);
  return text === undefined ? value : new JsonNumber(text);
}

const withRawNumber = (value: unknown): unknown => (value instanceof JsonNumber ? parseRaw(value.text) : value);

/** Copies a value with other representations of numbers. @throws Error if the copy would be too large or too deep */
function converted(value: unknown, convert: (value: unknown) => unknown): unknown {
  let count = 0;
  const copy = (each: unknown, depth: number): unknown => {
    count += 1;
    if (count > maxValues) throw new Error(`The metadata has more than ${maxValues.toLocaleString()} values.`);
    if (depth > maxDepth) throw tooDeep();
    const result = convert(each);
    if (result !== each || typeof each !== "object" || each === null) return result;
    if (Array.isArray(each)) return each.map((item) => copy(item, depth + 1));
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, copy(member, depth + 1)]));
  };
  return copy(value, 0);
}
