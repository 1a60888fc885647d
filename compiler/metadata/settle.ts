/**
 * Decides the outcome of a change after the new catalog is analysed. Input: the call, its change, and the analyses
 * before and after; output: the response, a fallback change, or the error that refuses the change.
 */

import { isObject } from "../../runtime/values/is-object.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import type { Inconsistency } from "../2-analyze/inconsistency.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import type { Json } from "../catalog/model.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import { checkConsistency } from "./consistency.ts";
import type { Change, ChangeCall } from "./operation.ts";

export type Settled =
  /** The catalog can be stored and the response sent. */
  | { readonly kind: "accepted"; readonly answer: Json }
  /** The fallback change must be analysed instead. */
  | { readonly kind: "retry"; readonly change: Change };

/** Returns the outcome of a change whose catalog has been analysed. */
export function settle(
  call: Pick<ChangeCall, "check" | "path">,
  change: Change,
  before: Analysis,
  after: Analysis,
): Result<Settled> {
  const { path } = call;
  const { warnings = [], allowWarnings = true } = change;
  const instead = change.retry?.(after);
  if (instead !== undefined) return instead.ok ? ok({ kind: "retry", change: instead.value }) : instead;
  if (warnings.length > 0 && !allowWarnings) {
    return fail("metadata-warnings", path, "failed due to metadata warnings", { internal: warnings });
  }
  const error = checkConsistency({
    style: change.check ?? call.check,
    before: before.inconsistencies.map((entry) => underNewName(entry, change.renamed)),
    after: after.inconsistencies,
    targets: change.targets ?? [],
    path,
  });
  return error === undefined ? ok({ kind: "accepted", answer: answerOf(change, after) }) : { ok: false, error };
}

/** Returns an inconsistency with the new names of renamed objects, so that a rename does not make it count as new. */
export function underNewName(entry: Inconsistency, renamed: ((id: ObjectId) => ObjectId) | undefined): Inconsistency {
  if (renamed === undefined) return entry;
  const { id, together } = entry;
  return {
    ...entry,
    id: renamed(id),
    ...(together !== undefined && {
      together: { ...together, objects: together.objects.map((object) => ({ ...object, id: renamed(object.id) })) },
    }),
  };
}

function answerOf({ answer, warnings = [] }: Change, after: Analysis): Json {
  const given = answer?.(after) ?? { message: "success" };
  if (warnings.length === 0 || !isObject(given)) return given;
  return { ...given, warnings: warnings.map((warning) => ({ ...warning })) };
}
