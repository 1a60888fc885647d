/** Schemas of actions and custom types. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type {
  Action,
  ActionDefinition,
  CustomTypes,
  EnumType,
  InputObjectType,
  ObjectType,
  TypeRelationship,
} from "../outside-sources.ts";
import { choose, list, namedList, nonEmptyList, object, oneOf } from "./combinators.ts";
import { signingSecret } from "./event-options.ts";
import { retryConf } from "./event-triggers.ts";
import { defaultSourceKind, sourceKinds, tableName } from "./names.ts";
import { strictRemoteRelationships } from "./relationships.ts";
import {
  bool,
  graphqlName,
  graphqlType,
  headers,
  json,
  nameMapping,
  nonEmptyText,
  nonNegativeInt,
  roleName,
  sourceArgument,
  text,
} from "./scalars.ts";
import { requestTransform, responseTransform } from "./transforms.ts";

const description = { description: text };
const typedName = object({
  about: {
    name: "Name in the API.",
    type: "GraphQL type, such as `[String!]!`.",
    description: "Description in the GraphQL schema.",
  },
  required: { name: graphqlName, type: graphqlType },
  optional: description,
});

/** Client headers that an action does not forward, unless its definition lists others. */
export const defaultIgnoredClientHeaders: readonly string[] = [
  "Content-Length",
  "Content-MD5",
  "User-Agent",
  "Host",
  "Origin",
  "Referer",
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Accept-Datetime",
  "Cache-Control",
  "Connection",
  "DNT",
  "Content-Type",
];

const actionType = oneOf(["mutation", "query"], (given) => `expected mutation or query, but found ${given}`);
const actionKind = oneOf(
  ["synchronous", "asynchronous"],
  (given) => `expected synchronous or asynchronous, but found ${given}`,
);

const aboutDefinition = {
  handler: "URL of the handler; `{{NAME}}` is replaced by the environment variable NAME.",
  output_type: "GraphQL type of the result.",
  type: "Root type of the field.",
  kind: "`asynchronous` returns an id at once; the caller reads the result later. Mutations only.",
  ignored_client_headers: "Request headers of the caller that are not forwarded.",
  forward_client_headers: "Forwards the caller's request headers to the handler. Default: `false`.",
  headers: "Headers of each call of the handler.",
  arguments: "Arguments of the field. Default: `[]`.",
  request_transform: "Changes of the request to the handler.",
  response_transform: "Changes of the response of the handler.",
  timeout: "Seconds until a call fails. Default: `30`.",
  signing_secret: "Secret, or several during a change of secrets, with which calls are signed.",
  retry_conf: "Attempts after a failed call of an asynchronous action. Default: none.",
};
const common = { handler: nonEmptyText, output_type: graphqlType };
const options = {
  forward_client_headers: bool,
  headers,
  arguments: list(typedName),
  request_transform: requestTransform,
  response_transform: responseTransform,
  timeout: nonNegativeInt("timeout value cannot be negative"),
  signing_secret: signingSecret,
};
const filledIn = { ignored_client_headers: list(text).default([...defaultIgnoredClientHeaders]) };

const mutation: z.ZodType<ActionDefinition> = object({
  about: aboutDefinition,
  required: common,
  defaulted: { ...filledIn, type: actionType.default("mutation"), kind: actionKind.default("synchronous") },
  optional: { ...options, retry_conf: retryConf },
}).refine(
  ({ kind, retry_conf }) => kind === "asynchronous" || retry_conf === undefined,
  "retry_conf applies to asynchronous actions only",
);
/** Queries have no `kind`. */
const query: z.ZodType<ActionDefinition> = object({
  about: aboutDefinition,
  required: { ...common, type: actionType },
  defaulted: filledIn,
  optional: options,
});

/** `definition` of an action, with the defaults that exports always contain. */
export const actionDefinition = choose<ActionDefinition>(
  () => [mutation, query],
  (input) => (isObject(input) && input.type === "query" ? query : mutation),
);

