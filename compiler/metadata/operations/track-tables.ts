/** Operations that track or untrack many tables. Tables that fail become warnings. */

import type { z } from "zod";
import { pathTo } from "../../../runtime/values/errors.ts";
import type { Analysis } from "../../2-analyze/analysis.ts";
import { cannotDropMessage, dependentsOf } from "../../2-analyze/dependencies.ts";
import { type ObjectId, objectKey } from "../../2-analyze/object-id.ts";
import type { QualifiedName, SourceKind } from "../../catalog/model.ts";
import { duplicates, list, object } from "../../catalog/schema/combinators.ts";
import { bool } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inconsistentTargets } from "../consistency.ts";
import { dropObjects } from "../drop-objects.ts";
import { print } from "../lookups.ts";
import { type Change, operation, type Request, type Warning } from "../operation.ts";
import {
  belongsTo,
  checkTracked,
  type TrackTable,
  tableId,
  trackArguments,
  type UntrackTable,
  untrackArguments,
  withTable,
} from "./tracking.ts";

interface TableTarget {
  readonly source: string;
  readonly table: QualifiedName;
}

interface Many<T extends TableTarget> {
  readonly tables: readonly T[];
  readonly allow_warnings: boolean;
}

function many<T extends TableTarget>(item: (kind: SourceKind) => z.ZodType<T>) {
  return (kind: SourceKind): z.ZodType<Many<T>> =>
    object({
      about: {
        tables: "The tables, each with the arguments of the operation on one table.",
        allow_warnings:
          "Tables that fail become warnings, and the others are changed. If `false`, any failure makes the operation fail.",
      },
      required: { tables: list(item(kind)) },
      defaulted: { allow_warnings: bool.default(true) },
    });
}

/** Fails if the request names a table twice. */
function refuseDuplicates({ kind, path, input }: Request<Many<TableTarget>>): Result<undefined> {
  const repeated = duplicates(input.tables.map(({ source, table }) => `${source}.${print(kind, table)}`));
  if (repeated.length === 0) return ok(undefined);
  const message = `The following tables occur more than once in the request: ${repeated.join(", ")}`;
  return fail("bad-request", pathTo(path, "tables"), message);
}

function warningOf(code: Warning["code"], kind: SourceKind, { source, table }: TableTarget, message: string): Warning {
  return { message, type: "table", name: `table ${print(kind, table)} in source ${source}`, code };
}

// ---------------------------------------------------------------- track

function trackTables(request: Request<Many<TrackTable>>): Result<Change> {
  const distinct = refuseDuplicates(request);
  return distinct.ok ? trackAll(request, request.input.tables, []) : distinct;
}

/**
 * Tracks as many of the tables as possible in one change.
 * @param earlier warnings about other tables
 */
function trackAll(
  request: Request<Many<TrackTable>>,
  tables: readonly TrackTable[],
  earlier: readonly Warning[],
): Result<Change> {
  const warnings = [...earlier];
  const tracked: TrackTable[] = [];
  let { catalog } = request;
  for (const input of tables) {
    const next = withTable({ ...request, catalog, input });
    if (next.ok) {
      catalog = next.value;
      tracked.push(input);
    } else warnings.push(warningOf("track-table-failed", request.kind, input, next.error.message));
  }
  if (tracked.length === 0 && warnings.length > 0) return allFailed("track", request, warnings);
  return ok({
    catalog,
    targets: tracked.map(tableId),
    warnings,
    allowWarnings: request.input.allow_warnings,
    effects: [{ kind: "introspect", sources: [...new Set(tracked.map(({ source }) => source))] }],
    retry: (after) => {
      const inconsistent = inconsistentTargets(after.inconsistencies, tracked.map(tableId));
      if (inconsistent.length === 0) return undefined;
      const reasons = new Map(inconsistent.map(({ id, reason }) => [objectKey(id), reason]));
      const reasonOf = (table: TrackTable) => reasons.get(objectKey(tableId(table)));
      const failed = tracked.flatMap((table) => {
        const reason = reasonOf(table);
        return reason === undefined ? [] : [warningOf("track-table-failed", request.kind, table, reason)];
      });
      const others = tracked.filter((table) => reasonOf(table) === undefined);
      return trackAll(request, others, [...warnings, ...failed]);
    },
  });
}

function allFailed(verb: "track" | "untrack", { path }: Request<unknown>, internal: readonly Warning[]): Result<never> {
  return fail("invalid-configuration", path, `all tables failed to ${verb}`, { internal });
}

// ---------------------------------------------------------------- untrack

function untrackTables(request: Request<Many<UntrackTable>>): Result<Change> {
  const { kind, input, catalog, analysis } = request;
  const distinct = refuseDuplicates(request);
  if (!distinct.ok) return distinct;
  const warnings: Warning[] = [];
  const warn = (table: UntrackTable, message: string) =>
    warnings.push(warningOf("untrack-table-failed", kind, table, message));
  let untracked: readonly UntrackTable[] = input.tables.filter((table) => {
    const tracked = checkTracked({ ...request, input: table });
    if (!tracked.ok) warn(table, tracked.error.message);
    return tracked.ok;
  });
  // A table that stays tracked may block other tables of the list: repeat until no more are blocked.
  for (;;) {
    const { blocked, dependents } = externalDependents(analysis, untracked);
    if (blocked.size === 0) {
      if (untracked.length === 0 && warnings.length > 0) return allFailed("untrack", request, warnings);
      const dropped = dropObjects(catalog, [...dependents, ...untracked.map(tableId)]);
      return ok({ catalog: dropped, warnings, allowWarnings: input.allow_warnings });
    }
    for (const [table, reasons] of blocked) warn(table, cannotDropMessage(reasons, catalog));
    untracked = untracked.filter((table) => !blocked.has(table));
  }
}

interface ExternalDependents {
  /** Objects that depend on the tables and do not belong to any of them. */
  readonly dependents: readonly ObjectId[];
  /** Tables without `cascade` on which `dependents` depend, with the dependents of each. */
  readonly blocked: ReadonlyMap<UntrackTable, readonly ObjectId[]>;
}

function externalDependents(analysis: Analysis, tables: readonly UntrackTable[]): ExternalDependents {
  const isExternal = (id: ObjectId) => !tables.some((table) => belongsTo(id, table));
  const dependents = dependentsOf(analysis, tables.map(tableId)).filter(isExternal);
  const needed = keysNeededBy(analysis, dependents);
  const blocked = tables.filter((table) => !table.cascade && needed.has(objectKey(tableId(table))));
  return {
    dependents,
    blocked: new Map(blocked.map((table) => [table, dependentsOf(analysis, [tableId(table)]).filter(isExternal)])),
  };
}

/** Returns the keys of the objects and of all their direct and indirect dependencies. */
function keysNeededBy({ dependencies }: Analysis, ids: readonly ObjectId[]): ReadonlySet<string> {
  const needed = new Set(ids.map(objectKey));
  // The iteration also visits keys that it adds.
  for (const key of needed) for (const { on } of dependencies.get(key) ?? []) needed.add(objectKey(on));
  return needed;
}

export const trackTablesOperations = [
  operation("track_tables", {
    about: "Adds several tables or views to the API.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: many(trackArguments),
    check: "target",
    apply: trackTables,
  }),
  operation("untrack_tables", {
    about: "Removes several tables from the API.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: many(untrackArguments),
    check: "new-entries",
    apply: untrackTables,
  }),
];
