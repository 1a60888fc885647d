/**
 * Cursors: a JSON object with the values that a row is ordered by, in the structure of `order_by`, encoded by
 * `RelayTexts`. The position of nulls determines the structure of a statement; the values are parameters.
 */

import { kindOfValue } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import type { Encode } from "../definitions/parameters.ts";
import type { RelayTexts } from "./relay-texts.ts";

/** The values of a cursor by their path. */
export interface Cursor {
  /**
   * Returns the text of a value, or `null`.
   * @throws EngineError if the cursor has no such value
   */
  value(key: readonly string[]): string | null;
}

/**
 * Reads a cursor.
 * @param argsPath path of the arguments that contain the cursor
 * @param literal true if the cursor is a literal in the document
 * @throws EngineError `validation-failed`
 */
export function decodeCursor(
  value: unknown,
  texts: RelayTexts,
  argsPath: string,
  path: string,
  literal = false,
): Cursor {
  if (typeof value !== "string") {
    const message = `expected a string for type 'String', but found ${kindOfValue(value, literal)}`;
    throw new EngineError("validation-failed", path, message);
  }
  const decoded = texts.decode(value);
  if (!("value" in decoded)) throw invalidCursor(argsPath);
  return {
    value: (key) => {
      const found = key.reduce<unknown>(memberOf, decoded.value);
      if (found === null || typeof found === "string") return found;
      if (isJsonNumber(found)) return numberText(found);
      if (typeof found === "boolean") return String(found);
      throw invalidCursor(argsPath);
    },
  };
}

function memberOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function invalidCursor(argsPath: string): EngineError {
  return new EngineError("validation-failed", argsPath, 'the "after" or "before" cursor is invalid');
}

/** Returns an encoder for the value of one key of a cursor. */
export function encodeCursorKey(key: readonly string[], texts: RelayTexts, argsPath: string): Encode {
  return (value, path, literal) => decodeCursor(value, texts, argsPath, path, literal).value(key);
}

/** Returns the properties of a cursor that determine the structure of a statement: its keys, and the position of nulls. */
export function cursorStructure(value: unknown, texts: RelayTexts): string {
  const decoded = typeof value === "string" ? texts.decode(value) : {};
  return "value" in decoded ? JSON.stringify(outline(decoded.value)) : "";
}

function outline(value: unknown): unknown {
  if (value === null) return null;
  if (typeof value !== "object" || isJsonNumber(value)) return 1;
  if (Array.isArray(value)) return [];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, outline(member)]));
}
