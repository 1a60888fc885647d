/** Exported form of all sections except sources, such as actions and remote schemas with their permissions. */

import { isObject } from "../../../runtime/values/is-object.ts";
import type { JsonObject } from "../model.ts";
import type {
  Action,
  AgentTool,
  AllowlistEntry,
  CronTrigger,
  CustomTypes,
  InheritedRole,
  MetricsConfig,
  QueryCollection,
  RemoteSchema,
  RestEndpoint,
  ScheduledOperation,
  TlsAllow,
} from "../outside-sources.ts";
import { defaultIgnoredClientHeaders } from "../schema/actions.ts";
import { isDefaultScheduledRetryConf } from "../schema/cron-triggers.ts";
import {
  backoff,
  cleanupConfig,
  headers,
  nameMapping,
  qualifiedName,
  remoteRelationships,
  requestTransform,
  responseTransform,
  retryConf,
} from "./shared.ts";
import {
  always,
  by,
  fields,
  given,
  list,
  map,
  onlyTrue,
  optional,
  sorted,
  unless,
  unlessEmpty,
  type Writer,
} from "./writers.ts";

const renamed = { prefix: given, suffix: given, mapping: unlessEmpty(nameMapping) };

const remoteSchema = fields<RemoteSchema>({
  name: given,
  definition: fields<JsonObject>({
    url: given,
    url_from_env: given,
    timeout_seconds: given,
    customization: unlessEmpty(
      fields<JsonObject>({
        root_fields_namespace: given,
        type_names: unlessEmpty(fields<JsonObject>(renamed)),
        field_names: unlessEmpty(list(fields<JsonObject>({ parent_type: given, ...renamed, mapping: nameMapping }))),
      }),
    ),
    headers,
    forward_client_headers: onlyTrue,
    batch_root_fields: onlyTrue,
    subscriptions: onlyTrue,
  }),
  comment: given,
  permissions: unlessEmpty(
    sorted(
      by("role"),
      fields<JsonObject>({ role: given, definition: fields<JsonObject>({ schema: given }), comment: given }),
    ),
  ),
  remote_relationships: unlessEmpty(
    sorted(by("type_name"), fields<JsonObject>({ type_name: given, relationships: always([], remoteRelationships) })),
  ),
});
export const remoteSchemas = unlessEmpty(sorted(by("name"), remoteSchema));

const queryCollection = fields<QueryCollection>({
  name: given,
  definition: fields<JsonObject>({ queries: list(fields<JsonObject>({ name: given, query: given })) }),
  comment: given,
});
export const queryCollections = unlessEmpty(sorted(by("name"), queryCollection));

const allowlistEntry = fields<AllowlistEntry>({
  collection: given,
  scope: fields<JsonObject>({ global: given, roles: given }),
});
export const allowlist = unlessEmpty(sorted(by("collection"), allowlistEntry));

const restEndpoint = fields<RestEndpoint>({
  name: given,
  url: given,
  methods: given,
  definition: fields<JsonObject>({ query: fields<JsonObject>({ collection_name: given, query_name: given }) }),
  comment: given,
});
export const restEndpoints = unlessEmpty(sorted(by("url", "name"), restEndpoint));

const agentTool = fields<AgentTool>({
  name: given,
  title: given,
  description: given,
  definition: fields<JsonObject>({ query: fields<JsonObject>({ collection_name: given, query_name: given }) }),
  roles: given,
  scopes: given,
  limits: unlessEmpty(fields<JsonObject>({ rows: given, bytes: given, seconds: given })),
  comment: given,
});
export const agentTools = unlessEmpty(sorted(by("name"), agentTool));

// ---------------------------------------------------------------- actions and custom types

const typedName = fields<JsonObject>({ name: given, type: given, description: given });

const action = fields<Action>({
  name: given,
  definition: fields<JsonObject>({
    handler: given,
    output_type: given,
    forward_client_headers: onlyTrue,
    ignored_client_headers: always(defaultIgnoredClientHeaders),
    headers,
    arguments: unlessEmpty(list(typedName)),
    request_transform: requestTransform,
    response_transform: responseTransform,
    type: always("mutation"),
    kind: given,
    timeout: unless(30),
    signing_secret: given,
    retry_conf: optional(retryConf),
  }),
  comment: given,
  permissions: unlessEmpty(sorted(by("role"), fields<JsonObject>({ role: given, comment: given }))),
});
export const actions = unlessEmpty(sorted(by("name"), action));

