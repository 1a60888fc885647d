/** Conversion between typed text and column values. Numbers that JavaScript would round keep their digits. */
import type { ColumnInfo } from "../../http/data-api.ts";
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { Json, ValueKind } from "../../http/metadata-types.ts";

/** Decimal numbers, and the special values of PostgreSQL. */
const numberText = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|infinity|inf|nan)$/i;

const uuidText = /^\{?[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\}?$/i;

/** Returns true for columns of a PostgreSQL array type, whose values are JSON lists. */
export const isArrayType = (type: string): boolean => type.endsWith("[]");

/** @throws Error if the text is not a value of the column */
export function readColumn(text: string, { type, value, enum_values: values }: ColumnInfo): Json {
  if (values && !values.includes(text)) throw new Error(`Enter one of: ${values.slice(0, 20).join(", ")}.`);
  if (isArrayType(type)) return text.trimStart().startsWith("[") ? readTyped(text, "json") : text;
  if (/^(?:uuid|uniqueidentifier)$/i.test(type) && !uuidText.test(text.trim())) {
    throw new Error("Enter a UUID, such as 123e4567-e89b-12d3-a456-426614174000.");
  }
  if (isTime(type) && text.trim() === "") throw new Error("Enter a value.");
  return readTyped(text, value);
}

/** Returns true for types of dates and times. */
export const isTime = (type: string): boolean => /^(?:date|time|interval|smalldatetime)/i.test(type);

/** @throws Error if the text is not a value of the kind */
export function readTyped(text: string, kind: ValueKind): Json {
  if (kind === "number") {
    const trimmed = text.trim();
    if (trimmed === "") throw new Error("Enter a number.");
    if (!numberText.test(trimmed)) throw new Error(`${JSON.stringify(shortened(text))} is not a number.`);
    const number = Number(trimmed);
    return String(number) === trimmed ? number : trimmed;
  }
  if (kind === "boolean") {
    if (/^(?:true|t|yes|1)$/i.test(text.trim())) return true;
    if (/^(?:false|f|no|0)$/i.test(text.trim())) return false;
    throw new Error(`${JSON.stringify(shortened(text))} is not a boolean. Enter true or false.`);
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

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Returns the text that `readTyped` reads as the value. */
export function typedText(value: unknown, kind: ValueKind): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && kind !== "json" ? value : JSON.stringify(value);
}
