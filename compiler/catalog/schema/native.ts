/** Schemas of native queries, logical models and stored procedures. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { InlineModel, LogicalModel, ModelField, ModelFieldType, NativeQuery, StoredProcedure } from "../model.ts";
import { choose, has, list, mapOf, namedList, object, oneOf } from "./combinators.ts";
import { functionName, printName } from "./names.ts";
import { permissionList, selectPermission } from "./permissions.ts";
import { manualConfiguration, relationshipList } from "./relationships.ts";
import { bool, graphqlName, nonEmptyText, text } from "./scalars.ts";

const nullable = { nullable: bool };

/** Type of a field: a scalar, a list, or another logical model. */
const fieldType: z.ZodType<ModelFieldType> = choose<ModelFieldType>((input) => {
  const form = isObject(input) ? Object.keys(fieldTypes).find((key) => has(input, key)) : "scalar";
  return fieldTypes[form ?? ""] ?? { refused: "expected one of the keys scalar, array and logical_model" };
});
const fieldTypes: Readonly<Record<string, z.ZodType<ModelFieldType>>> = {
  scalar: object({ required: { scalar: nonEmptyText }, optional: nullable }),
  array: object({ required: { array: choose<ModelFieldType>(() => fieldType) }, optional: nullable }),
  logical_model: object({ required: { logical_model: graphqlName }, optional: nullable }),
};

const field: z.ZodType<ModelField> = object({
  required: { name: nonEmptyText, type: fieldType },
  optional: { description: text },
});

/** Converts the old form, `{name, type: "integer", nullable?}`, to the new form. */
const oldField = object({
  required: { name: nonEmptyText, type: nonEmptyText },
  optional: { ...nullable, description: text },
}).transform(
  ({ type, nullable: isNullable, name, ...others }): ModelField => ({
    name,
    type: { scalar: type, ...(isNullable !== undefined && { nullable: isNullable }) },
    ...others,
  }),
);

const fields = list(choose<ModelField>((input) => (typeof typeOf(input) === "string" ? oldField : field)));

function typeOf(input: unknown): unknown {
  return isObject(input) ? input.type : undefined;
}

const selectPermissions = permissionList("select permissions", selectPermission);
const model = { required: { fields }, defaulted: { select_permissions: selectPermissions } };

export const logicalModel: z.ZodType<LogicalModel> = object({
  ...model,
  required: { name: graphqlName, fields },
  optional: { description: text },
});

const inlineModel: z.ZodType<InlineModel> = object(model);

/** `{"name": {type, nullable?, description?}}` */
const nativeArguments = mapOf(
  object({ required: { type: nonEmptyText }, optional: { ...nullable, description: text } }),
);

const code = text.superRefine((sql, context) => {
  const unclosed = sql
    .split("{{")
    .slice(1)
    .some((part) => !part.includes("}}"));
  if (unclosed) context.addIssue({ code: "custom", message: "Found '{{' without a matching closing '}}'" });
});

export function nativeQuery(defaultSchema: string): z.ZodType<NativeQuery> {
  const using = manualConfiguration(defaultSchema);
  return object({
    required: {
      root_field_name: graphqlName,
      code,
      returns: choose<NativeQuery["returns"]>((input) => (isObject(input) ? inlineModel : graphqlName)),
    },
    defaulted: {
      array_relationships: relationshipList("array relationships", using),
      object_relationships: relationshipList("object relationships", using),
    },
    optional: { arguments: nativeArguments, description: text },
  });
}

export function storedProcedure(defaultSchema: string): z.ZodType<StoredProcedure> {
  return object({
    required: {
      stored_procedure: functionName(defaultSchema),
      configuration: object({ required: { exposed_as: oneOf(["query"]) }, optional: { custom_name: graphqlName } }),
      returns: graphqlName,
    },
    optional: { arguments: nativeArguments, description: text },
  });
}

/** Returns the native object lists of a source, each without duplicates. */
export function nativeObjects(defaultSchema: string) {
  return {
    native_queries: namedList("native queries", nativeQuery(defaultSchema), (query) => query.root_field_name),
    stored_procedures: namedList("stored procedures", storedProcedure(defaultSchema), (procedure) =>
      printName(procedure.stored_procedure, defaultSchema),
    ),
    logical_models: namedList("logical models", logicalModel, ({ name }) => name),
  };
}
