/**
 * Numbers that a JavaScript number cannot hold without loss. JSON parsers yield them where digits would be lost
 * (`bigint`, `numeric`), and in metadata wherever the number would be written differently (`1.10`, `1E5`, `-0`); all
 * other numbers are plain numbers.
 */
import { isExactly } from "./decimal.ts";

export class JsonNumber {
  /** The number as it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** `JSON.stringify` writes a string, which keeps the digits; `stringifyJson` writes the number. */
  toJSON(): string {
    return this.text;
  }
}

/** Returns the number that a JSON text stands for; two texts of one value may become the same number. */
export function numberByValue(text: string): number | JsonNumber {
  const value = Number(text);
  return isExactly(value, text) ? value : new JsonNumber(text);
}

/** Returns the number that a JSON text stands for; `numberText` of it is the text again. */
export function numberAsWritten(text: string): number | JsonNumber {
  const value = Number(text);
  return String(value) === text ? value : new JsonNumber(text);
}

/** A number that generated code writes with all its digits. */
export const exactNumber = (text: string): JsonNumber => new JsonNumber(text);

export function isJsonNumber(value: unknown): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}

/** The digits of a number, as they were written where that matters. */
export function numberText(value: number | JsonNumber): string {
  return typeof value === "number" ? String(value) : value.text;
}

/** `JSON.stringify` that writes `JsonNumber`s as they were read. */
export function stringifyJson(value: unknown): string {
  return holdsJsonNumber(value) ? stringifyMembers(value) : (JSON.stringify(value) ?? "null");
}

function holdsJsonNumber(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (value instanceof JsonNumber) return true;
  if (Array.isArray(value)) return value.some(holdsJsonNumber);
  for (const key in value) {
    if (holdsJsonNumber((value as Readonly<Record<string, unknown>>)[key])) return true;
  }
  return false;
}

function stringifyMembers(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyMembers).join(",")}]`;
  if (value === null || typeof value !== "object" || "toJSON" in value) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringifyMembers(member)}`).join(",")}}`;
}
