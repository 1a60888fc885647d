/** Operations on limits, metrics, introspection options, query tags and telemetry. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ApiLimits, MetricsConfig, OpenTelemetry } from "../../catalog/outside-sources.ts";
import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { bool, sourceArgument } from "../../catalog/schema/scalars.ts";
import {
  apiLimits,
  introspectionOptions,
  metricsConfig,
  openTelemetry,
  openTelemetryStatus,
} from "../../catalog/schema/settings.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { flag, noArguments } from "../arguments.ts";
import { changeSource } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

function setLimits({ catalog, input }: Request<ApiLimits>): Result<Change> {
  return ok({ catalog: { ...catalog, api_limits: input } });
}

function removeLimits({ catalog }: Request<unknown>): Result<Change> {
  return ok({ catalog: { ...catalog, api_limits: {} } });
}

function setMetrics({ catalog, input }: Request<MetricsConfig>): Result<Change> {
  return ok({ catalog: { ...catalog, metrics_config: input } });
}

function removeMetrics({ catalog }: Request<unknown>): Result<Change> {
  const { metrics_config: _removed, ...others } = catalog;
  return ok({ catalog: others });
}

function setIntrospection({ catalog, input }: Request<Catalog["graphql_schema_introspection"]>): Result<Change> {
  return ok({ catalog: { ...catalog, graphql_schema_introspection: input } });
}

// ---------------------------------------------------------------- query tags

/** The defaults are stored, because they differ from those of a source without tags. */
const queryTagsArguments = object({
  about: {
    source_name: "Source whose SQL gets comments.",
    disabled: "Turns the comments off.",
    format:
      "Syntax of the comment: `standard` appends name and values, `sqlcommenter` follows that format, `standard_prepended` writes the comment first.",
    omit_request_id: "Leaves the id of the request out, so that equal operations have equal SQL.",
  },
  defaulted: {
    source_name: sourceArgument,
    disabled: flag,
    format: oneOf(["standard", "sqlcommenter", "standard_prepended"]).default("standard"),
    omit_request_id: bool.default(true),
  },
});

/** Sets the query tags of a source of any kind, even an unreachable one. */
function setQueryTags({ catalog, path, input }: Request<z.output<typeof queryTagsArguments>>): Result<Change> {
  const { source_name: name, ...query_tags } = input;
  const names = catalog.sources.map((source) => source.name);
  if (!names.includes(name)) {
    return fail("not-exists", path, `source with name "${name}" does not exist`, hintFor(name, names));
  }
  return ok({ catalog: changeSource(catalog, name, (source) => ({ ...source, query_tags })) });
}

// ---------------------------------------------------------------- telemetry

const telemetryParts: readonly ObjectId[] = (["all", "exporter_otlp", "batch_span_processor"] as const).map((part) => ({
  kind: "open_telemetry",
  part,
}));

function setTelemetry({ catalog, input }: Request<OpenTelemetry>): Result<Change> {
  return ok({ catalog: { ...catalog, opentelemetry: input }, targets: telemetryParts });
}

function setTelemetryStatus({ catalog, input }: Request<string>): Result<Change> {
  const opentelemetry = { ...catalog.opentelemetry, status: input };
  return ok({ catalog: { ...catalog, opentelemetry }, targets: telemetryParts });
}

export const settingOperations = [
  operation("set_api_limits", {
    about: "Sets limits of operations, for all roles or by role. They replace all earlier ones.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: apiLimits,
    check: "new-entries",
    apply: setLimits,
  }),
  operation("remove_api_limits", {
    about: "Removes all limits of operations.",
    effect: "change",
    endpoints: { metadata: "plain" },
    argsOptional: true,
    input: noArguments,
    check: "new-entries",
    apply: removeLimits,
  }),
  operation("set_metrics_config", {
    about: "Turns optional metrics on or off.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: metricsConfig,
    check: "new-entries",
    apply: setMetrics,
  }),
  operation("remove_metrics_config", {
    about: "Turns all optional metrics off.",
    effect: "change",
    endpoints: { metadata: "plain" },
    argsOptional: true,
    input: noArguments,
    check: "new-entries",
    apply: removeMetrics,
  }),
  operation("set_graphql_schema_introspection_options", {
    about: "Sets the roles that cannot introspect the GraphQL schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: introspectionOptions,
    check: "new-entries",
    apply: setIntrospection,
  }),
  operation("set_query_tags", {
    about: "Sets the comments that the engine adds to the SQL of a source.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: queryTagsArguments,
    check: "new-entries",
    apply: setQueryTags,
  }),
  operation("set_opentelemetry_config", {
    about: "Sets the destination of traces, metrics and logs.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: openTelemetry,
    check: "target",
    apply: setTelemetry,
  }),
  operation("set_opentelemetry_status", {
    about:
      'Turns the export of traces, metrics and logs on or off. The arguments are a string: `"enabled"`, `"disabled"`, or `"{{NAME}}"` for an environment variable.',
    effect: "change",
    endpoints: { metadata: "plain" },
    input: openTelemetryStatus,
    check: "target",
    apply: setTelemetryStatus,
  }),
];
