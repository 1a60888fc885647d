/** JSON for golden files: a short value is on one line, and numbers keep their digits. */
import { JsonNumber } from "../../runtime/values/json-number.ts";

/**
 * Returns the text of a JSON file, with a final line break.
 * @param width maximum length of a line with several values, in characters
 */
export const compactJson = (value: unknown, width = 120): string => `${textOf(value, "", 0, width)}\n`;

/** Prints a value. @param before characters before the value on its line, without the margin */
function textOf(value: unknown, margin: string, before: number, width: number): string {
  const flat = flatText(value);
  if (!isObject(value) || margin.length + before + flat.length < width) return flat;
  const inner = `${margin}  `;
  const members = Object.entries(value).map(([key, item]) => {
    const label = labelOf(value, key);
    return `${inner}${label}${textOf(item, inner, label.length, width)}`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${margin}${close}`;
}

function flatText(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${labelOf(value, key)}${flatText(item)}`);
  if (Array.isArray(value)) return `[${members.join(", ")}]`;
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const labelOf = (parent: object, key: string): string => (Array.isArray(parent) ? "" : `${JSON.stringify(key)}: `);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof JsonNumber);
