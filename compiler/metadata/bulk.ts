/**
 * Rules of `concurrent_bulk` and `bulk_atomic`. Input: a decoded bulk; output: the error that refuses it, or the single
 * change that a `bulk_atomic` amounts to.
 */

import type { ObjectId } from "../2-analyze/object-id.ts";
import { type Diagnostic, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { BulkCall, DecodedCall } from "./dispatch.ts";
import type { Change, ChangeCall, Effect, State } from "./operation.ts";
import type { Transforms } from "./transforms.ts";

/** Refuses a `concurrent_bulk` with an item that may change the schema. */
export function refuseConcurrent({ items, path }: BulkCall): Diagnostic | undefined {
  if (!items.some(mayChangeSchema)) return undefined;
  const message = "Only read-only queries are allowed in a concurrent_bulk";
  return { code: "unexpected", path, message, status: 500 };
}

/** Returns true if a call may change the schema, and with it the version of the metadata. */
export function mayChangeSchema(call: DecodedCall): boolean {
  switch (call.effect) {
    case "change":
      return true;
    case "read":
    case "data":
    case "plan":
      return false;
    case "io":
      return call.changesSchema === true;
    case "bulk":
      return call.items.some(mayChangeSchema);
  }
}

export const atomicChange = (bulk: BulkCall): Pick<ChangeCall, "apply" | "check" | "path"> => ({
  apply: (state) => applyAtomically(bulk, state),
  check: "atomic",
  path: bulk.path,
});

/**
 * Applies the items of a `bulk_atomic` in order, without analysing the catalog in between. The result is analysed once
 * and checked in the style `atomic`.
 */
export function applyAtomically({ items, path }: BulkCall, state: State): Result<Change> {
  let { catalog } = state;
  const effects: Effect[] = [];
  const targets: ObjectId[] = [];
  const transforms: Transforms[] = [];
  for (const item of items) {
    if (item.effect !== "change" || !item.atomic) {
      const message = "Bulk atomic does not support this command";
      return { ok: false, error: { code: "unexpected", path, message, status: 500 } };
    }
    const change = item.apply({ ...state, catalog, isPart: true });
    if (!change.ok) return change;
    catalog = change.value.catalog;
    effects.push(...(change.value.effects ?? []));
    targets.push(...(change.value.targets ?? []));
    transforms.push(...(change.value.transforms ?? []));
  }
  return ok({ catalog, effects, targets, transforms, check: "atomic" });
}
