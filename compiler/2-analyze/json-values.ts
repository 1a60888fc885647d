/**
 * Accessors for free-form JSON in the metadata, which only analysis can check. They throw a `Rejection` for a value of
 * another type.
 */
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

/** Returns the value of a required key. */
export function member(object: JsonObject, key: string): Json {
  const value = object[key];
  return value === undefined ? reject(`key "${key}" not found`) : value;
}

function parsingFailed(what: string, expected: string, value: unknown): string {
  return `parsing ${what} failed, expected ${expected}, but encountered ${encounteredJson(value)}`;
}
