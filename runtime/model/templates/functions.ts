/** Built-in template functions, each with one JSON argument. `not` is an operator instead. */
import { isObject } from "../../values/is-object.ts";
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import { stepsOfText } from "./budget.ts";
import { isArray, type JsonObject, type JsonValue } from "./json-value.ts";

/** @throws FunctionFailure for an argument of the wrong type */
export type TemplateFunction = (argument: JsonValue) => JsonValue;

/** Error of a function; the evaluator adds its position. */
export class FunctionFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FunctionFailure";
  }
}

function empty(value: JsonValue): boolean {
  if (typeof value === "boolean") throw new FunctionFailure("Cannot define emptiness for a boolean");
  if (typeof value === "string") return value.trim() === "";
  return isJsonNumber(value) ? Number(numberText(value)) === 0 : size(value) === 0;
}

function size(value: JsonValue): JsonValue {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return [...value].length;
  if (isJsonNumber(value)) return value;
  return isArray(value) ? value.length : Object.keys(value).length;
}

function inverse(value: JsonValue): JsonValue {
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return [...value].reverse().join("");
  if (isArray(value)) return value.toReversed();
  if (!isJsonNumber(value)) return value;
  const inverted = 1 / Number(numberText(value));
  if (!Number.isFinite(inverted)) throw new FunctionFailure("Cannot divide by zero");
  return inverted;
}

const arrayOrString = "Expected an array or string";

function head(value: JsonValue): JsonValue {
  if (typeof value !== "string" && !isArray(value)) throw new FunctionFailure(arrayOrString);
  const [first] = value;
  if (first === undefined) throw new FunctionFailure(typeof value === "string" ? "Empty string" : "Empty array");
  return first;
}

function tail(value: JsonValue): JsonValue {
  if (typeof value === "string") return [...value].slice(1).join("");
  if (isArray(value)) return value.slice(1);
  throw new FunctionFailure(arrayOrString);
}

function ofText(convert: (text: string) => string): TemplateFunction {
  return (value) => {
    if (typeof value !== "string") throw new FunctionFailure("Expected a string");
    return convert(value);
  };
}

/** Converts each character separately, because a final sigma depends on its position in the word. */
function toCaseFold(text: string): string {
  return Array.from(text, (character) => character.toUpperCase().toLowerCase()).join("");
}

function toTitle(text: string): string {
  return text.replace(/\p{L}[\p{L}\p{M}'’]*/gu, (word) => {
    const [first = "", ...others] = word;
    return first.toUpperCase() + others.join("").toLowerCase();
  });
}

/** Percent-encodes all characters except the unreserved ones of URIs. An unpaired surrogate becomes U+FFFD. */
export function escapeUri(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
  return encoded.replace(/[!'()*]/g, (reserved) => `%${reserved.charCodeAt(0).toString(16).toUpperCase()}`);
}

const pairShape = "Expected an array of shape [ [k1,v1], [k2,v2] ... ] - With String keys.";

function fromPairs(value: JsonValue): JsonObject {
  if (!isArray(value)) throw new FunctionFailure(pairShape);
  return Object.fromEntries(value.map(pair));
}

function pair(value: JsonValue): readonly [key: string, value: JsonValue] {
  if (!isArray(value) || value.length !== 2) throw new FunctionFailure(pairShape);
  const [key, member] = value;
  if (typeof key !== "string" || member === undefined) throw new FunctionFailure(pairShape);
  return [key, member];
}

function toPairs(value: JsonValue): JsonValue {
  if (!isObject(value)) throw new FunctionFailure("Expected an object");
  return Object.entries(value);
}

function removeNulls(value: JsonValue): JsonValue {
  if (!isArray(value)) throw new FunctionFailure("Expected an array");
  return value.filter((item) => item !== null);
}

/** Concatenates arrays, strings or objects. Without elements the result is an empty array. */
function concat(value: JsonValue): JsonValue {
  if (isArray(value)) {
    if (value.every(isArray)) return value.flat();
    if (value.every((item) => typeof item === "string")) return value.join("");
    if (value.every(isObject<JsonValue>)) return Object.fromEntries(value.flatMap((item) => Object.entries(item)));
  }
  throw new FunctionFailure("Expected an array of arrays, of strings or of objects");
}

/** Returns the number of steps of a call (`budget.ts`), also for functions of a scope. */
export function stepsOfCall(name: string, argument: JsonValue): number {
  if (isArray(argument) && name === "concat") return argument.reduce<number>((sum, item) => sum + length(item), 1);
  if (isArray(argument) && (name === "size" || name === "empty" || name === "head")) return 1;
  return 1 + length(argument);
}

function length(value: JsonValue): number {
  if (typeof value === "string") return stepsOfText(value.length);
  if (isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 1;
}

/** A function with its meaning and the text of an argument, for the documentation. */
interface FunctionRow {
  readonly call: TemplateFunction;
  readonly doc: string;
  readonly example: string;
}

const row = (call: TemplateFunction, doc: string, example: string): FunctionRow => ({ call, doc, example });

export const functionTable = {
  empty: row(empty, "true for null, 0, a blank text, an empty list or object; fails for a boolean", '"  "'),
  size: row(
    size,
    "the number of characters, items or members; 0 for null, 1 for true; a number is its own size",
    '"été"',
  ),
  inverse: row(inverse, "a boolean negated, a text or list reversed, 1 divided by a number", "[1, 2, 3]"),
  head: row(head, "the first item or character; fails if there is none", '["a", "b"]'),
  tail: row(tail, "all items or characters except the first", '["a", "b", "c"]'),
  toCaseFold: row(ofText(toCaseFold), "a text for comparisons that ignore case", '"ADA"'),
  toLower: row(
    ofText((text) => text.toLowerCase()),
    "a text in lower case",
    '"Ada"',
  ),
  toUpper: row(
    ofText((text) => text.toUpperCase()),
    "a text in upper case",
    '"Ada"',
  ),
  toTitle: row(ofText(toTitle), "a text whose words begin with a capital letter", '"ada lovelace"'),
  escapeUri: row(ofText(escapeUri), "a text with percent-encoded characters, for parts of a URL", '"a/b c"'),
  fromPairs: row(fromPairs, "an object from a list of pairs of key and value", '[["id", 7]]'),
  toPairs: row(toPairs, "the members of an object as pairs of key and value", '{"id": 7}'),
  removeNulls: row(removeNulls, "a list without its nulls", "[1, null, 2]"),
  concat: row(concat, "lists, texts or objects joined to one; of equal members, the last one counts", '["a", "b"]'),
} as const satisfies Readonly<Record<string, FunctionRow>>;

export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries(functionTable).map(([name, { call }]) => [name, call]),
);
