/**
 * Decides whether a change may be kept. Input: the inconsistencies before and after it, and the check style of the
 * operation; output: the error that refuses the change, if any.
 */

import type { ErrorCode } from "../../runtime/values/error-codes.ts";
import { type Inconsistency, inconsistencyEntry, inconsistentObjects } from "../2-analyze/inconsistency.ts";
import { type ObjectId, objectKey } from "../2-analyze/object-id.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/**
 * Rule by which inconsistencies refuse a change:
 * - `target`: the targets of the operation are consistent, and no other object becomes inconsistent;
 * - `new-entries`: no object becomes inconsistent;
 * - `full`: every object is consistent;
 * - `nothing-left`: the same, after inconsistent objects were dropped;
 * - `atomic`: no object becomes inconsistent in a `bulk_atomic`, and the objects that it creates are consistent;
 * - `none`: never refuses; the response lists the inconsistent objects.
 */
export type CheckStyle = "target" | "new-entries" | "full" | "nothing-left" | "atomic" | "none";

export interface ConsistencyCheck {
  readonly style: CheckStyle;
  readonly before: readonly Inconsistency[];
  readonly after: readonly Inconsistency[];
  readonly targets?: readonly ObjectId[];
  readonly path: string;
}

/**
 * Returns the error that refuses a change, or `undefined`. Informational entries, such as permissions that cannot be
 * inherited, refuse a change only in the style `full`.
 */
export function checkConsistency({ style, before, after, targets, path }: ConsistencyCheck): Diagnostic | undefined {
  const blocking = after.filter(({ informational }) => informational !== true);
  const isNew = isUnknownTo(before);
  const added = newlyInconsistent(before, after);
  const unexpected = (text: string, entries: readonly Inconsistency[], status = 400) =>
    refusal("unexpected", `cannot continue due to ${text} metadata`, path, entries, status);
  switch (style) {
    case "target": {
      const own = inconsistentTargets(blocking, targets ?? []);
      if (own.length > 0) {
        return refusal("invalid-configuration", own.map(({ reason }) => reason).join(", "), path, own);
      }
      return unexpected("new inconsistent", added);
    }
    case "new-entries":
      return unexpected("newly found inconsistent", added, 500);
    case "full":
      // Replacing the whole metadata is also refused for informational entries.
      return unexpected("inconsistent", after);
    case "nothing-left":
      return unexpected("new inconsistent", blocking);
    case "atomic": {
      const own = new Set((targets ?? []).map(objectKey));
      const counts = (id: ObjectId) => isNew(id) || own.has(objectKey(id));
      return atomicRefusal(
        blocking.filter((entry) => inconsistentObjects(entry).some(counts)),
        counts,
        path,
      );
    }
    case "none":
      return undefined;
  }
}

/** Returns the entries of objects that were consistent before. */
export function newlyInconsistent(
  before: readonly Inconsistency[],
  after: readonly Inconsistency[],
): readonly Inconsistency[] {
  const isNew = isUnknownTo(before);
  return after.filter((entry) => entry.informational !== true && inconsistentObjects(entry).some(isNew));
}

function isUnknownTo(entries: readonly Inconsistency[]): (id: ObjectId) => boolean {
  const known = new Set(entries.flatMap(inconsistentObjects).map(objectKey));
  return (id) => !known.has(objectKey(id));
}

/** Returns the entries of the targets, including targets that were inconsistent before. */
export function inconsistentTargets(
  entries: readonly Inconsistency[],
  targets: readonly ObjectId[],
): readonly Inconsistency[] {
  const keys = new Set(targets.map(objectKey));
  return entries.filter(
    (entry) => entry.informational !== true && inconsistentObjects(entry).some((id) => keys.has(objectKey(id))),
  );
}

function refusal(
  code: ErrorCode,
  message: string,
  path: string,
  entries: readonly Inconsistency[],
  status = 400,
): Diagnostic | undefined {
  if (entries.length === 0) return undefined;
  return { code, path, message, status, internal: entries.map(inconsistencyEntry), ...hintsOf(entries) };
}

/** More hints in one error would bury the message. */
const maxHints = 5;

/** Collects the suggestions for names that do not exist. */
export function hintsOf(entries: readonly Inconsistency[]): Pick<Diagnostic, "hint"> {
  const hints = new Set(entries.flatMap(({ hint }) => hint ?? []));
  return hints.size === 0 ? {} : { hint: [...hints].slice(0, maxHints).join(" ") };
}

/** Refuses the change with the entries grouped by object: one list in `internal` for each object that counts. */
function atomicRefusal(
  entries: readonly Inconsistency[],
  counts: (id: ObjectId) => boolean,
  path: string,
): Diagnostic | undefined {
  if (entries.length === 0) return undefined;
  const byObject = new Map<string, Inconsistency[]>();
  for (const entry of entries) {
    for (const key of inconsistentObjects(entry).filter(counts).map(objectKey)) {
      byObject.set(key, [...(byObject.get(key) ?? []), entry]);
    }
  }
  const internal = [...byObject.values()].map((group) => group.map(inconsistencyEntry));
  return { code: "bad-request", path, message: "Schema inconsistency", status: 400, internal, ...hintsOf(entries) };
}
