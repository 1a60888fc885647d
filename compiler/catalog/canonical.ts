/** Canonical form of metadata: the export with its fixed order of keys and lists, and the hash of any value. */

import { createHash } from "node:crypto";
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import * as sections from "./canonical/sections.ts";
import { writeSource } from "./canonical/source.ts";
import { always, by, fields, given, sorted, unlessEmpty } from "./canonical/writers.ts";
import type { Catalog } from "./catalog.ts";
import type { JsonObject, Source } from "./model.ts";

const metadata = fields<Catalog>({
  version: always(3),
  sources: sorted(by("name"), (source) => writeSource(source as Source)),
  remote_schemas: sections.remoteSchemas,
  query_collections: sections.queryCollections,
  allowlist: sections.allowlist,
  actions: sections.actions,
  custom_types: sections.customTypes,
  cron_triggers: sections.cronTriggers,
  rest_endpoints: sections.restEndpoints,
  agent_tools: sections.agentTools,
  api_limits: sections.apiLimits,
  metrics_config: sections.metricsConfig,
  inherited_roles: sections.inheritedRoles,
  graphql_schema_introspection: sections.introspectionOptions,
  network: sections.network,
  backend_configs: unlessEmpty(given),
  opentelemetry: sections.openTelemetry,
});

/**
 * Returns the response of `export_metadata`: keys in fixed order, without defaults, lists sorted by name. Cron triggers
 * with `include_in_metadata: false` are left out.
 */
export function exportMetadata(catalog: Catalog): JsonObject {
  const shown = catalog.cron_triggers.filter(({ include_in_metadata }) => include_in_metadata);
  return metadata({ ...catalog, cron_triggers: shown });
}

/** Returns the whole catalog in the same form, for storage; the inverse of `parseMetadata`. */
export function storeMetadata(catalog: Catalog): JsonObject {
  return metadata(catalog);
}

/** Returns the SHA-256 of the canonical JSON in hexadecimal, which identifies a slice of the catalog. */
export function hash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
