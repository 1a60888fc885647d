/**
 * Exports, replaces, clears and reloads the metadata as a whole, and lists or drops inconsistent objects:
 * `export_metadata`, `replace_metadata` with its check style, `clear_metadata`, `reload_metadata`,
 * `get_inconsistent_metadata`, `drop_inconsistent_metadata`.
 */

import type { z } from "zod";
import { pathTo } from "../../../runtime/values/errors.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { Analysis } from "../../2-analyze/analysis.ts";
import {
  entryWithCause,
  identityMembers,
  inconsistencyEntry,
  inconsistentObjects,
} from "../../2-analyze/inconsistency.ts";
import { exportMetadata } from "../../catalog/canonical.ts";
import { type Catalog, emptyCatalog, withBackendDefaults } from "../../catalog/catalog.ts";
import { emptySource, type Json, type JsonObject, type Source } from "../../catalog/model.ts";
import { choose, duplicates, has, list, object } from "../../catalog/schema/combinators.ts";
import { bool, json, nonEmptyText } from "../../catalog/schema/scalars.ts";
import { readMetadataDocument } from "../../catalog/upgrade.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { flag, noArguments } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { hintFor, print } from "../lookups.ts";
import { type Change, operation, type Request, type State, type Warning } from "../operation.ts";

// ---------------------------------------------------------------- replace_metadata

interface Replacement {
  readonly document: Json;
  /** Path of the document in the arguments. */
  readonly keys: readonly string[];
  readonly allowInconsistent: boolean;
  readonly allowWarnings: boolean;
  /** True if the response contains the consistency of the metadata, as in version 2. */
  readonly reports: boolean;
}

const wholeDocument: z.ZodType<Replacement> = json.transform((document) => ({
  document,
  keys: [],
  allowInconsistent: false,
  allowWarnings: true,
  reports: false,
}));

const documentInArguments: z.ZodType<Replacement> = object({
  about: {
    metadata: "The new metadata, in the form of `export_metadata`.",
    allow_inconsistent_metadata: "Accepts metadata with inconsistent objects; they are excluded from the API.",
    allow_warnings: "If `false`, any warning makes the operation fail.",
  },
  required: { metadata: json },
  defaulted: { allow_inconsistent_metadata: flag, allow_warnings: bool.default(true) },
}).transform(({ metadata, allow_inconsistent_metadata, allow_warnings }) => ({
  document: metadata,
  keys: ["metadata"],
  allowInconsistent: allow_inconsistent_metadata,
  allowWarnings: allow_warnings,
  reports: true,
}));

/** The presence of `metadata` decides the form, regardless of `version`. */
const eitherForm = choose<Replacement>(
  () => [documentInArguments, wholeDocument],
  (input) => (has(input, "metadata") ? documentInArguments : wholeDocument),
);

function replaceMetadata(request: Request<Replacement>): Result<Change> {
  const { catalog, input, path, argsPath } = request;
  const read = readMetadataDocument(input.document, catalog, pathTo(argsPath, ...input.keys));
  if (!read.ok) return read;
  const triggers = checkEventTriggerNames(read.value, path);
  if (!triggers.ok) return triggers;
  const replaced = keepHiddenCronTriggers(read.value, catalog, path);
  if (!replaced.ok) return replaced;
  const warnings = triggers.value;
  const names = replaced.value.sources.map(({ name }) => name);
  return ok({
    catalog: replaced.value,
    check: input.allowInconsistent ? "none" : "full",
    warnings,
    allowWarnings: input.allowWarnings,
    effects: [{ kind: "introspect", sources: names }, ...droppedSources(catalog, names)],
    ...(input.reports && { answer: stateOfMetadata }),
  });
}

function stateOfMetadata({ inconsistencies }: Analysis): { readonly [key: string]: Json } {
  return { is_consistent: inconsistencies.length === 0, inconsistent_objects: inconsistencies.map(inconsistencyEntry) };
}

function droppedSources(before: Catalog, remaining: readonly string[]) {
  const gone = before.sources.filter(({ name }) => !remaining.includes(name));
  return gone.map(({ name }) => ({ kind: "drop_source" as const, source: name }));
}

