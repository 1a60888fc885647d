/** The catalog: metadata of version 3 as typed data. Operations update it, and analysis resolves its names. */

import { isObject } from "../../runtime/values/is-object.ts";
import type { Json, JsonObject, Source } from "./model.ts";
import type {
  Action,
  AgentTool,
  AllowlistEntry,
  ApiLimits,
  CronTrigger,
  CustomTypes,
  InheritedRole,
  MetricsConfig,
  OpenTelemetry,
  QueryCollection,
  RemoteSchema,
  RestEndpoint,
  TlsAllow,
} from "./outside-sources.ts";

export interface Catalog {
  readonly version: 3;
  readonly sources: readonly Source[];
  readonly remote_schemas: readonly RemoteSchema[];
  readonly query_collections: readonly QueryCollection[];
  readonly allowlist: readonly AllowlistEntry[];
  readonly actions: readonly Action[];
  readonly custom_types: CustomTypes;
  readonly cron_triggers: readonly CronTrigger[];
  readonly rest_endpoints: readonly RestEndpoint[];
  readonly agent_tools: readonly AgentTool[];
  readonly api_limits: ApiLimits;
  readonly metrics_config?: MetricsConfig;
  readonly inherited_roles: readonly InheritedRole[];
  readonly graphql_schema_introspection: { readonly disabled_for_roles: readonly string[] };
  readonly network: { readonly tls_allowlist: readonly TlsAllow[] };
  readonly backend_configs: JsonObject;
  readonly opentelemetry?: OpenTelemetry;
}

/** The metadata of a fresh installation. */
export const emptyCatalog: Catalog = {
  version: 3,
  sources: [],
  remote_schemas: [],
  query_collections: [],
  allowlist: [],
  actions: [],
  custom_types: { input_objects: [], objects: [], scalars: [], enums: [] },
  cron_triggers: [],
  rest_endpoints: [],
  agent_tools: [],
  api_limits: {},
  inherited_roles: [],
  graphql_schema_introspection: { disabled_for_roles: [] },
  network: { tls_allowlist: [] },
  backend_configs: {},
};

/** Returns the catalog with the defaults filled in. The stored metadata does not contain them. */
export function withBackendDefaults(catalog: Catalog, defaults: JsonObject | undefined): Catalog {
  if (defaults === undefined) return catalog;
  return { ...catalog, backend_configs: joined(defaults, catalog.backend_configs) };
}

/** Merges objects recursively; any other value of `own` replaces the default. */
function joined(defaults: JsonObject, own: JsonObject): JsonObject {
  const members = Object.entries(own).map(([name, value]): [string, Json] => {
    const fallback = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    return [name, isPlain(fallback) && isPlain(value) ? joined(fallback, value) : value];
  });
  return { ...defaults, ...Object.fromEntries(members) };
}

function isPlain(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
