/** Converts JSON to GraphQL literals. */

import { EngineError } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { parseJson } from "../../../../values/json/parse.ts";
import { JsonNumber } from "../../../../values/json-number.ts";
import type { InputTypeDef } from "../../../schema/types.ts";

const name = /^[_A-Za-z]\w*$/;

/**
 * Converts a JSON value to a GraphQL literal.
 * @param type input type; its enum values are strings in JSON
 * @throws EngineError for a key that is not a GraphQL name
 */
export function literalText(value: unknown, type?: InputTypeDef): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => literalText(item, type)).join(", ")}]`;
  if (isObject(value)) {
    const fields = type?.kind === "input" ? type.fields() : undefined;
    const members = Object.entries(value).map(([key, member]) => {
      if (!name.test(key)) throw new EngineError("validation-failed", "$", `"${key}" is not a valid GraphQL name`);
      return `${key}: ${literalText(member, fields?.get(key)?.type())}`;
    });
    return `{${members.join(", ")}}`;
  }
  if (typeof value === "string" && type?.kind === "enum" && name.test(value)) return value;
  // JSON strings, numbers and keywords are valid GraphQL.
  return JSON.stringify(value) ?? "null";
}

/**
 * Converts JSON text that the role may be unable to read. Strings, numbers and keywords are already valid GraphQL.
 * @throws EngineError that does not reveal the value
 */
export function literalOfJson(text: string): string {
  if (!text.startsWith("{") && !text.startsWith("[")) return text;
  try {
    return literalText(parseJson(text));
  } catch {
    throw new EngineError("unexpected", "$", "a join key of a remote schema relationship is not a valid GraphQL value");
  }
}
