/** Schemas of tracked functions and computed fields. */

import type { z } from "zod";
import type { ComputedField, FunctionConfig, TrackedFunction } from "../model.ts";
import { mapOf, namedList, object, oneOf } from "./combinators.ts";
import { functionName, tableName } from "./names.ts";
import { graphqlName, jsonObject, nonEmptyText, roleName, text } from "./scalars.ts";

const customRootFields = object({
  optional: { function: graphqlName, function_aggregate: graphqlName },
}).superRefine(({ function: name, function_aggregate: aggregate }, context) => {
  if (name === undefined || name !== aggregate) return;
  const message = `the following custom root field names are duplicated: "${name}" and "${aggregate}"`;
  context.addIssue({ code: "custom", message });
});

export const functionConfiguration: z.ZodType<FunctionConfig> = object({
  optional: {
    session_argument: nonEmptyText,
    exposed_as: oneOf(["query", "mutation"]),
    custom_name: graphqlName,
    custom_root_fields: customRootFields,
    response: jsonObject,
  },
});

const functionPermissions = namedList(
  "function permissions",
  object({ required: { role: roleName } }),
  ({ role }) => role,
);

export function trackedFunction(defaultSchema: string): z.ZodType<TrackedFunction> {
  return object({
    required: { function: functionName(defaultSchema) },
    defaulted: { permissions: functionPermissions },
    optional: { configuration: functionConfiguration, comment: text },
  });
}

export function computedFieldDefinition(defaultSchema: string): z.ZodType<ComputedField["definition"]> {
  return object({
    required: { function: functionName(defaultSchema) },
    optional: {
      table_argument: nonEmptyText,
      session_argument: nonEmptyText,
      argument_mapping: mapOf(nonEmptyText),
      return_table: tableName(defaultSchema),
    },
  });
}

export function computedFields(defaultSchema: string) {
  const field: z.ZodType<ComputedField> = object({
    required: { name: nonEmptyText, definition: computedFieldDefinition(defaultSchema) },
    optional: { comment: text },
  });
  return namedList("computed fields", field, ({ name }) => name);
}