const actionPermission = object({
  about: { role: "Role that may call the action.", comment: "Note for readers of the metadata, without effect." },
  required: { role: roleName },
  optional: { comment: text },
});

const action: z.ZodType<Action> = object({
  about: {
    name: "Name of the root field.",
    definition: "Handler, arguments and result.",
    permissions: "Roles that may call the action.",
    comment: "Description of the root field in the GraphQL schema.",
  },
  required: { name: graphqlName, definition: actionDefinition },
  defaulted: { permissions: namedList("action permissions", actionPermission, ({ role }) => role) },
  optional: { comment: text },
});
export const actions = namedList("actions", action, ({ name }) => name);

// ---------------------------------------------------------------- custom types

const inputObject: z.ZodType<InputObjectType> = object({
  about: {
    name: "Name of the type.",
    fields: "Fields of the type.",
    description: "Description in the GraphQL schema.",
  },
  required: { name: graphqlName, fields: nonEmptyList(typedName) },
  optional: description,
});

const typeRelationship: z.ZodType<TypeRelationship> = object({
  about: {
    name: "Name of the field.",
    type: "`object` for one related row, `array` for a list.",
    remote_table: "Table with the related rows.",
    field_mapping: "Fields of the type, and for each the column of the related table that must be equal.",
    source: "Source of the table.",
  },
  required: {
    name: nonEmptyText,
    type: oneOf(["object", "array"]),
    remote_table: tableName(sourceKinds[defaultSourceKind].defaultSchema),
    field_mapping: nameMapping,
  },
  defaulted: { source: sourceArgument },
});

const outputObject: z.ZodType<ObjectType> = object({
  about: {
    name: "Name of the type.",
    fields: "Fields of the type.",
    relationships: "Fields with related rows of tables.",
    remote_relationships: "Fields with data of sources or remote schemas, in the form of tables.",
    description: "Description in the GraphQL schema.",
  },
  required: {
    name: graphqlName,
    // `arguments` is kept for the check of custom types, which reports it.
    fields: nonEmptyList(
      object({
        about: {
          name: "Name of the field.",
          type: "GraphQL type of the field.",
          description: "Description in the GraphQL schema.",
          arguments: "Refused unless `null`: fields of custom types have no arguments.",
        },
        required: { name: graphqlName, type: graphqlType },
        optional: { ...description, arguments: json },
      }),
    ),
  },
  defaulted: {
    relationships: namedList("relationships", typeRelationship, ({ name }) => name),
    remote_relationships: strictRemoteRelationships,
  },
  optional: description,
});

const scalar = object({
  about: { name: "Name of the type.", description: "Description in the GraphQL schema." },
  required: { name: graphqlName },
  optional: description,
});

const enumeration: z.ZodType<EnumType> = object({
  about: {
    name: "Name of the type.",
    values: "Values of the type.",
    description: "Description in the GraphQL schema.",
  },
  required: {
    name: graphqlName,
    values: nonEmptyList(
      object({
        about: {
          value: "Name of the value.",
          description: "Description in the GraphQL schema.",
          is_deprecated: "Marks the value as deprecated. Default: `false`.",
        },
        required: { value: graphqlName },
        optional: { ...description, is_deprecated: bool },
      }),
    ),
  },
  optional: description,
});

/** Names may repeat in the lists: the check of custom types reports duplicates, also for `set_custom_types`. */
export const customTypes: z.ZodType<CustomTypes> = object({
  about: {
    input_objects: "Types of arguments.",
    objects: "Types of results.",
    scalars: "Scalar types, whose values the engine passes through.",
    enums: "Enum types.",
  },
  defaulted: {
    input_objects: list(inputObject).default([]),
    objects: list(outputObject).default([]),
    scalars: list(scalar).default([]),
    enums: list(enumeration).default([]),
  },
});
