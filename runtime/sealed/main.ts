/** What `node server.mjs` of an artifact does: serve it until a signal ends it. */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { decideAuthMode } from "../auth/mode.ts";
import type { Options } from "../config/option-table.ts";
import { parseOptions } from "../config/options.ts";
import { createLog } from "../observe/log.ts";
import { logServerConfiguration, warnNoAdminSecret } from "../observe/startup-log.ts";
import { failureMessage } from "../serving/failure.ts";
import { stopSignal } from "../serving/stop-signal.ts";
import { contractVersion } from "../support/contract.ts";
import { EngineError } from "../values/errors.ts";
import type { Artifact } from "./artifact.ts";
import { serveArtifact } from "./serve-artifact.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** Resolves when the server has stopped; what is wrong with the artifact or its surroundings is printed. */
export async function runArtifact(artifact: Artifact): Promise<void> {
  try {
    const { "no-verify": unverified, drift } = flags();
    checkContract(artifact);
    if (!unverified) await refuseChangedArtifact(dirname(artifact.file));
    const options = parseOptions({}, process.env);
    checkPlanning(artifact, options);
    const log = createLog(options);
    logServerConfiguration(log, options);
    if (decideAuthMode(options).kind === "no-auth") warnNoAdminSecret(log);
    const server = await serveArtifact(artifact, { drift, options, environment: process.env, log });
    // Before it says that it serves: whoever reads that may stop it at once.
    const stopped = stopSignal();
    // As the live server: the log goes to standard output, this to standard error.
    process.stderr.write(`engine serves on http://localhost:${server.port}\n`);
    await stopped;
    await server.close();
    // Whatever still hangs has had its time.
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${failureMessage(error)}\n`);
    process.exitCode = 1;
  }
}

/** Everything else is set by the environment variables of the live server. */
function flags() {
  try {
    const { values } = parseArgs({
      options: { "no-verify": { type: "boolean", default: false }, drift: { type: "string", default: "refuse" } },
    });
    const { drift } = values;
    if (drift !== "refuse" && drift !== "warn") throw new Error(`--drift is refuse or warn, not ${drift}`);
    return { ...values, drift } as const;
  } catch (error) {
    throw new EngineError("invalid-params", "$", error instanceof Error ? error.message : String(error));
  }
}

/** Saved operations are statements already, which these options would have made others. */
function checkPlanning({ settings: { planning } }: Artifact, options: Options): void {
  const { stringifyNumericTypes, nullCollapse } = options;
  if (planning.stringifyNumbers === stringifyNumericTypes && planning.nullCollapse === nullCollapse) return;
  const message = `the artifact was built with ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES=${planning.stringifyNumbers} and ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE=${planning.nullCollapse}: serve it with the same, or build it again`;
  throw new EngineError("not-supported", "$", message);
}

function checkContract({ settings: { contract } }: Artifact): void {
  if (contract === contractVersion) return;
  const message = `the artifact's code was generated for contract ${contract}, its runtime keeps contract ${contractVersion}: build it again`;
  throw new EngineError("not-supported", "$", message);
}
