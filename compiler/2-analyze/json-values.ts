/** JSON of the metadata whose form only analysis can check, with the messages of `metadata-api.md` 1.8. */
import { encounteredJson } from "../../runtime/values/describe-json.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../catalog/model.ts";
import { reject } from "./rejection.ts";

export function asObject(value: unknown): JsonObject {
  return isObject<Json>(value) ? value : reject(parsingFailed("Object", "Object", value));
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : reject(parsingFailed("[]", "Array", value));
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : reject(parsingFailed("Text", "String", value));
}

export function asBoolean(value: unknown): boolean {
  return typeof value === "boolean" ? value : reject(parsingFailed("Bool", "Boolean", value));
}

/** The value of a key that has to be there. */
export function member(object: JsonObject, key: string): Json {
  const value = object[key];
  return value === undefined ? reject(`key "${key}" not found`) : value;
}

function parsingFailed(what: string, expected: string, value: unknown): string {
  return `parsing ${what} failed, expected ${expected}, but encountered ${encounteredJson(value)}`;
}