const typeRelationship = fields<JsonObject>({
  name: given,
  type: given,
  source: unless("default"),
  remote_table: qualifiedName,
  field_mapping: nameMapping,
});

export const customTypes = unlessEmpty(
  fields<CustomTypes>({
    input_objects: unlessEmpty(
      sorted(by("name"), fields<JsonObject>({ name: given, description: given, fields: list(typedName) })),
    ),
    objects: unlessEmpty(
      sorted(
        by("name"),
        fields<JsonObject>({
          name: given,
          description: given,
          fields: list(fields<JsonObject>({ name: given, type: given, description: given, arguments: given })),
          relationships: unlessEmpty(sorted(by("name"), typeRelationship)),
          remote_relationships: remoteRelationships,
        }),
      ),
    ),
    scalars: unlessEmpty(sorted(by("name"), fields<JsonObject>({ name: given, description: given }))),
    enums: unlessEmpty(
      sorted(
        by("name"),
        fields<JsonObject>({
          name: given,
          description: given,
          values: list(fields<JsonObject>({ value: given, description: given, is_deprecated: onlyTrue })),
        }),
      ),
    ),
  }),
);

// ---------------------------------------------------------------- cron triggers

const scheduledRetryConf = fields<JsonObject>({
  num_retries: given,
  retry_interval_seconds: given,
  timeout_seconds: given,
  tolerance_seconds: given,
  backoff,
  retry_on: given,
});

export const writeCronTrigger = fields<CronTrigger>({
  name: given,
  webhook: given,
  schedule: given,
  include_in_metadata: given,
  payload: given,
  retry_conf: (value) =>
    isObject(value) && !isDefaultScheduledRetryConf(scheduledRetryConf(value)) ? scheduledRetryConf(value) : undefined,
  headers,
  comment: given,
  request_transform: requestTransform,
  response_transform: responseTransform,
  timezone: given,
  missed: given,
  overlap: given,
  operation: optional(
    fields<ScheduledOperation>({
      collection: given,
      query: given,
      role: given,
      session_variables: optional(map(given)),
    }),
  ),
  signing_secret: given,
  cleanup_config: cleanupConfig,
});
export const cronTriggers = unlessEmpty(sorted(by("name"), writeCronTrigger));

// ---------------------------------------------------------------- settings

function limit(value: Writer): Writer {
  return optional(fields<JsonObject>({ global: value, per_role: unlessEmpty(map(value)) }));
}

const rate = fields<JsonObject>({ max_reqs_per_min: given, unique_params: given });

export const apiLimits = unlessEmpty(
  fields<JsonObject>({
    disabled: onlyTrue,
    rate_limit: limit(rate),
    depth_limit: limit(given),
    node_limit: limit(given),
    batch_limit: limit(given),
    time_limit: limit(given),
  }),
);

const analyzed = fields<MetricsConfig>({ analyze_query_variables: given, analyze_response_body: given });
export const metricsConfig: Writer = (value) =>
  isObject(value) && Object.values(value).includes(true) ? analyzed(value) : undefined;

export const inheritedRoles = unlessEmpty(
  sorted(by("role_name"), fields<InheritedRole>({ role_name: given, role_set: given, merge: given })),
);

export const introspectionOptions = unlessEmpty(fields<JsonObject>({ disabled_for_roles: unlessEmpty(given) }));

const tlsAllow = fields<TlsAllow>({ host: given, suffix: always(null), permissions: always(null) });
export const network = unlessEmpty(
  fields<JsonObject>({ tls_allowlist: unlessEmpty(sorted(by("host", "suffix"), tlsAllow)) }),
);

const defaultPropagators: Writer = (value) =>
  Array.isArray(value) && value.length === 1 && value[0] === "b3" ? undefined : given(value);

export const openTelemetry = unlessEmpty(
  fields<JsonObject>({
    status: unless("disabled"),
    data_types: unlessEmpty(given),
    exporter_otlp: unlessEmpty(
      fields<JsonObject>({
        otlp_traces_endpoint: given,
        otlp_metrics_endpoint: given,
        otlp_logs_endpoint: given,
        protocol: unless("http/protobuf"),
        headers,
        resource_attributes: unlessEmpty(list(fields<JsonObject>({ name: given, value: given }))),
        traces_propagators: defaultPropagators,
      }),
    ),
    batch_span_processor: unlessEmpty(fields<JsonObject>({ max_export_batch_size: unless(512) })),
  }),
);
