/** What `node server.mjs` of an artifact does: serve it until a signal ends it, or install its event triggers. */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { createLog } from "../../observe/logs/log.ts";
import { logSink } from "../../observe/logs/log-sink.ts";
import { standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { EngineError } from "../../values/errors.ts";
import { hostParts } from "../config-module/host-config.ts";
import { failureMessage } from "../parts/failure.ts";
import { warnOfSettings } from "../parts/startup-warnings.ts";
import { stopSignal } from "../parts/stop-signal.ts";
import { becomeWorker, isWorker } from "../workers/worker.ts";
import type { Artifact } from "./artifact.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { installTriggers } from "./install-triggers.ts";
import type { ArtifactServerSettings } from "./open-artifact.ts";
import { sealedConfig } from "./sealed-config.ts";
import { serveArtifact } from "./serve-artifact.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** Resolves when the server has stopped; what is wrong with the artifact or its surroundings is printed. */
export async function runArtifact(artifact: Artifact): Promise<void> {
  try {
    const { "no-verify": unverified, "install-triggers": isInstalling, drift, help: isAskingHelp } = flags();
    if (isAskingHelp) {
      process.stdout.write(help);
      return;
    }
    checkContract(artifact);
    if (isWorker()) return await serveAsWorker(artifact, drift);
    if (!unverified) refuseChangedArtifact(dirname(artifact.file));
    const config = await sealedConfig(artifact);
    const { options, environment } = optionsFor(artifact, process.env, config);
    const output = config.log ? logSink(config.log) : standardOutput(options);
    const log = createLog(options, output);
    if (isInstalling) {
      for (const line of await installTriggers(artifact, { options, environment, log })) {
        process.stdout.write(`${line}\n`);
      }
      return;
    }
    if (options.workers > 1) throw onlyOneProcess();
    logServerConfiguration(log, options);
    const warnings = warnOfSettings(log, options, environment);
    const host = hostParts(config, log, options);
    const server = await serveArtifact(artifact, { drift, options, environment, log, host });
    // Before it says that it serves: whoever reads that may stop it at once.
    const stopped = stopSignal();
    // As the live server: the log goes to standard output, this to standard error.
    process.stderr.write(`engine serves on http://localhost:${server.port}\n`);
    for (const warning of warnings) process.stderr.write(`WARNING: ${warning}\n`);
    await stopped;
    await server.close();
    await output.drained();
    // Whatever still hangs has had its time.
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${failureMessage(error)}\n`);
    process.exitCode = 1;
  }
}

/** `workers.mjs` has looked whether the artifact is as it was built. */
async function serveAsWorker(artifact: Artifact, drift: ArtifactServerSettings["drift"]): Promise<void> {
  const { siblings } = await becomeWorker<null>();
  const config = await sealedConfig(artifact);
  const { options, environment } = optionsFor(artifact, process.env, config);
  // Lines for the first process, which writes them as its own.
  const output = config.log ? logSink(config.log) : standardOutput({ logFormat: "json" });
  const log = createLog({ ...options, worker: siblings.worker }, output);
  const host = hostParts(config, log, options);
  const server = await serveArtifact(artifact, { drift, options, environment, log, host, siblings });
  await siblings.stopped;
  await server.close();
  await output.drained();
  process.exit(0);
}

/** Its code cannot start any. */
function onlyOneProcess(): ConfigurationError {
  const message = "server.mjs is one process: start workers.mjs, beside it, for ENGINE_GRAPHQL_WORKERS";
  return new ConfigurationError([{ setting: null, message }]);
}

const help = `Serves the metadata that this artifact was built of.

  --drift <refuse|warn>  what happens when a database is not as it was at the build; default refuse
  --install-triggers     install what records events of event triggers, and end
  --no-verify            do not compare the files with manifest.json
  -h, --help             this text

Everything else is set by the environment variables of the live server, such as
  ENGINE_GRAPHQL_DATABASE_URL           what the metadata names as its database
  ENGINE_GRAPHQL_METADATA_DATABASE_URL  for cron triggers and asynchronous actions
  ENGINE_GRAPHQL_SERVER_PORT            default 8080
  ENGINE_GRAPHQL_WORKERS                for workers.mjs: processes that serve; auto: one for each core
  ENGINE_GRAPHQL_ADMIN_SECRET           without it, requests need none
`;

/** Everything else is set by the environment variables of the live server. */
function flags() {
  try {
    const { values } = parseArgs({
      options: {
        "no-verify": { type: "boolean", default: false },
        "install-triggers": { type: "boolean", default: false },
        drift: { type: "string", default: "refuse" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { drift } = values;
    if (drift !== "refuse" && drift !== "warn") throw new Error(`--drift is refuse or warn, not ${drift}`);
    return { ...values, drift } as const;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("invalid-params", "$", `${reason} (--help lists options and environment variables)`);
  }
}
