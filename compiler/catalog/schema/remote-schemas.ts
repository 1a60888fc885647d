/** Schemas of remote schemas with their permissions and relationships. */

import * as z from "zod";
import type { RemoteSchema, RemoteSchemaDefinition } from "../outside-sources.ts";
import { list, mapOf, namedList, object } from "./combinators.ts";
import { strictRemoteRelationships } from "./relationships.ts";
import { bool, graphqlName, headers, int, namePrefix, nameSuffix, nonEmptyText, roleName, text } from "./scalars.ts";

const renamed = { prefix: namePrefix, suffix: nameSuffix, mapping: mapOf(graphqlName) };

const customization = object({
  optional: {
    root_fields_namespace: graphqlName,
    type_names: object({ optional: renamed }),
    field_names: list(object({ required: { parent_type: graphqlName }, optional: renamed })),
  },
});

/** The operations check that exactly one of `url` and `url_from_env` is present, with a separate error code. */
export const remoteSchemaDefinition: z.ZodType<RemoteSchemaDefinition> = object({
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
export const remoteSchemaPermissionDefinition = object({ required: { schema: z.string() } });

const permissions = namedList(
  "remote schema permissions",
  object({ required: { role: roleName, definition: remoteSchemaPermissionDefinition }, optional: { comment: text } }),
  ({ role }) => role,
);

const typeRelationships = namedList(
  "remote relationships",
  object({ required: { type_name: graphqlName }, defaulted: { relationships: strictRemoteRelationships } }),
  ({ type_name }) => type_name,
);

const remoteSchema: z.ZodType<RemoteSchema> = object({
  required: { name: nonEmptyText, definition: remoteSchemaDefinition },
  defaulted: { permissions, remote_relationships: typeRelationships },
  optional: { comment: text },
});
export const remoteSchemas = namedList("remote schemas", remoteSchema, ({ name }) => name);
