import { JsonNumber } from "./json-number.ts";
import { UploadedFile } from "./uploaded-file.ts";

/**
 * Whether a value of JSON is an object. Files and numbers that JavaScript cannot hold are objects, too, but not of
 * JSON.
 * @typeParam Member what the members are known to be
 */
export function isObject<Member = unknown>(value: unknown): value is Readonly<Record<string, Member>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !(value instanceof JsonNumber) && !(value instanceof UploadedFile);
}
