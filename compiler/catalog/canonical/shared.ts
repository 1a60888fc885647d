/** Exported form of shared parts of metadata: names, headers, transforms, relationships. */

import { isObject } from "../../../runtime/values/is-object.ts";
import type { JsonObject, ManualConfiguration, QualifiedName } from "../model.ts";
import {
  by,
  exact,
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

export const qualifiedName = fields<QualifiedName>({ name: given, schema: given });

/** A table name of a source of unknown kind; keeps a string as a string. */
const anyTableName: Writer = (value) => (isObject(value) ? qualifiedName(value) : given(value));

/** Returns a sort key: the qualified name below `key`, by schema, then by name. */
export function byQualifiedName(key: string): (item: unknown) => string {
  const schemaAndName = by("schema", "name");
  return (item) => schemaAndName(isObject(item) ? item[key] : undefined);
}

export const nameMapping = map(given);

export const headers = unlessEmpty(list(fields<JsonObject>({ name: given, value: given, value_from_env: given })));

const template = optional(map(exact));
const transformBody: Writer = (value) => (isObject(value) ? transformAction(value) : given(value));
const transformAction = fields<JsonObject>({ action: given, template: given, form_template: template });

/** Keeps empty objects: an empty `query_params` removes the parameters of the URL. */
export const requestTransform = optional(
  fields<JsonObject>({
    version: given,
    template_engine: given,
    method: given,
    url: given,
    query_params: (value) => (isObject(value) ? template(value) : given(value)),
    request_headers: optional(fields<JsonObject>({ add_headers: template, remove_headers: given })),
    body: transformBody,
  }),
);

export const responseTransform = optional(
  fields<JsonObject>({ version: given, template_engine: given, body: transformBody }),
);

export const manualConfiguration = fields<ManualConfiguration>({
  remote_table: optional(qualifiedName),
  remote_native_query: given,
  column_mapping: nameMapping,
  insertion_order: given,
});

const remoteRelationshipDefinition = fields<JsonObject>({
  to_source: optional(
    fields<JsonObject>({ relationship_type: given, source: given, table: anyTableName, field_mapping: nameMapping }),
  ),
  to_remote_schema: optional(
    fields<JsonObject>({ remote_schema: given, lhs_fields: given, remote_field: given, batch: given }),
  ),
  remote_schema: given,
  engine_fields: given,
  remote_field: given,
});

export const remoteRelationships = unlessEmpty(
  sorted(by("name"), fields<JsonObject>({ name: given, definition: remoteRelationshipDefinition })),
);

/** `cleanup_config` of an event trigger or a cron trigger. */
export const cleanupConfig = optional(
  fields<JsonObject>({
    schedule: given,
    batch_size: unless(10000),
    clear_older_than: given,
    timeout: unless(60),
    clean_invocation_logs: onlyTrue,
    paused: onlyTrue,
  }),
);

/** `backoff` of a `retry_conf`. */
export const backoff = optional(fields<JsonObject>({ factor: given, max_interval_sec: given, jitter: given }));

/** `retry_conf` of event triggers and asynchronous actions. */
export const retryConf = fields<JsonObject>({
  num_retries: given,
  interval_sec: given,
  timeout_sec: given,
  backoff,
  retry_on: given,
});
