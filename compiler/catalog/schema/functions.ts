/** Schemas of tracked functions and computed fields. */

import type { z } from "zod";
import type { ComputedField, FunctionConfig, TrackedFunction } from "../model.ts";
import { mapOf, namedList, object, oneOf } from "./combinators.ts";
import { functionName, tableName } from "./names.ts";
import { graphqlName, jsonObject, nonEmptyText, roleName, text } from "./scalars.ts";

const customRootFields = object({
  about: {
    function: "Name of the root field. Default: `custom_name` or the name of the function.",
    function_aggregate: "Name of the aggregate root field. Default: the same with `_aggregate`.",
  },
  optional: { function: graphqlName, function_aggregate: graphqlName },
}).superRefine(({ function: name, function_aggregate: aggregate }, context) => {
  if (name === undefined || name !== aggregate) return;
  const message = `the following custom root field names are duplicated: "${name}" and "${aggregate}"`;
  context.addIssue({ code: "custom", message });
});

export const functionConfiguration: z.ZodType<FunctionConfig> = object({
  about: {
    session_argument: "Argument of type `json` that receives the session variables and is hidden from callers.",
    exposed_as: "Root type of the field. Default: `mutation` for a `VOLATILE` function, else `query`.",
    custom_name:
      "Name from which root fields and the type of arguments are derived. Default: the name of the function.",
    custom_root_fields: "Names of root fields.",
    response: "Type of the response, for databases whose functions have no row types. Without effect for PostgreSQL.",
  },
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
  object({ about: { role: "Role that may call the function." }, required: { role: roleName } }),
  ({ role }) => role,
);

export function trackedFunction(defaultSchema: string): z.ZodType<TrackedFunction> {
  return object({
    about: {
      function: "The function in the database.",
      permissions: "Roles that may call the function.",
      configuration: "Names, session argument and root type.",
      comment: "Description of the root field in the GraphQL schema.",
    },
    required: { function: functionName(defaultSchema) },
    defaulted: { permissions: functionPermissions },
    optional: { configuration: functionConfiguration, comment: text },
  });
}

export function computedFieldDefinition(defaultSchema: string): z.ZodType<ComputedField["definition"]> {
  return object({
    about: {
      function: "The function in the database.",
      table_argument: "Argument that receives the row. Default: the first one.",
      session_argument: "Argument of type `json` that receives the session variables and is hidden from callers.",
      argument_mapping:
        "Names of arguments of the function, and for each the column of the row that is passed. SQL Server only.",
      return_table: "Table whose rows the function returns. SQL Server only.",
    },
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
    about: {
      name: "Name of the field in the API.",
      definition: "The function and its arguments.",
      comment: "Description of the field in the GraphQL schema.",
    },
    required: { name: nonEmptyText, definition: computedFieldDefinition(defaultSchema) },
    optional: { comment: text },
  });
  return namedList("computed fields", field, ({ name }) => name);
}
