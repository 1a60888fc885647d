/** JSON values in templates: their types, order, and text in results and messages. */

import { encounteredJson } from "../../values/describe-json.ts";
import { type Interruptible, runToCompletion } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import { decimalOf, isJsonNumber, JsonNumber, numberText } from "../../values/json-number.ts";
import { stepsOfText } from "./budget.ts";

export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonScalar = null | boolean | number | JsonNumber | string;
type JsonContainer = readonly JsonValue[] | JsonObject;
export type JsonValue = JsonScalar | JsonContainer;

/** Returns `Object`, `Array`, `String`, `Number`, `Boolean` or `Null`. */
export const kindOf: (value: JsonValue) => string = encounteredJson;

export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Parses a number. It keeps its text if a JavaScript number might not represent it exactly. */
export function numberOf(text: string): number | JsonNumber {
  const value = Number(text);
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  const isNormal = value === 0 ? digits === "" : Math.abs(value) > 1e-300 && Number.isFinite(value);
  return digits.length <= 15 && isNormal ? value : new JsonNumber(text);
}

/** Returns the text of a string, number or boolean. */
export function scalarText(value: string | number | JsonNumber | boolean): string {
  return isJsonNumber(value) ? numberText(value) : String(value);
}

const maxExcerpt = 100;

/** Returns JSON text for messages, truncated without printing large values as a whole. */
export function excerpt(value: JsonValue): string {
  let text = "";
  for (const piece of pieces(value)) {
    text += piece;
    if (text.length > maxExcerpt) return `${text.slice(0, maxExcerpt)}…`;
  }
  return text;
}

function* pieces(value: JsonValue): Generator<string> {
  if (isArray(value)) {
    yield "[";
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ",";
      yield* pieces(item);
    }
    yield "]";
  } else if (isObject(value)) {
    yield "{";
    for (const [index, [key, member]] of Object.entries(value).entries()) {
      yield `${index > 0 ? "," : ""}${JSON.stringify(key.slice(0, maxExcerpt))}:`;
      yield* pieces(member);
    }
    yield "}";
  } else if (typeof value === "string") {
    yield JSON.stringify(value.slice(0, maxExcerpt));
  } else {
    yield value === null ? "null" : scalarText(value);
  }
}

/**
 * Compares values in a total order: by type, numbers by value, strings by code point, arrays by elements, objects by
 * their sorted keys, then their members. Iterative, so that deep values cannot exceed the stack.
 * @returns negative, zero (equal as JSON) or positive
 */
export function compareJson(left: JsonValue, right: JsonValue): number {
  return runToCompletion(comparison(left, right, { charge: () => false }));
}

/** Compares values like `compareJson`, within a budget. */
export function* comparison(
  left: JsonValue,
  right: JsonValue,
  budget: { charge(steps: number): boolean },
): Interruptible<number> {
  if (!isContainer(left) || !isContainer(right)) {
    if (budget.charge(stepsOfPair(left, right))) yield;
    return compareShallow(left, right);
  }
  if (left === right) return 0;
  const pairs: [JsonValue, JsonValue][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (budget.charge(stepsOfPair(a, b))) yield;
    const order = compareShallow(a, b);
    if (order !== 0) return order;
    if (isArray(a) && isArray(b)) {
      if (budget.charge(Math.min(a.length, b.length))) yield;
      pairs.push([a.length, b.length]);
      pushPairs(pairs, a, b);
    } else if (isObject(a) && isObject(b)) {
      // Sorting takes a few steps per key.
      const membersA = sortedMembers(a);
      if (budget.charge(4 * membersA.length)) yield;
      const membersB = sortedMembers(b);
      if (budget.charge(4 * membersB.length)) yield;
      // Keys are compared first; members only if the keys are equal.
      pushPairs(pairs, membersA.map(memberOf), membersB.map(memberOf));
      pairs.push([membersA.map(keyOf), membersB.map(keyOf)]);
    }
  }
  return 0;
}

export function isContainer(value: JsonValue): value is JsonContainer {
  return isArray(value) || isObject(value);
}

/** Returns the number of steps of a comparison. Long texts take several steps. */
function stepsOfPair(left: JsonValue, right: JsonValue): number {
  if (typeof left !== "string" || typeof right !== "string") return 1;
  return 1 + stepsOfText(Math.min(left.length, right.length));
}

function pushPairs(pairs: [JsonValue, JsonValue][], left: readonly JsonValue[], right: readonly JsonValue[]): void {
  for (let index = Math.min(left.length, right.length) - 1; index >= 0; index--) {
    const [a, b] = [left[index], right[index]];
    if (a !== undefined && b !== undefined) pairs.push([a, b]);
  }
}

type Member = readonly [key: string, value: JsonValue];

const keyOf = ([key]: Member): string => key;
const memberOf = ([, value]: Member): JsonValue => value;

function sortedMembers(value: JsonObject): readonly Member[] {
  return Object.entries(value).sort(([a], [b]) => compareText(a, b));
}

const kinds = ["Null", "Boolean", "Number", "String", "Array", "Object"];

function compareShallow(left: JsonValue, right: JsonValue): number {
  if (isJsonNumber(left) && isJsonNumber(right)) return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  return kinds.indexOf(kindOf(left)) - kinds.indexOf(kindOf(right));
}

/** Compares by code point. JavaScript's order by UTF-16 units differs for surrogates. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a === b) continue;
    const [surrogateA, surrogateB] = [isSurrogate(a), isSurrogate(b)];
    if (surrogateA === surrogateB) return a - b;
    return surrogateA ? (b > 0xdfff ? 1 : a - b) : a > 0xdfff ? -1 : a - b;
  }
  return left.length - right.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function compareNumbers(left: number | JsonNumber, right: number | JsonNumber): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [a, b] = [decimalOf(numberText(left)), decimalOf(numberText(right))];
  if (a.sign !== b.sign) return a.sign - b.sign;
  return a.sign * (a.magnitude - b.magnitude || compareText(a.digits, b.digits));
}
