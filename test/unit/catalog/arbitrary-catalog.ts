/**
 * Random catalogs for property tests, in the form that parsing returns: no `null` for "absent", and no default values.
 */

import fc from "fast-check";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Action, AllowlistEntry, CronTrigger, CustomTypes } from "../../../compiler/catalog/outside-sources.ts";
import { defaultIgnoredClientHeaders } from "../../../compiler/catalog/schema/actions.ts";
import { arbitrarySource, remoteRelationships, strict } from "./arbitrary-source.ts";
import {
  comment,
  count,
  header,
  json,
  jsonObject,
  mapping,
  name,
  qualifiedName,
  record,
  some,
  text,
  transforms,
  unique,
  yes,
} from "./arbitrary-values.ts";

// ---------------------------------------------------------------- outside sources

const type = name.chain((base) => fc.constantFrom(base, `${base}!`, `[${base}!]!`));
const typedNames = some(record({ name, type }, { description: comment }));
const action: fc.Arbitrary<Action> = record(
  {
    name,
    definition: fc.oneof(
      record(
        {
          handler: text,
          output_type: type,
          type: fc.constant("mutation"),
          kind: fc.constantFrom("synchronous", "asynchronous"),
          ignored_client_headers: fc.constant([...defaultIgnoredClientHeaders]),
        },
        { headers: some(header), arguments: typedNames, ...transforms, timeout: fc.constant(5) },
      ),
      record(
        {
          handler: text,
          output_type: type,
          type: fc.constant("query"),
          ignored_client_headers: fc.array(text, { maxLength: 2 }),
        },
        { forward_client_headers: yes, arguments: typedNames },
      ),
    ),
    permissions: unique(record({ role: text }, { comment }), (each) => each.role),
  },
  { comment },
) as fc.Arbitrary<Action>;

const named = <T extends { readonly name: string }>(element: fc.Arbitrary<T>) => unique(element, (each) => each.name);
const customTypes: fc.Arbitrary<CustomTypes> = fc.record({
  input_objects: named(record({ name, fields: typedNames }, { description: comment })),
  objects: named(
    record(
      {
        name,
        fields: typedNames,
        relationships: named(
          record(
            {
              name: text,
              type: fc.constantFrom("object", "array"),
              source: fc.constantFrom("default", "other"),
              remote_table: qualifiedName,
              field_mapping: mapping,
            },
            {},
          ),
        ),
        remote_relationships: remoteRelationships(strict),
      },
      { description: comment },
    ),
  ),
  scalars: named(record({ name }, { description: comment })),
  enums: named(
    record(
      { name, values: some(record({ value: name }, { description: comment, is_deprecated: yes })) },
      { description: comment },
    ),
  ),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<CustomTypes>;

const cronTrigger: fc.Arbitrary<CronTrigger> = record(
  {
    name: text,
    webhook: text,
    schedule: fc.constantFrom("*/5 * * * *", "0 0 1 jan sun"),
    include_in_metadata: yes,
  },
  {
    payload: json.filter((value) => value !== null),
    retry_conf: record(
      {
        num_retries: fc.constant(3),
        retry_interval_seconds: count,
        timeout_seconds: count,
        tolerance_seconds: count,
      },
      {},
    ),
    headers: some(header),
    comment,
    ...transforms,
  },
) as fc.Arbitrary<CronTrigger>;

const allowlistEntry: fc.Arbitrary<AllowlistEntry> = fc.record({
  collection: text,
  scope: fc.oneof(
    fc.constant({ global: true as const }),
    fc.record({ global: fc.constant(false as const), roles: fc.uniqueArray(text, { minLength: 1, maxLength: 2 }) }),
  ),
});

const limit = (value: fc.Arbitrary<unknown>) =>
  record({ global: value }, { per_role: fc.dictionary(text, value, { minKeys: 1, maxKeys: 2 }) });
const rate = record({ max_reqs_per_min: count }, { unique_params: fc.constantFrom("IP", ["x-engine-user-id"]) });

/** Every key of the catalog occurs; each may also be empty. */
export const arbitraryCatalog: fc.Arbitrary<Catalog> = record(
  {
    version: fc.constant(3 as const),
    sources: unique(fc.oneof(arbitrarySource("postgres"), arbitrarySource("mssql")), (each) => each.name),
    remote_schemas: named(
      record(
        {
          name: text,
          definition: record(
            {},
            {
              url: text,
              url_from_env: text,
              timeout_seconds: count,
              headers: some(header),
              forward_client_headers: yes,
              batch_root_fields: yes,
              subscriptions: yes,
              customization: record({ root_fields_namespace: name }, { type_names: record({ prefix: name }, {}) }),
            },
          ),
          permissions: unique(
            record({ role: text, definition: record({ schema: text }, {}) }, { comment }),
            (each) => each.role,
          ),
          remote_relationships: unique(
            record({ type_name: name, relationships: remoteRelationships(strict) }, {}),
            (each) => each.type_name,
          ),
        },
        { comment },
      ),
    ),
    query_collections: named(
      record(
        { name: text, definition: record({ queries: fc.array(record({ name: text, query: text }, {})) }, {}) },
        { comment },
      ),
    ),
    allowlist: unique(allowlistEntry, (each) => each.collection),
    actions: named(action),
    custom_types: customTypes,
    cron_triggers: named(cronTrigger),
    rest_endpoints: named(
      record(
        {
          name: text,
          url: text,
          methods: fc.subarray(["GET", "POST", "PUT", "DELETE", "PATCH"], { minLength: 1 }),
          definition: record({ query: record({ collection_name: text, query_name: text }, {}) }, {}),
        },
        { comment },
      ),
    ),
    api_limits: record(
      {},
      { disabled: yes, rate_limit: limit(rate), depth_limit: limit(count), time_limit: limit(fc.constant(1.5)) },
    ),
    inherited_roles: unique(
      record({ role_name: text, role_set: fc.array(text, { maxLength: 2 }) }, {}),
      (each) => each.role_name,
    ),
    graphql_schema_introspection: record({ disabled_for_roles: fc.array(text, { maxLength: 2 }) }, {}),
    network: record(
      {
        tls_allowlist: fc.array(record({ host: text }, { suffix: text, permissions: fc.constant(["self-signed"]) }), {
          maxLength: 2,
        }),
      },
      {},
    ),
    backend_configs: jsonObject,
  },
  {
    metrics_config: fc.constant({ analyze_query_variables: true, analyze_response_body: false }),
    opentelemetry: record(
      { status: fc.constantFrom("enabled", "{{OTEL}}") },
      {
        data_types: some(fc.constantFrom("traces", "metrics", "logs")),
        exporter_otlp: record({ otlp_traces_endpoint: text }, { headers: some(header) }),
        batch_span_processor: fc.constant({ max_export_batch_size: 5 }),
      },
    ),
  },
).map((catalog) => ({ ...emptyCatalog, ...catalog }) as Catalog);

/** Returns the value with all lists of objects sorted, for comparisons that ignore order. */
export function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(unordered);
    const objects = items.every((item) => typeof item === "object" && item !== null && !Array.isArray(item));
    return objects ? items.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, unordered(member)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
