/** What introspection found of a source, or an earlier one where it failed. */
import type { Json, Source } from "../catalog/model.ts";
import type { Shape } from "../shape/shape.ts";
import type { SourceIntrospection } from "./analysis.ts";
import { sourceObject } from "./metadata-objects.ts";
import type { Findings } from "./rejection.ts";

/** A source that cannot be reached works on with the Shape of an earlier introspection, if there is one. */
export function sourceShape(source: Source, introspection: SourceIntrospection, findings: Findings): Shape | undefined {
  if ("shape" in introspection) return introspection.shape;
  const { error, staleShape } = introspection;
  const text =
    staleShape === undefined
      ? error.message
      : `source "${source.name}"  is inconsistent because of stale database introspection is used. The source couldn't be reached for a fresh introspection because we got error: ${error.message}`;
  findings.add({
    ...sourceObject(source),
    reason: `Inconsistent object: ${text}`,
    // What drivers say of an error is JSON.
    ...(error.internal === undefined ? {} : { message: error.internal as Json }),
  });
  return staleShape;
}
