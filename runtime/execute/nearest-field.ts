/** What a request that names an unknown field or argument probably means, among what its role has there. */
import { EngineError } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";

export function withNearestName(error: unknown): unknown {
  const fault = error instanceof EngineError ? error.fault : undefined;
  if (!(error instanceof EngineError) || fault === undefined || !("known" in fault)) return error;
  const given = fault.kind === "unknown_field" ? fault.field : fault.argument;
  return error.withHint(() => didYouMean(given, fault.known()));
}
