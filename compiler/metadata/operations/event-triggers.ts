/** Operations on event triggers: create, delete, pause and resume clean-ups. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { operationsOf } from "../../catalog/event-operations.ts";
import type { EventTrigger, QualifiedName, Source, SourceKind, Table } from "../../catalog/model.ts";
import { choose, list, object } from "../../catalog/schema/combinators.ts";
import { type CreateEventTrigger, createEventTrigger as createArguments } from "../../catalog/schema/event-triggers.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import { nonEmptyText, sourceArgument, sourceName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource } from "../arguments.ts";
import { changeSource, changeTable, mapWhere, put, sameName, set, without } from "../edit.ts";
import { findConsistentTable, findSource, hintFor, isInconsistent, shapeOf } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";
import { transformsOf } from "../transforms.ts";

function triggerId(source: string, table: QualifiedName, name: string): ObjectId {
  return { kind: "event_trigger", source, table, name };
}

/** Returns the table with a trigger of this name, which is unique in a source. */
function ownerOf({ tables }: Source, name: string): Table | undefined {
  return tables.find(({ event_triggers }) => event_triggers.some((trigger) => trigger.name === name));
}

function noSuchTrigger({ tables }: Source, name: string, path: string): Result<never> {
  const names = tables.flatMap(({ event_triggers }) => event_triggers.map((trigger) => trigger.name));
  return fail("not-exists", path, `event trigger "${name}" does not exist`, hintFor(name, names));
}

// ---------------------------------------------------------------- create, delete

function createEventTrigger(request: Request<CreateEventTrigger>): Result<Change> {
  const { catalog, input, path } = request;
  const { source, table, trigger } = input;
  const found = findConsistentTable(request, source, table);
  if (!found.ok) return found;
  const columns = checkColumns(request);
  if (!columns.ok) return columns;
  const free = checkName(request, found.value.source, path);
  if (!free.ok) return free;
  return ok({
    catalog: putTrigger(catalog, source, table, trigger),
    targets: [triggerId(source, table, trigger.name)],
    ...transformsOf(request, trigger),
  });
}

function checkColumns(request: Request<CreateEventTrigger>): Result<undefined> {
  const { source, table, trigger } = request.input;
  const known = shapeOf(request, source, table)?.columns.map(({ name }) => name) ?? [];
  const listed = operationsOf(trigger).flatMap(({ columns, payload }) => [columns, payload]);
  const names = [...listed, trigger.ordering?.key ?? []].flatMap((list) => (list === "*" ? [] : list));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return fail("not-exists", request.path, `"${unknown}" does not exist`, hintFor(unknown, known));
  }
  return ok(undefined);
}

/**
 * Checks the name. With `replace`, a trigger of this name must exist on the same table; otherwise, none may exist,
 * unless it is inconsistent.
 */
function checkName(request: Request<CreateEventTrigger>, source: Source, path: string): Result<undefined> {
  const { table, trigger, replace } = request.input;
  const owner = ownerOf(source, trigger.name);
  if (replace) {
    if (owner === undefined) return noSuchTrigger(source, trigger.name, path);
    if (sameName(owner.table, table)) return ok(undefined);
    return fail("not-supported", path, "cannot replace table or schema for trigger");
  }
  if (owner === undefined || isInconsistent(request, triggerId(source.name, owner.table, trigger.name))) {
    return ok(undefined);
  }
  return fail("already-exists", path, `Event trigger with name "${trigger.name}" already exists`);
}

/** Adds or replaces a trigger. Removes an inconsistent trigger of the same name from other tables. */
function putTrigger(catalog: Catalog, source: string, table: QualifiedName, trigger: EventTrigger): Catalog {
  const matches = ({ name }: EventTrigger) => name === trigger.name;
  const isOtherTable = ({ table: name }: Table) => !sameName(name, table);
  const cleared = changeSource(catalog, source, (owner) =>
    set(
      owner,
      "tables",
      mapWhere(owner.tables, isOtherTable, (each) =>
        set(each, "event_triggers", without(each.event_triggers, matches)),
      ),
    ),
  );
  return changeTable(cleared, source, table, (owner) =>
    set(owner, "event_triggers", put(owner.event_triggers, trigger, matches)),
  );
}

const deleteArguments = object({
  about: { name: "Name of the event trigger." },
  required: { name: nonEmptyText },
  defaulted: inSource,
});

function deleteEventTrigger(request: Request<z.output<typeof deleteArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const source = findSource(request, input.source);
  if (!source.ok) return source;
  const owner = ownerOf(source.value, input.name);
  if (owner === undefined) return noSuchTrigger(source.value, input.name, path);
  return ok({
    catalog: changeTable(catalog, input.source, owner.table, (table) =>
      set(
        table,
        "event_triggers",
        without(table.event_triggers, ({ name }) => name === input.name),
      ),
    ),
  });
}

