/** JSON → GraphQL text of values. */

import { EngineError } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { JsonNumber } from "../../../../values/json-number.ts";
import { parseJson } from "../../../../values/parse-json.ts";
import type { InputTypeDef } from "../../../schema/types.ts";

const name = /^[_A-Za-z]\w*$/;

/**
 * @param type where enum values can stand, which JSON writes as strings
 * @throws EngineError for a key that GraphQL cannot write
 */
export function literalText(value: unknown, type?: InputTypeDef): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => literalText(item, type)).join(", ")}]`;
  if (isObject(value)) {
    const fields = type?.kind === "input" ? type.fields() : undefined;
    const members = Object.entries(value).map(([key, member]) => {
      if (!name.test(key)) throw new EngineError("validation-failed", "$", `"${key}" is no name of GraphQL`);
      return `${key}: ${literalText(member, fields?.get(key)?.type())}`;
    });
    return `{${members.join(", ")}}`;
  }
  if (typeof value === "string" && type?.kind === "enum" && name.test(value)) return value;
  // Strings of JSON, and its numbers and words, are GraphQL.
  return JSON.stringify(value) ?? "null";
}

/**
 * The same of JSON text that the role need not be allowed to see. Strings, numbers and words are GraphQL as they are.
 * @throws EngineError that says nothing of the value
 */
export function literalOfJson(text: string): string {
  if (!text.startsWith("{") && !text.startsWith("[")) return text;
  try {
    return literalText(parseJson(text));
  } catch {
    throw new EngineError("unexpected", "$", "a key of a relationship to a remote schema is no value of GraphQL");
  }
}
