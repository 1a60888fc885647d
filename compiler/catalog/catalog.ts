/** The catalog: metadata of version 3 as typed data. Operations update it, and analysis resolves its names. */
import type { JsonObject, Source } from "./model.ts";
import type {
  Action,
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
  api_limits: {},
  inherited_roles: [],
  graphql_schema_introspection: { disabled_for_roles: [] },
  network: { tls_allowlist: [] },
  backend_configs: {},
};
