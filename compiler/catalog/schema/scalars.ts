/** Schemas of names, texts, numbers and other scalars shared by metadata and operations. */

import { parseType } from "graphql";
import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import { isExactly, isJsonNumber, type JsonNumber, numberText } from "../../../runtime/values/json-number.ts";
import type { Header, Json, JsonObject } from "../model.ts";
import { choose, has, list, mapOf, object, typed } from "./combinators.ts";

export const text: z.ZodType<string> = z.string();
export const nonEmptyText: z.ZodType<string> = z.string().min(1, "empty string not allowed");
export const bool: z.ZodType<boolean> = z.boolean();

const jsonNumber = (parsing: string) => typed(parsing, "Number", isJsonNumber);

/** A number in any spelling that JSON allows. */
export const double: z.ZodType<number> = jsonNumber("Double")
  .refine((value) => Number.isFinite(settingOf(value)), {
    error: (issue) => `parsing Double failed, out of range: ${issue.input}`,
  })
  .transform(settingOf);
export const int: z.ZodType<number> = jsonNumber("Int")
  .refine((value) => Number.isSafeInteger(settingOf(value)) && isExactly(settingOf(value), numberText(value)), {
    error: (issue) => `parsing Int failed, not an integer or out of range: ${issue.input}`,
  })
  .transform(settingOf);

/** Converts to a number; -0 becomes 0. */
function settingOf(value: number | JsonNumber): number {
  return Number(numberText(value)) || 0;
}

/** Returns the schema of an integer of at least 0. @param message error for a negative value */
export function nonNegativeInt(message = "unexpected negative value"): z.ZodType<number> {
  return int.refine((value) => value >= 0, message);
}

/** Any JSON value; the key is required. */
export const json: z.ZodType<Json> = typed("Value", "Value", (value): value is Json => value !== undefined);
/** A JSON object kept exactly as written. */
export const jsonObject: z.ZodType<JsonObject> = typed("Object", "Object", (value): value is JsonObject =>
  isObject(value),
);

export const sourceName = nonEmptyText;
export const roleName = nonEmptyText;
/** The `source` argument of an operation. */
export const sourceArgument = sourceName.default("default");

const graphqlNamePattern = /^[_A-Za-z][_0-9A-Za-z]*$/;

export function isGraphqlName(value: string): boolean {
  return graphqlNamePattern.test(value);
}

export const graphqlName: z.ZodType<string> = z
  .string()
  .regex(graphqlNamePattern, { error: (issue) => `${issue.input} is not valid GraphQL name` });

/** A prefix of a name; may be empty. */
export const namePrefix: z.ZodType<string> = z
  .string()
  .regex(/^([_A-Za-z][_0-9A-Za-z]*)?$/, { error: (issue) => `${issue.input} is not valid GraphQL name` });
export const nameSuffix: z.ZodType<string> = z
  .string()
  .regex(/^[_0-9A-Za-z]*$/, { error: (issue) => `${issue.input} is not valid GraphQL name` });

/** A GraphQL type in SDL notation: `[String!]!`. */
export const graphqlType: z.ZodType<string> = z
  .string()
  .refine(isGraphqlType, { error: (issue) => `not a valid GraphQL type: ${issue.input}` });

function isGraphqlType(value: string): boolean {
  try {
    parseType(value, { noLocation: true });
    return true;
  } catch {
    return false;
  }
}

/** Own name → other name: columns of a manual relationship, or fields of a remote relationship. */
export const nameMapping: z.ZodType<Readonly<Record<string, string>>> = mapOf(nonEmptyText);

export const fromEnv = object({
  about: { from_env: "Name of the environment variable that contains the value." },
  required: { from_env: nonEmptyText },
});

const reservedPrefix = "ENGINE_GRAPHQL_";

/** Refuses environment variables of the engine itself: a header would disclose settings, including secrets. */
export function withoutReserved<T extends { readonly value_from_env: string }>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.superRefine(({ value_from_env }, context) => {
    if (!value_from_env.startsWith(reservedPrefix)) return;
    const message = `env variables starting with "${reservedPrefix}" are not allowed in value_from_env: ${value_from_env}`;
    context.addIssue({ code: "custom", message });
  });
}

const headerFromEnv = withoutReserved(
  object({
    about: {
      name: "Name of the header.",
      value_from_env:
        "Name of the environment variable that contains the value; not one of the engine's own, `ENGINE_GRAPHQL_…`.",
    },
    required: { name: text, value_from_env: nonEmptyText },
  }),
);
const headerFromValue = object({
  about: { name: "Name of the header.", value: "Value; `{{NAME}}` is replaced by the environment variable NAME." },
  required: { name: text, value: text },
});

const header: z.ZodType<Header> = choose<Header>(
  () => [headerFromValue, headerFromEnv],
  (input) => {
    const value = has(input, "value");
    const fromEnvironment = has(input, "value_from_env");
    if (value && fromEnvironment) return { refused: "expecting only one of value or value_from_env keys" };
    if (isObject(input) && !value && !fromEnvironment) return { refused: "expecting value or value_from_env keys" };
    return fromEnvironment ? headerFromEnv : headerFromValue;
  },
);
export const headers: z.ZodType<readonly Header[]> = list(header);
