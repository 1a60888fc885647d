/** Conversion between typed text and column values. Numbers that JavaScript would round stay text. */
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { Json, ValueKind } from "../../http/metadata-types.ts";

/** @throws Error if the text is not a value of the kind */
export function readTyped(text: string, kind: ValueKind): Json {
  if (kind === "number") {
    const number = Number(text);
    if (text.trim() !== "" && String(number) === text.trim()) return number;
    return text;
  }
  if (kind === "boolean") {
    if (/^(?:true|t|yes|1)$/i.test(text.trim())) return true;
    if (/^(?:false|f|no|0)$/i.test(text.trim())) return false;
    throw new Error(`${JSON.stringify(text)} is not a boolean. Enter true or false.`);
  }
  if (kind === "json") {
    try {
      return parseRaw(text) as Json;
    } catch (error) {
      if (error instanceof LostNumber) throw error;
      throw new Error("Invalid JSON. Enclose text in double quotes.");
    }
  }
  return text;
}

/** Returns the text that `readTyped` reads as the value. */
export function typedText(value: unknown, kind: ValueKind): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && kind !== "json" ? value : JSON.stringify(value);
}