// ---------------------------------------------------------------- clean-up

/** All triggers of some sources, or some triggers by name. */
type Selection =
  | { readonly sources: "*" | readonly string[] }
  | readonly { readonly source_name: string; readonly event_triggers: readonly string[] }[];

const someSources = object({
  about: { sources: 'Sources whose event triggers all are meant; `"*"` for every source.' },
  required: {
    sources: choose<"*" | readonly string[]>(
      () => [allSources, namedSources],
      (input) => (input === "*" ? allSources : namedSources),
    ),
  },
});
const namedSources = list(sourceName);
const allSources = nonEmptyText.transform((): "*" => "*");
const someTriggers = list(
  object({
    about: { event_triggers: "Names of event triggers.", source_name: "Source of the triggers." },
    required: { event_triggers: list(nonEmptyText) },
    defaulted: { source_name: sourceArgument },
  }),
);
const cleanupArguments = object({
  about: { event_triggers: "The triggers: those of whole sources, or a list by source." },
  required: {
    event_triggers: choose<Selection>(
      () => [someTriggers, someSources],
      (input) => (Array.isArray(input) ? someTriggers : someSources),
    ),
  },
});

type CleanupRequest = Request<z.output<typeof cleanupArguments>>;

function setPaused({ catalog, path, input }: CleanupRequest, paused: boolean): Result<Change> {
  const { event_triggers: selection } = input;
  if (!("sources" in selection)) return setPausedOfTriggers(catalog, selection, paused, path);
  const { sources } = selection;
  const names = catalog.sources.map(({ name }) => name);
  const unknown = sources === "*" ? undefined : sources.find((name) => !names.includes(name));
  if (unknown !== undefined) return noSuchSource(unknown, names, path);
  let next = catalog;
  for (const name of sources === "*" ? names : sources) next = changeCleanups(next, name, paused, () => true);
  return ok({ catalog: next });
}

function noSuchSource(name: string, names: readonly string[], path: string): Result<never> {
  return fail("not-exists", path, `source with name ${name} does not exists`, hintFor(name, names));
}

function setPausedOfTriggers(
  catalog: Catalog,
  selection: Extract<Selection, readonly unknown[]>,
  paused: boolean,
  path: string,
): Result<Change> {
  let next = catalog;
  for (const { source_name, event_triggers } of selection) {
    const source = catalog.sources.find(({ name }) => name === source_name);
    if (source === undefined) {
      return noSuchSource(
        source_name,
        catalog.sources.map(({ name }) => name),
        path,
      );
    }
    for (const name of event_triggers) {
      const owner = ownerOf(source, name);
      if (owner === undefined) return noSuchTrigger(source, name, path);
      const trigger = owner.event_triggers.find((each) => each.name === name);
      if (trigger?.cleanup_config === undefined) {
        return fail("not-exists", path, `cleanup config does not exist for ${name}`);
      }
      next = changeCleanups(next, source_name, paused, (each) => each.name === name);
    }
  }
  return ok({ catalog: next });
}

/** Pauses or resumes the clean-ups of matching triggers. */
function changeCleanups(
  catalog: Catalog,
  source: string,
  paused: boolean,
  matches: (trigger: EventTrigger) => boolean,
): Catalog {
  const change = (trigger: EventTrigger): EventTrigger =>
    trigger.cleanup_config === undefined || (trigger.cleanup_config.paused ?? false) === paused
      ? trigger
      : { ...trigger, cleanup_config: { ...trigger.cleanup_config, paused } };
  return changeSource(catalog, source, (owner) =>
    set(
      owner,
      "tables",
      mapWhere(
        owner.tables,
        () => true,
        (table) => set(table, "event_triggers", mapWhere(table.event_triggers, matches, change)),
      ),
    ),
  );
}

export const eventTriggerOperations = [
  operation("create_event_trigger", {
    about: "Calls a webhook after each insert, update or delete in a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: (kind: SourceKind) => createArguments(sourceKinds[kind].defaultSchema),
    check: "target",
    apply: createEventTrigger,
  }),
  operation("delete_event_trigger", {
    about: "Removes an event trigger, with its events.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: deleteArguments,
    check: "new-entries",
    apply: deleteEventTrigger,
  }),
  operation("pause_event_trigger_cleanups", {
    about: "Pauses the regular deletion of old events.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: cleanupArguments,
    check: "new-entries",
    apply: (request) => setPaused(request, true),
  }),
  operation("resume_event_trigger_cleanups", {
    about: "Resumes the regular deletion of old events.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: cleanupArguments,
    check: "new-entries",
    apply: (request) => setPaused(request, false),
  }),
];
