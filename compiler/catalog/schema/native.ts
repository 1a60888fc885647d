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
const fieldType: z.ZodType<ModelFieldType> = choose<ModelFieldType>(
  () => [...Object.values(fieldTypes)],
  (input) => {
    const form = isObject(input) ? Object.keys(fieldTypes).find((key) => has(input, key)) : "scalar";
    return fieldTypes[form ?? ""] ?? { refused: "expected one of the keys scalar, array and logical_model" };
  },
);
const fieldTypes: Readonly<Record<string, z.ZodType<ModelFieldType>>> = {
  scalar: object({
    about: {
      scalar: "Type of the value in the database.",
      nullable: "True if the value may be `null`. Default: `false`.",
    },
    required: { scalar: nonEmptyText },
    optional: nullable,
  }),
  array: object({
    about: { array: "Type of the elements of a list.", nullable: "True if the value may be `null`. Default: `false`." },
    required: {
      array: choose<ModelFieldType>(
        () => [fieldType],
        () => fieldType,
      ),
    },
    optional: nullable,
  }),
  logical_model: object({
    about: {
      logical_model: "Logical model of the nested value.",
      nullable: "True if the value may be `null`. Default: `false`.",
    },
    required: { logical_model: graphqlName },
    optional: nullable,
  }),
};

const field: z.ZodType<ModelField> = object({
  about: {
    name: "Column of the result.",
    type: "Type of the column.",
    description: "Description in the GraphQL schema.",
  },
  required: { name: nonEmptyText, type: fieldType },
  optional: { description: text },
});

/** Converts the old form, `{name, type: "integer", nullable?}`, to the new form. */
const oldField = object({
  about: {
    name: "Column of the result.",
    type: "Type of the column in the database.",
    nullable: "True if the value may be `null`. Default: `false`.",
    description: "Description in the GraphQL schema.",
  },
  required: { name: nonEmptyText, type: nonEmptyText },
  optional: { ...nullable, description: text },
}).transform(
  ({ type, nullable: isNullable, name, ...others }): ModelField => ({
    name,
    type: { scalar: type, ...(isNullable !== undefined && { nullable: isNullable }) },
    ...others,
  }),
);

const fields = list(
  choose<ModelField>(
    () => [field, oldField],
    (input) => (typeof typeOf(input) === "string" ? oldField : field),
  ),
);

function typeOf(input: unknown): unknown {
  return isObject(input) ? input.type : undefined;
}

const selectPermissions = permissionList("select permissions", selectPermission);
const aboutModel = { fields: "Columns of the rows.", select_permissions: "Roles that may read the rows." };
const model = { about: aboutModel, required: { fields }, defaulted: { select_permissions: selectPermissions } };

export const logicalModel: z.ZodType<LogicalModel> = object({
  ...model,
  about: { ...aboutModel, name: "Name of the type.", description: "Description in the GraphQL schema." },
  required: { name: graphqlName, fields },
  optional: { description: text },
});

const inlineModel: z.ZodType<InlineModel> = object(model);

/** `{"name": {type, nullable?, description?}}` */
const nativeArguments = mapOf(
  object({
    about: {
      type: "Type of the argument in the database.",
      nullable: "True if the value may be `null`. Default: `false`.",
      description: "Description in the GraphQL schema.",
    },
    required: { type: nonEmptyText },
    optional: { ...nullable, description: text },
  }),
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
    about: {
      root_field_name: "Name of the root field.",
      code: "SQL of the query; `{{name}}` is an argument.",
      returns: "Logical model of the rows, by name or with its fields.",
      array_relationships: "Fields with a list of related rows.",
      object_relationships: "Fields with one related row.",
      arguments: "Arguments of the root field, by name. Default: none.",
      description: "Description in the GraphQL schema.",
    },
    required: {
      root_field_name: graphqlName,
      code,
      returns: choose<NativeQuery["returns"]>(
        () => [graphqlName, inlineModel],
        (input) => (isObject(input) ? inlineModel : graphqlName),
      ),
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
    about: {
      stored_procedure: "The procedure in the database.",
      configuration: "Names in the API.",
      returns: "Name of the logical model of the rows.",
      arguments: "Arguments of the root field, by name. Default: none.",
      description: "Description in the GraphQL schema.",
    },
    required: {
      stored_procedure: functionName(defaultSchema),
      configuration: object({
        about: {
          exposed_as: "Root type of the field; always `query`.",
          custom_name: "Name of the root field. Default: the name of the procedure.",
        },
        required: { exposed_as: oneOf(["query"]) },
        optional: { custom_name: graphqlName },
      }),
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
