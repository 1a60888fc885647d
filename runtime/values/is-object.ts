import { JsonNumber } from "./json-number.ts";

/**
 * Whether a value of JSON is an object. Numbers that JavaScript cannot hold are objects, too, but not of JSON.
 * @typeParam Member what the members are known to be
 */
export function isObject<Member = unknown>(value: unknown): value is Readonly<Record<string, Member>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
