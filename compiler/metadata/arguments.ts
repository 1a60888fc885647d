/** Pieces of argument schemas that several operations share. */

import * as z from "zod";
import type { SourceKind } from "../catalog/model.ts";
import { object } from "../catalog/schema/combinators.ts";
import { functionName, sourceKinds, tableName } from "../catalog/schema/names.ts";
import { bool, isGraphqlName, nonEmptyText, sourceArgument, sourceName } from "../catalog/schema/scalars.ts";

/** `source`, `default` unless given. */
export const inSource = { source: sourceArgument };

/** `table`, in the default schema of the kind of database unless it says another. */
export function ofTable(kind: SourceKind) {
  return { table: tableName(sourceKinds[kind].defaultSchema) };
}

export function ofFunction(kind: SourceKind) {
  return { function: functionName(sourceKinds[kind].defaultSchema) };
}

/** `source`, which has to be given, beside the keys of an object that the source is to hold. */
export function withSource<T>(schema: z.ZodType<T>): z.ZodType<{ readonly source: string; readonly object: T }> {
  return z.intersection(
    object({ required: { source: sourceName } }),
    schema.transform((value) => ({ object: value })),
  );
}

/** A boolean that is `false` unless given. */
export const flag = bool.default(false);

/** The arguments of an operation that has none: anything. */
export const noArguments = z.unknown();

/** A name that becomes the name of a field. */
export const fieldName: z.ZodType<string> = nonEmptyText.refine((name) => name === "" || isGraphqlName(name), {
  error: (issue) => `${issue.input} is not valid GraphQL name`,
});

/** ISO 8601 with a zone; the instant, in UTC. */
export const instant: z.ZodType<string> = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value) && isInstant(value), {
    error: (issue) => `expected a time with a zone in ISO 8601, but encountered "${issue.input}"`,
  })
  .transform((value) => new Date(value).toISOString());

function isInstant(value: string): boolean {
  return !Number.isNaN(new Date(value).getTime());
}
