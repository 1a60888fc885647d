/**
 * The rules of the bulk operations that are not just one operation after another (`metadata-api.md` 1.3). Input: a
 * decoded bulk; output: the error that refuses it, or the one change that a `bulk_atomic` amounts to.
 */

import type { ObjectId } from "../2-analyze/object-id.ts";
import { type Diagnostic, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { BulkCall, DecodedCall } from "./dispatch.ts";
import type { Change, ChangeCall, Effect, State } from "./operation.ts";
import { needsMetadataCheck } from "./operations/run-sql.ts";

/** Refuses a `concurrent_bulk` of which any item may change the schema. */
export function refuseConcurrent({ items, path }: BulkCall): Diagnostic | undefined {
  if (!items.some(mayChangeSchema)) return undefined;
  const message = "Only read-only queries are allowed in a concurrent_bulk";
  return { code: "unexpected", path, message, status: 500 };
}

/** Whether a call may make another schema necessary, and with it another version of the metadata. */
export function mayChangeSchema(call: DecodedCall): boolean {
  switch (call.effect) {
    case "change":
      return true;
    case "read":
    case "data":
    case "plan":
      return false;
    case "io":
      return call.operation === "run_sql" && needsMetadataCheck(call.kind, call.input);
    case "bulk":
      return call.items.some(mayChangeSchema);
  }
}

/** A `bulk_atomic` as the one change that it amounts to. */
export const atomicChange = (bulk: BulkCall): Pick<ChangeCall, "apply" | "check" | "path"> => ({
  apply: (state) => applyAtomically(bulk, state),
  check: "atomic",
  path: bulk.path,
});

/**
 * Applies the items of a `bulk_atomic` one after another to the catalog, without looking at the schema in between. The
 * result is analysed once, and judged in the style `atomic`.
 */
export function applyAtomically({ items, path }: BulkCall, state: State): Result<Change> {
  let { catalog } = state;
  const effects: Effect[] = [];
  const targets: ObjectId[] = [];
  for (const item of items) {
    if (item.effect !== "change" || !item.atomic) {
      const message = "Bulk atomic does not support this command";
      return { ok: false, error: { code: "unexpected", path, message, status: 500 } };
    }
    const change = item.apply({ ...state, catalog });
    if (!change.ok) return change;
    catalog = change.value.catalog;
    effects.push(...(change.value.effects ?? []));
    targets.push(...(change.value.targets ?? []));
  }
  return ok({ catalog, effects, targets, check: "atomic" });
}
