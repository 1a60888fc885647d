/** Parses a metadata document of version 3 into a catalog. The schemas of its parts are in `schema/`. */

import type { z } from "zod";
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Catalog } from "./catalog.ts";
import { decode } from "./decode-error.ts";
import { actions, customTypes } from "./schema/actions.ts";
import { agentTools } from "./schema/agent-tools.ts";
import { allowlist, queryCollections, restEndpoints } from "./schema/collections.ts";
import { object } from "./schema/combinators.ts";
import { cronTriggers } from "./schema/cron-triggers.ts";
import { remoteSchemas } from "./schema/remote-schemas.ts";
import { int, jsonObject } from "./schema/scalars.ts";
import {
  apiLimits,
  inheritedRoles,
  introspectionOptions,
  metricsConfig,
  network,
  openTelemetry,
} from "./schema/settings.ts";
import { sources } from "./schema/sources.ts";

const version = int
  .refine((value) => value === 3, { error: (issue) => `expected 1, 2 or 3, encountered ${issue.input}` })
  .transform((): 3 => 3);

/** Sections with the same form in all versions. */
export const sectionsOfAllVersions = {
  remote_schemas: remoteSchemas,
  query_collections: queryCollections,
  allowlist,
  actions,
  custom_types: customTypes.prefault({}),
  cron_triggers: cronTriggers,
};

/** A document of version 3. */
export const metadataDocument: z.ZodType<Catalog> = object({
  about: {
    version: "Version of the format: `3`.",
    sources: "Databases with their tracked objects.",
    remote_schemas: "Other GraphQL servers whose fields are part of the API.",
    query_collections: "Saved operations.",
    allowlist: "Query collections whose operations roles may run while the allow-list is enabled.",
    actions: "Fields that HTTP services resolve.",
    custom_types: "Types of actions.",
    cron_triggers: "Webhooks or operations that run on a schedule.",
    rest_endpoints: "Saved operations with a URL.",
    agent_tools: "Saved operations that assistants may call.",
    api_limits: "Limits of operations and requests.",
    inherited_roles: "Roles with the permissions of several others.",
    graphql_schema_introspection: "Roles without introspection.",
    network: "Hosts whose certificates are not verified.",
    backend_configs: "Settings of kinds of databases. Stored without effect.",
    metrics_config: "Optional metrics.",
    opentelemetry: "Export of traces, metrics and logs.",
  },
  required: { version, sources },
  defaulted: {
    ...sectionsOfAllVersions,
    rest_endpoints: restEndpoints,
    agent_tools: agentTools,
    api_limits: apiLimits.default({}),
    inherited_roles: inheritedRoles,
    graphql_schema_introspection: introspectionOptions.default({ disabled_for_roles: [] }),
    network: network.default({ tls_allowlist: [] }),
    backend_configs: jsonObject.default({}),
  },
  optional: { metrics_config: metricsConfig, opentelemetry: openTelemetry },
});

/**
 * Parses a document of version 3. Unknown keys are dropped, except in tables, where they are errors. Error: one
 * `parse-failed`, the first in document order.
 * @param path JSONPath of the document in the request
 */
export function parseMetadata(json: unknown, path = "$"): Result<Catalog> {
  return decode(metadataDocument, json, path);
}