/** Fails for duplicate names in a source. Returns warnings for names with unusual characters. */
function checkEventTriggerNames(catalog: Catalog, path: string): Result<readonly Warning[]> {
  const warnings: Warning[] = [];
  for (const source of catalog.sources) {
    const names = source.tables.flatMap((table) => table.event_triggers.map(({ name }) => name));
    const repeated = duplicates(names);
    if (repeated.length > 0) {
      const list = repeated.map((name) => `"${name}"`).join(", ");
      return fail("not-supported", path, `Event trigger with duplicate names not allowed: ${list}`);
    }
    warnings.push(...unusualTriggerNames(source));
  }
  return ok(warnings);
}

function unusualTriggerNames(source: Source): readonly Warning[] {
  return source.tables.flatMap(({ table, event_triggers }) =>
    event_triggers
      .filter(({ name }) => !/^[A-Za-z0-9_-]+$/.test(name))
      .map(
        ({ name }): Warning => ({
          message:
            `The event trigger with name "${name}" may not work as expected, ` +
            "engine suggests to use only alphanumeric, underscore and hyphens in an event trigger name",
          type: "event_trigger",
          name: `event_trigger ${name} in table ${print(source.kind, table)} in source ${source.name}`,
          code: "illegal-event-trigger-name",
        }),
      ),
  );
}

/** Keeps current cron triggers that are left out of exported metadata. */
function keepHiddenCronTriggers(replaced: Catalog, current: Catalog, path: string): Result<Catalog> {
  const hidden = current.cron_triggers.filter(({ include_in_metadata }) => !include_in_metadata);
  if (hidden.length === 0) return ok(replaced);
  const taken = hidden.find(({ name }) => replaced.cron_triggers.some((trigger) => trigger.name === name));
  if (taken !== undefined) {
    const message = `cron trigger with name ${taken.name} already exists as a cron trigger with "included_in_metadata" as false`;
    return fail("already-exists", path, message);
  }
  return ok({ ...replaced, cron_triggers: [...replaced.cron_triggers, ...hidden] });
}

// ---------------------------------------------------------------- clear, reload, drop inconsistent

/** Clears the metadata. Keeps the source `default`, which the start-up options configure, without its tracked objects. */
function clearMetadata({ catalog }: Request<unknown>): Result<Change> {
  const kept = catalog.sources.filter(({ name }) => name === "default");
  const sources = kept.map(
    ({ name, kind, configuration }): Source => ({
      name,
      kind,
      ...emptySource,
      configuration,
    }),
  );
  const cleared = sources.map(({ name }) => ({ kind: "clear_source" as const, source: name }));
  return ok({
    catalog: { ...emptyCatalog, sources },
    effects: [...droppedSources(catalog, ["default"]), ...cleared],
  });
}

/** All objects, none, or the objects with these names. */
type Selection = boolean | readonly string[];

const names = list(nonEmptyText);
const selection = choose<Selection>(
  () => [bool, names],
  (input) => (Array.isArray(input) ? names : bool),
);

/** Reads `{"causes": true, "objects": true}`. Every other argument is accepted and ignored. */
const detail = noArguments.transform((args) => ({
  causes: isObject(args) && args.causes === true,
  objects: isObject(args) && args.objects === true,
}));

const reload = object({
  about: {
    reload_remote_schemas: "Introspects remote schemas again: all, none, or those with these names.",
    reload_sources: "Introspects sources again: all, none, or those with these names.",
    recreate_event_triggers:
      "Installs the database triggers of event triggers again: in all sources, none, or those with these names.",
  },
  defaulted: {
    reload_remote_schemas: selection.default(true),
    reload_sources: selection.default(true),
    recreate_event_triggers: selection.default(false),
  },
});

function reloadMetadata({ catalog, input, path }: Request<z.output<typeof reload>>): Result<Change> {
  const allSources = catalog.sources.map(({ name }) => name);
  const allSchemas = catalog.remote_schemas.map(({ name }) => name);
  const remoteSchemas = selected("Remote schema", input.reload_remote_schemas, allSchemas, path);
  if (!remoteSchemas.ok) return remoteSchemas;
  const sources = selected("Source", input.reload_sources, allSources, path);
  if (!sources.ok) return sources;
  const recreated = selected("Source", input.recreate_event_triggers, allSources, path);
  if (!recreated.ok) return recreated;
  return ok({
    catalog,
    effects: [
      {
        kind: "reload",
        sources: sources.value,
        remoteSchemas: remoteSchemas.value,
        recreateEventTriggers: recreated.value,
      },
    ],
    answer: reloadResponse,
  });
}

