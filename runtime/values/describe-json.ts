/** Names the kinds of JSON values and literals in error messages. */
import { EngineError } from "./errors.ts";
import { JsonNumber, numberText } from "./json-number.ts";

/**
 * Returns `a string`, `a number`, … as in "expected a boolean …, but found a string".
 * @param literal if true, distinguishes integers from floats
 */
export function kindOfValue(value: unknown, literal: boolean): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || value instanceof JsonNumber) {
    if (!literal) return "a number";
    return /^-?\d+$/.test(numberText(value)) ? "an integer" : "a float";
  }
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "string":
      return "a string";
    default:
      return "an object";
  }
}

/** Returns `String`, `Number`, … as in "parsing Text failed, expected String, but encountered Number". */
export function encounteredJson(value: unknown): string {
  if (value === null || value === undefined) return "Null";
  if (Array.isArray(value)) return "Array";
  if (value instanceof JsonNumber) return "Number";
  switch (typeof value) {
    case "boolean":
      return "Boolean";
    case "number":
      return "Number";
    case "string":
      return "String";
    default:
      return "Object";
  }
}

export function unexpectedKind(type: string, expected: string, found: unknown, path: string): EngineError {
  const message = `parsing ${type} failed, expected ${expected}, but encountered ${encounteredJson(found)}`;
  return new EngineError("parse-failed", path, message);
}
