/** Schemas of inherited roles, limits and global settings. */

import * as z from "zod";
import { sessionPrefix } from "../../../runtime/values/session.ts";
import { peerPrefix } from "../../../runtime/values/session-alias.ts";
import type { Catalog } from "../catalog.ts";
import type { JsonObject } from "../model.ts";
import type {
  ApiLimits,
  InheritedRole,
  MetricsConfig,
  OpenTelemetry,
  OtlpExporter,
  TlsAllow,
} from "../outside-sources.ts";
import { choose, jsonForm, list, mapOf, namedList, object, oneOf } from "./combinators.ts";
import { bool, double, headers, int, nonEmptyText, nonNegativeInt, roleName, text } from "./scalars.ts";

export const inheritedRole: z.ZodType<InheritedRole> = object({
  about: {
    role_name: "Name of the inherited role.",
    role_set: "Roles whose permissions it has.",
    merge:
      "Merges insert, update and delete permissions of the roles that differ: the role may make each change that one of them permits. Otherwise it inherits none of them. Default: `false`.",
  },
  required: { role_name: roleName, role_set: list(roleName) },
  optional: { merge: bool },
});
export const inheritedRoles = namedList("inherited roles", inheritedRole, ({ role_name }) => role_name);

// ---------------------------------------------------------------- limits

const notUniqueParams = "Not a valid value. Should be either: 'IP' or a list of engine session variables";
/** The prefix of the other engine is accepted because `--header-alias` may be set. */
const sessionPrefixes = [sessionPrefix, peerPrefix];
const isOtherThanRole = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && ![prefix, `${prefix}role`].includes(name);
const sessionVariables = list(
  z
    .string()
    .refine((name) => sessionPrefixes.some((prefix) => isOtherThanRole(name.toLowerCase(), prefix)), notUniqueParams),
);
const clientAddress = z.literal("IP");
const uniqueParams = choose<"IP" | readonly string[]>(
  () => [clientAddress, sessionVariables],
  (input) => {
    if (Array.isArray(input)) return sessionVariables;
    return input === "IP" ? clientAddress : { refused: notUniqueParams };
  },
);

function limit(value: z.ZodType<number | JsonObject>): z.ZodType<JsonObject> {
  return jsonForm({
    about: { global: "Limit of all roles without their own.", per_role: "Limits by role." },
    required: { global: value },
    optional: { per_role: mapOf(value) },
  });
}

const count = nonNegativeInt();
const seconds = double.refine((value) => value >= 0, "unexpected negative value");
const rate = object({
  about: {
    max_reqs_per_min: "Requests in a minute.",
    unique_params:
      "Counts separately for each client address (`IP`) or each combination of session variables. Default: one count for the role.",
  },
  required: { max_reqs_per_min: count },
  optional: { unique_params: uniqueParams },
});

export const apiLimits: z.ZodType<ApiLimits> = jsonForm({
  about: {
    disabled: "Turns all limits off. Default: `false`.",
    rate_limit: "Maximum number of requests in a minute.",
    depth_limit: "Maximum number of nested levels of an operation.",
    node_limit: "Maximum number of fields of an operation.",
    batch_limit: "Maximum number of operations in one request.",
    time_limit: "Maximum duration of an operation, in seconds.",
  },
  optional: {
    disabled: bool,
    rate_limit: limit(rate),
    depth_limit: limit(count),
    node_limit: limit(count),
    batch_limit: limit(count),
    time_limit: limit(seconds),
  },
});

export const metricsConfig: z.ZodType<MetricsConfig> = object({
  about: {
    analyze_query_variables: "Counts how often clients send each variable of an operation.",
    analyze_response_body: "Counts how often root fields are null or empty.",
  },
  required: { analyze_query_variables: bool, analyze_response_body: bool },
});

export const introspectionOptions: z.ZodType<Catalog["graphql_schema_introspection"]> = object({
  about: { disabled_for_roles: "Roles without the fields `__schema` and `__type`." },
  required: { disabled_for_roles: list(roleName) },
});

// ---------------------------------------------------------------- network

/** The operation refuses an empty host with a separate error code. */
const tlsAllow: z.ZodType<TlsAllow> = object({
  about: {
    host: "Host whose certificate is not verified.",
    suffix: "Port of the host. Default: all ports.",
    permissions: "Permitted deviations: `self-signed`.",
  },
  required: { host: text },
  optional: { suffix: text, permissions: list(oneOf(["self-signed"])) },
});
const shortTlsAllow = text.transform((host): TlsAllow => ({ host }));
/** The argument of `add_host_to_tls_allowlist`: a host, or an object. */
export const tlsAllowArgument: z.ZodType<TlsAllow> = choose<TlsAllow>(
  () => [shortTlsAllow, tlsAllow],
  (input) => (typeof input === "string" ? shortTlsAllow : tlsAllow),
);

export const network: z.ZodType<Catalog["network"]> = object({
  about: { tls_allowlist: "Hosts whose certificates are not verified." },
  defaulted: { tls_allowlist: list(tlsAllow).default([]) },
});

// ---------------------------------------------------------------- telemetry

/** `enabled`, `disabled`, or a template with one environment variable. */
export const openTelemetryStatus = text.refine(
  (status) => status === "enabled" || status === "disabled" || /^\{\{[^{}]+\}\}$/.test(status),
  { error: (issue) => `OpenTelemetry status must be either "enabled" or "disabled", got ${issue.input}` },
);

const otlpProtocol = oneOf(["http/protobuf"]);
const protocol = choose<string>(
  () => [otlpProtocol],
  (input) => {
    if (input === "http/json") return { refused: "http/json is not supported" };
    if (input === "grpc") return { refused: "gRPC is not supported" };
    return otlpProtocol;
  },
);

const exporterOtlp: z.ZodType<OtlpExporter> = object({
  about: {
    otlp_traces_endpoint: "URL that receives traces.",
    otlp_metrics_endpoint: "URL that receives metrics.",
    otlp_logs_endpoint: "URL that receives logs.",
    protocol: "Protocol of the exporter. Default: `http/protobuf`.",
    headers: "Headers of each export.",
    resource_attributes: "Attributes of the service, such as its name.",
    traces_propagators: "Headers that carry the trace context to other services; `b3` is always sent. Default: `[]`.",
  },
  optional: {
    otlp_traces_endpoint: text,
    otlp_metrics_endpoint: text,
    otlp_logs_endpoint: text,
    protocol,
    headers,
    resource_attributes: list(
      object({
        about: { name: "Name of the attribute.", value: "Value of the attribute." },
        required: { name: nonEmptyText, value: text },
      }),
    ),
    traces_propagators: list(oneOf(["b3", "tracecontext"])),
  },
});

const batchSpanProcessor: z.ZodType<{ readonly max_export_batch_size?: number }> = object({
  about: { max_export_batch_size: "Maximum number of items in one export. Default: `512`." },
  optional: {
    max_export_batch_size: int.refine((size) => size > 0, "max_export_batch_size must be a positive integer"),
  },
});

export const openTelemetry: z.ZodType<OpenTelemetry> = object({
  about: {
    status: "`enabled`, `disabled` or `{{NAME}}` for an environment variable. Default: `disabled`.",
    data_types: "Kinds of data to export. Default: `[]`.",
    exporter_otlp: "Destination of the data.",
    batch_span_processor: "Size of exports.",
  },
  optional: {
    status: openTelemetryStatus,
    data_types: list(oneOf(["traces", "metrics", "logs"])),
    exporter_otlp: exporterOtlp,
    batch_span_processor: batchSpanProcessor,
  },
});