function selected(thing: string, chosen: Selection, all: readonly string[], path: string): Result<readonly string[]> {
  if (typeof chosen === "boolean") return ok(chosen ? all : []);
  const unknown = chosen.find((name) => !all.includes(name));
  if (unknown === undefined) return ok(chosen);
  return fail("not-exists", path, `${thing} with name "${unknown}" not found in metadata`, hintFor(unknown, all));
}

function reloadResponse(after: Analysis): Json {
  const { is_consistent = true, inconsistent_objects = [] } = stateOfMetadata(after);
  return { message: "success", is_consistent, ...(is_consistent === false && { inconsistent_objects }) };
}

function dropInconsistentMetadata({ catalog, analysis }: Request<unknown>): Result<Change> {
  return ok(withoutInconsistent(catalog, analysis));
}

/** Drops inconsistent objects. Repeats while this makes further objects inconsistent, for example inherited roles. */
function withoutInconsistent(catalog: Catalog, { inconsistencies }: Analysis): Change {
  const droppable = inconsistencies.filter(({ informational }) => informational !== true);
  const dropped = dropObjects(catalog, droppable.flatMap(inconsistentObjects));
  return {
    catalog: dropped,
    retry: (after) => {
      const next = withoutInconsistent(dropped, after);
      return next.catalog === dropped ? undefined : ok(next);
    },
  };
}

function exported({ catalog, context }: Pick<State, "catalog" | "context">): JsonObject {
  return exportMetadata(withBackendDefaults(catalog, context.backendDefaults));
}

// ---------------------------------------------------------------- rows

export const wholeCatalogOperations = [
  operation("export_metadata", {
    about:
      'Returns the metadata, in the form of `replace_metadata`; with `"version": 2`, together with its version number.',
    effect: "read",
    endpoints: { metadata: "plain", metadataVersions: [1], query: [1] },
    input: noArguments,
    read: (state) => ok(exported(state)),
  }),
  operation("export_metadata", {
    about:
      'Returns the metadata, in the form of `replace_metadata`; with `"version": 2`, together with its version number.',
    effect: "read",
    endpoints: { metadata: "plain", metadataVersions: [2] },
    input: noArguments,
    read: (state) => ok({ resource_version: state.context.resourceVersion, metadata: exported(state) }),
  }),
  operation("replace_metadata", {
    about: "Replaces the whole metadata.",
    effect: "change",
    endpoints: { metadata: "plain", metadataVersions: [1], query: [1] },
    input: eitherForm,
    check: "full",
    apply: replaceMetadata,
  }),
  operation("replace_metadata", {
    about: "Replaces the whole metadata.",
    effect: "change",
    endpoints: { metadata: "plain", metadataVersions: [2], query: [2] },
    input: documentInArguments,
    check: "full",
    apply: replaceMetadata,
  }),
  operation("clear_metadata", {
    about:
      "Removes everything from the metadata. The source `default` of the start-up options stays, without its tables.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: noArguments,
    check: "none",
    apply: clearMetadata,
  }),
  operation("reload_metadata", {
    about: "Introspects databases and remote schemas again, and reads enum values and environment variables again.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: reload,
    check: "none",
    apply: reloadMetadata,
  }),
  operation("get_inconsistent_metadata", {
    about:
      'Returns the metadata objects that are excluded from the API, with reasons; with `{"causes": true}`, also the name of the object that caused each one (`caused_by`); with `{"objects": true}`, also its identity (`object`) and what it lacks (`lacks`).',
    effect: "read",
    endpoints: { metadata: "plain", query: [1] },
    input: detail,
    read: ({ analysis, input: { causes, objects } }) =>
      ok(
        analysis.inconsistencies.map((each) => ({
          ...(causes ? entryWithCause : inconsistencyEntry)(each),
          ...(objects && identityMembers(each)),
        })),
      ),
  }),
  operation("drop_inconsistent_metadata", {
    about: "Removes all inconsistent objects from the metadata.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: noArguments,
    check: "nothing-left",
    apply: dropInconsistentMetadata,
  }),
];
