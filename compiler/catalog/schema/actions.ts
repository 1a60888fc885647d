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
const typedName = object({ required: { name: graphqlName, type: graphqlType }, optional: description });

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
  required: common,
  defaulted: { ...filledIn, type: actionType.default("mutation"), kind: actionKind.default("synchronous") },
  optional: options,
});
/** Queries have no `kind`. */
const query: z.ZodType<ActionDefinition> = object({
  required: { ...common, type: actionType },
  defaulted: filledIn,
  optional: options,
});

/** `definition` of an action, with the defaults that exports always contain. */
export const actionDefinition = choose<ActionDefinition>((input) =>
  isObject(input) && input.type === "query" ? query : mutation,
);

const actionPermission = object({ required: { role: roleName }, optional: { comment: text } });

const action: z.ZodType<Action> = object({
  required: { name: graphqlName, definition: actionDefinition },
  defaulted: { permissions: namedList("action permissions", actionPermission, ({ role }) => role) },
  optional: { comment: text },
});
export const actions = namedList("actions", action, ({ name }) => name);

// ---------------------------------------------------------------- custom types

const inputObject: z.ZodType<InputObjectType> = object({
  required: { name: graphqlName, fields: nonEmptyList(typedName) },
  optional: description,
});

const typeRelationship: z.ZodType<TypeRelationship> = object({
  required: {
    name: nonEmptyText,
    type: oneOf(["object", "array"]),
    remote_table: tableName(sourceKinds[defaultSourceKind].defaultSchema),
    field_mapping: nameMapping,
  },
  defaulted: { source: sourceArgument },
});

const outputObject: z.ZodType<ObjectType> = object({
  required: {
    name: graphqlName,
    // `arguments` is kept for the check of custom types, which reports it.
    fields: nonEmptyList(
      object({ required: { name: graphqlName, type: graphqlType }, optional: { ...description, arguments: json } }),
    ),
  },
  defaulted: {
    relationships: namedList("relationships", typeRelationship, ({ name }) => name),
    remote_relationships: strictRemoteRelationships,
  },
  optional: description,
});

const scalar = object({ required: { name: graphqlName }, optional: description });

const enumeration: z.ZodType<EnumType> = object({
  required: {
    name: graphqlName,
    values: nonEmptyList(
      object({ required: { value: graphqlName }, optional: { ...description, is_deprecated: bool } }),
    ),
  },
  optional: description,
});

/** Names may repeat in the lists: the check of custom types reports duplicates, also for `set_custom_types`. */
export const customTypes: z.ZodType<CustomTypes> = object({
  defaulted: {
    input_objects: list(inputObject).default([]),
    objects: list(outputObject).default([]),
    scalars: list(scalar).default([]),
    enums: list(enumeration).default([]),
  },
});
