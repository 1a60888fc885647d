/** Argument schemas shared by several operations. */

import * as z from "zod";
import type { SourceKind } from "../catalog/model.ts";
import { choose, nonEmptyList, object } from "../catalog/schema/combinators.ts";
import { functionName, sourceKinds, tableName } from "../catalog/schema/names.ts";
import { bool, isGraphqlName, nonEmptyText, sourceArgument, sourceName, text } from "../catalog/schema/scalars.ts";

/** Meaning of arguments that several operations have, for the reference. */
export const aboutArguments: Readonly<Record<string, string>> = {
  source: "Source with the object.",
  table: "A tracked table or view: its name, or `schema` and `name`.",
  function: "A function of the database: its name, or `schema` and `name`.",
  role: "Role that the permission is for.",
  comment: "Description of the object.",
  cascade: "Drops dependent objects too; without it, dependents make the operation fail.",
};

/** The `source` argument; the default is `default`. */
export const inSource = { source: sourceArgument };

/** Returns the schema of the `table` argument. An unqualified name is in the default schema of the source kind. */
export function ofTable(kind: SourceKind) {
  return { table: tableName(sourceKinds[kind].defaultSchema) };
}

export function ofFunction(kind: SourceKind) {
  return { function: functionName(sourceKinds[kind].defaultSchema) };
}

/** Returns the schema of an object's own keys together with `source`, which is required. */
export function withSource<T>(schema: z.ZodType<T>): z.ZodType<{ readonly source: string; readonly object: T }> {
  return z.intersection(
    object({ required: { source: sourceName } }),
    schema.transform((value) => ({ object: value })),
  );
}

/** A boolean; the default is `false`. */
export const flag = bool.default(false);

/** Accepts any value, for operations without arguments. */
export const noArguments = z.unknown();

/** A name that becomes the name of a GraphQL field. */
export const fieldName: z.ZodType<string> = nonEmptyText.refine((name) => name === "" || isGraphqlName(name), {
  error: (issue) => `${issue.input} is not valid GraphQL name`,
});

/** A value of the schema, or a list of at least one. */
export function oneOrSome<T>(element: z.ZodType<T>): z.ZodType<readonly T[]> {
  const one = element.transform((only): readonly T[] => [only]);
  const some = nonEmptyList(element);
  return choose<readonly T[]>(
    () => [one, some],
    (input) => (Array.isArray(input) ? some : one),
  );
}

/** A text that columns of PostgreSQL can contain. */
export const storableText: z.ZodType<string> = nonEmptyText.refine(
  (value) => !value.includes("\0"),
  "expected a text without the character NUL",
);

/** A UUID with hyphens. */
export const uuid: z.ZodType<string> = text.refine(
  (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  "expected a UUID",
);

/** A time in ISO 8601 with a zone, normalised to UTC. */
export const instant: z.ZodType<string> = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value) && isInstant(value), {
    error: (issue) => `expected a time with a zone in ISO 8601, but encountered "${issue.input}"`,
  })
  .transform((value) => new Date(value).toISOString());

function isInstant(value: string): boolean {
  return !Number.isNaN(new Date(value).getTime());
}
