/** Compares the recorders of a database with those that the metadata requires. */

import type { TextRow } from "../../databases/sources/source.ts";
import type { EventRecorder } from "../../model/definitions/events/event-trigger.ts";
import { invariant } from "../../values/errors.ts";

/** A trigger in a database that records events, or its remains. */
export interface InstalledRecorder {
  readonly name: string;
  /** `undefined` if only the function exists. */
  readonly table: { readonly schema: string; readonly name: string } | undefined;
  /** Set if the trigger is disabled or fires for other writes than defined. */
  readonly fault: string | undefined;
  /** `undefined` if the trigger was not created by this product. */
  readonly hash: string | undefined;
}

/** A recorder with its table. */
export interface PlacedRecorder {
  readonly recorder: EventRecorder;
  readonly table: { readonly schema: string; readonly name: string };
}

export function installedRecorder([name, schema, table, firing, text]: TextRow): InstalledRecorder {
  invariant(name, "every trigger has a name");
  return {
    name,
    table: schema && table ? { schema, name: table } : undefined,
    fault: firing ?? undefined,
    hash: text?.match(/\bdefinition ([0-9a-f]{16})\b/)?.[1],
  };
}

export interface Difference {
  /** Ordered by table, so that concurrent installations cannot deadlock. */
  readonly made: readonly PlacedRecorder[];
  readonly dropped: readonly InstalledRecorder[];
}

/**
 * Compares installed and required recorders.
 * @param wanted the required recorders
 * @param isGone returns true for other recorders that must be dropped
 * @param isEvery true to reinstall all recorders, including those that are up to date
 */
export function difference(
  installed: readonly InstalledRecorder[],
  wanted: readonly PlacedRecorder[],
  isGone: (recorder: InstalledRecorder) => boolean,
  isEvery = false,
): Difference {
  const byName = new Map(wanted.map((each) => [each.recorder.name, each]));
  const isRight = (found: InstalledRecorder, { recorder, table }: PlacedRecorder): boolean =>
    found.hash === recorder.hash && found.fault === firingOf(recorder) && isSameTable(found.table, table);
  const made = wanted.filter((each) => {
    const found = installed.filter(({ name }) => name === each.recorder.name);
    return isEvery || found.length !== 1 || !found.every((one) => isRight(one, each));
  });
  const dropped = installed.filter((found) => {
    const kept = byName.get(found.name);
    return kept === undefined ? isGone(found) : found.table !== undefined && !isSameTable(found.table, kept.table);
  });
  return { made: made.sort((a, b) => compare(a.table, b.table)), dropped: dropped.sort(byTable) };
}

/** Returns the firing mode of a recorder; `undefined` for all writes except writes by replication. */
function firingOf({ statements }: EventRecorder): string | undefined {
  return statements.some((text) => /^alter table .* enable always trigger /is.test(text)) ? "always" : undefined;
}

export function isSameTable(a: PlacedRecorder["table"] | undefined, b: PlacedRecorder["table"]): boolean {
  return a?.schema === b.schema && a.name === b.name;
}

function byTable(a: InstalledRecorder, b: InstalledRecorder): number {
  return compare(a.table ?? nowhere, b.table ?? nowhere);
}

const nowhere = { schema: "", name: "" };

function compare(a: PlacedRecorder["table"], b: PlacedRecorder["table"]): number {
  return order(a.schema, b.schema) || order(a.name, b.name);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
