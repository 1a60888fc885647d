import { JsonNumber } from "./json-number.ts";
import { UploadedFile } from "./uploaded-file.ts";

/**
 * Returns true if a value is a JSON object. Uploaded files and `JsonNumber`s do not count as objects.
 * @typeParam Member the type of the members
 */
export function isObject<Member = unknown>(value: unknown): value is Readonly<Record<string, Member>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !(value instanceof JsonNumber) && !(value instanceof UploadedFile);
}
