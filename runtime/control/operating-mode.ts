/** Restrictions of read-only mode and maintenance mode. */
import { mayChangeSchema } from "../../compiler/metadata/bulk.ts";
import type { DecodedCall } from "../../compiler/metadata/dispatch.ts";
import type { AdminEndpoint } from "../ports/administration.ts";
import { EngineError } from "../values/errors.ts";

export type OperatingMode = "normal" | "read-only" | "maintenance";

interface ModeOptions {
  readonly enableReadOnlyMode: boolean;
  readonly enableMaintenanceMode: boolean;
}

export function operatingMode({ enableReadOnlyMode, enableMaintenanceMode }: ModeOptions): OperatingMode {
  if (enableMaintenanceMode) return "maintenance";
  return enableReadOnlyMode ? "read-only" : "normal";
}

/** @throws EngineError if the mode does not allow a call */
export function checkMode(mode: OperatingMode, endpoint: AdminEndpoint, call: DecodedCall): void {
  if (mode === "maintenance" && mayChangeSchema(call)) {
    throw new EngineError("unexpected", "$", "metadata cannot be modified in maintenance mode", { status: 500 });
  }
  if (mode !== "read-only" || !mayWrite(call)) return;
  const message =
    endpoint === "/v1/metadata"
      ? "metadata cannot be modified in read-only mode"
      : "Cannot run write queries when read-only mode is enabled";
  throw new EngineError("not-supported", "$", message);
}

/** Returns true if a call may change metadata or data. */
function mayWrite(call: DecodedCall): boolean {
  switch (call.effect) {
    case "change":
      return true;
    case "read":
    case "plan":
      return false;
    case "data":
      return call.input.type !== "select" && call.input.type !== "count";
    case "io":
      return call.writes === true;
    case "bulk":
      return call.items.some(mayWrite);
  }
}
