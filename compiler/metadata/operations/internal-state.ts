/** The internal state for debugging, and state that tools store next to the metadata. */

import type { Analysis, AnalyzedSource } from "../../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import { describeObject } from "../../2-analyze/dependencies.ts";
import { inconsistencyEntry } from "../../2-analyze/inconsistency.ts";
import { storeMetadata } from "../../catalog/canonical.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { json, nonNegativeInt, text } from "../../catalog/schema/scalars.ts";
import { ok, type Result } from "../../diagnostics/diagnostic.ts";
import { noArguments, uuid } from "../arguments.ts";
import { ioOperation, operation, type Request } from "../operation.ts";

/** Returns the internal state in an unstable format. Leaves out connection settings, which may contain passwords. */
function dumpState({ catalog, analysis, context }: Request<unknown>): Result<Json> {
  const stored = storeMetadata(catalog);
  return ok({
    sources: Object.fromEntries([...analysis.sources].map(([name, source]) => [name, describeSource(source)])),
    actions: [...analysis.actions.keys()],
    custom_types: stored.custom_types ?? {},
    remote_schemas: [...analysis.remoteSchemas.keys()],
    allowlist: stored.allowlist ?? [],
    query_collection: stored.query_collections ?? [],
    cron_triggers: [...analysis.cronTriggers.keys()],
    endpoints: [...analysis.restEndpoints.keys()],
    roles: analysis.roles,
    api_limits: stored.api_limits ?? {},
    metrics_config: stored.metrics_config ?? {},
    tls_allowlist: catalog.network.tls_allowlist.map((entry) => ({ ...entry })),
    set_graphql_introspection_options: { ...catalog.graphql_schema_introspection },
    dep_map: dependencyTexts(analysis),
    inconsistent_objs: analysis.inconsistencies.map(inconsistencyEntry),
    metadata_resource_version: context.resourceVersion,
  });
}

function describeSource({ source, namingConvention, tables, functions, ...native }: AnalyzedSource): JsonObject {
  return {
    kind: source.kind,
    naming_convention: namingConvention,
    tables: Object.fromEntries([...tables.values()].map((table) => [table.displayName, describeTable(table)])),
    functions: [...functions.keys()],
    native_queries: [...native.nativeQueries.keys()],
    stored_procedures: [...native.storedProcedures.keys()],
    logical_models: [...native.logicalModels.keys()],
  };
}

function describeTable({ graphqlName, columns, relationships, computedFields, ...table }: AnalyzedTable): JsonObject {
  return {
    graphql_name: graphqlName,
    columns: Object.fromEntries(columns.map(({ name, shape }) => [name, shape.type.sql])),
    relationships: Object.fromEntries([...relationships].map(([name, { kind, target }]) => [name, { kind, target }])),
    computed_fields: [...computedFields.keys()],
    remote_relationships: [...table.remoteRelationships.keys()],
    event_triggers: [...table.eventTriggers.keys()],
    select_permissions: [...table.select.keys()],
    insert_permissions: [...table.insert.keys()],
    update_permissions: [...table.update.keys()],
    delete_permissions: [...table.delete.keys()],
  };
}

/** Returns the dependencies of each object, by name. */
function dependencyTexts({ catalog, dependencies }: Analysis): JsonObject {
  return Object.fromEntries(
    [...dependencies.values()].flatMap((needed) => {
      const [first] = needed;
      if (first === undefined) return [];
      return [[describeObject(first.object, catalog), needed.map(({ on }) => describeObject(on, catalog))] as const];
    }),
  );
}

const tool = oneOf(["cli", "console"]);
/** Lifetime of a lock unless it is renewed; 0 releases it. Limited, so that a crashed holder does not block others. */
const seconds = nonNegativeInt().refine((value) => value <= 300, "expected at most 300 seconds");

export const internalStateOperations = [
  operation("dump_internal_state", {
    about: "Returns the state of the compiler, for bug reports. Its form can change with each version.",
    effect: "read",
    endpoints: { metadata: "plain", query: [1] },
    input: noArguments,
    read: dumpState,
  }),
  ioOperation("get_catalog_state", {
    about: "Returns the id of the metadata database, and what tools have stored there.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("set_catalog_state", {
    about: "Stores state of a tool in the metadata database.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        type: "The tool that the state belongs to.",
        state: "State of the tool, which the engine does not read.",
      },
      required: { type: tool, state: json },
    }),
  }),
  ioOperation("lock_catalog_state", {
    about: "Takes, extends or returns a lock in the metadata database, so that one client at a time runs migrations.",
    endpoints: { metadata: "plain" },
    // `label` is the readable name of the holder, shown to waiting users.
    input: object({
      about: {
        type: "The tool that takes the lock.",
        holder: "UUID of the client that takes, extends or returns the lock.",
        seconds: "Duration of the lock, up to 300; `0` returns it.",
        label: "Name of the client, shown to others.",
      },
      required: { type: tool, holder: uuid, seconds },
      defaulted: { label: text.default("") },
    }),
  }),
];
