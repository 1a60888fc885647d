/** What a user types → a value for a column of this type. Numbers that JavaScript would round stay text. */
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { Json } from "../../http/metadata-types.ts";

/** @throws Error when it cannot be such a value */
export function readTyped(text: string, type: string): Json {
  if (/^(?:smallint|integer|int[24]?|real|double precision|float\d*)$/i.test(type)) {
    const number = Number(text);
    if (text.trim() !== "" && String(number) === text.trim()) return number;
    return text;
  }
  if (/^bool/i.test(type)) {
    if (/^(?:true|t|yes)$/i.test(text.trim())) return true;
    if (/^(?:false|f|no)$/i.test(text.trim())) return false;
    throw new Error(`${JSON.stringify(text)} is neither true nor false.`);
  }
  if (/^jsonb?$/i.test(type)) {
    try {
      return parseRaw(text) as Json;
    } catch (error) {
      if (error instanceof LostNumber) throw error;
      throw new Error("This is not JSON: text stands in quotes there.");
    }
  }
  return text;
}

/** As `readTyped` reads it. */
export function typedText(value: unknown, type: string): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && !/^jsonb?$/i.test(type) ? value : JSON.stringify(value);
}
