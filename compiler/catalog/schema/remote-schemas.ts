/** Schemas of remote schemas with their permissions and relationships. */

import * as z from "zod";
import type { RemoteSchema, RemoteSchemaDefinition } from "../outside-sources.ts";
import { list, mapOf, namedList, object } from "./combinators.ts";
import { strictRemoteRelationships } from "./relationships.ts";
import { bool, graphqlName, headers, int, namePrefix, nameSuffix, nonEmptyText, roleName, text } from "./scalars.ts";

const aboutNames = {
  prefix: "Text before each name.",
  suffix: "Text after each name.",
  mapping: "New names by old name, which have precedence.",
};
const renamed = { prefix: namePrefix, suffix: nameSuffix, mapping: mapOf(graphqlName) };

const customization = object({
  about: {
    root_fields_namespace: "Field that contains all root fields of the remote schema.",
    type_names: "Names of types.",
    field_names: "Names of fields, by type.",
  },
  optional: {
    root_fields_namespace: graphqlName,
    type_names: object({ about: aboutNames, optional: renamed }),
    field_names: list(
      object({
        about: { ...aboutNames, parent_type: "Type whose fields are renamed." },
        required: { parent_type: graphqlName },
        optional: renamed,
      }),
    ),
  },
});

/** The operations check that exactly one of `url` and `url_from_env` is present, with a separate error code. */
export const remoteSchemaDefinition: z.ZodType<RemoteSchemaDefinition> = object({
  about: {
    url: "URL of the GraphQL server; `{{NAME}}` is replaced by the environment variable NAME. Exactly one of `url` and `url_from_env` is required.",
    url_from_env: "Name of the environment variable with the URL.",
    timeout_seconds: "Seconds until a request fails. Default: `60`.",
    customization: "Names in the API.",
    headers: "Headers of each request.",
    forward_client_headers: "Forwards the caller's request headers. Default: `false`.",
    batch_root_fields: "Sends several root fields in one request. Default: `false`.",
    subscriptions: "Also serves the server's subscriptions. Default: `false`.",
  },
  optional: {
    url: text,
    url_from_env: text,
    timeout_seconds: int,
    customization,
    headers,
    forward_client_headers: bool,
    batch_root_fields: bool,
    subscriptions: bool,
  },
});

/** `{"schema": "<SDL>"}`; the SDL is checked later, against the remote schema. */
export const remoteSchemaPermissionDefinition = object({
  about: { schema: "SDL of the part of the remote schema that the role may use." },
  required: { schema: z.string() },
});

const permissions = namedList(
  "remote schema permissions",
  object({
    about: {
      role: "Role that has the permission.",
      definition: "The part of the remote schema.",
      comment: "Note for readers of the metadata, without effect.",
    },
    required: { role: roleName, definition: remoteSchemaPermissionDefinition },
    optional: { comment: text },
  }),
  ({ role }) => role,
);

const typeRelationships = namedList(
  "remote relationships",
  object({
    about: {
      type_name: "Type of the remote schema, with its customized name.",
      relationships: "Remote relationships of the type.",
    },
    required: { type_name: graphqlName },
    defaulted: { relationships: strictRemoteRelationships },
  }),
  ({ type_name }) => type_name,
);

const remoteSchema: z.ZodType<RemoteSchema> = object({
  about: {
    name: "Name of the remote schema.",
    definition: "Server, headers and names.",
    permissions: "Parts of the schema that roles may use.",
    remote_relationships: "Fields of its types with data of sources or other remote schemas.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: { name: nonEmptyText, definition: remoteSchemaDefinition },
  defaulted: { permissions, remote_relationships: typeRelationships },
  optional: { comment: text },
});
export const remoteSchemas = namedList("remote schemas", remoteSchema, ({ name }) => name);
