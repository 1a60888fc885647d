/** Opens the services that handle requests in a command, without a server: nothing is logged, counted or cached. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { Generation } from "../../execute/generation.ts";
import { RateLimiter } from "../../execute/guard/rate-limiter.ts";
import { createLog } from "../../observe/logs/log.ts";
import { uninterrupted } from "../../ports/continuity.ts";
import { noTelemetry } from "../../ports/telemetry.ts";
import { openRequestServices } from "../../server/parts/request-services.ts";
import { version } from "../version.ts";

/** Errors of requests are results, which commands print. */
const noLog = createLog({ logLevel: "error", enabledLogTypes: new Set() }, { write: () => undefined });

/** The caller closes the services. */
export function offlineServices(options: Options, environment: Environment, generation: () => Generation) {
  return openRequestServices({
    options,
    environment,
    version,
    log: noLog,
    generation,
    telemetry: noTelemetry,
    continuity: uninterrupted,
    calls: undefined,
    rates: new RateLimiter(),
    responses: undefined,
    hooks: undefined,
  });
}
