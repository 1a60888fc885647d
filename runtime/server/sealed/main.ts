/** Runs `node server.mjs` of an artifact: serves it until a signal stops it, or installs its event triggers. */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Environment } from "../../config/options.ts";
import { withSecrets } from "../../config/secret-commands.ts";
import { readHeaders } from "../../http/mcp/stdio/header-flags.ts";
import { archiveEvents, install } from "../../jobs/events/install.ts";
import { createLog } from "../../observe/logs/log.ts";
import { logSink, standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { ResponseMemory } from "../../values/response-memory.ts";
import { type HostConfig, hostParts } from "../config-module/host-config.ts";
import { failureMessage } from "../parts/failure.ts";
import { SecretRotation } from "../parts/secret-rotation.ts";
import { servingLines, warnOfSettings } from "../parts/startup-warnings.ts";
import { stopSignal } from "../parts/stop-signal.ts";
import { becomeWorker, isWorker } from "../workers/worker.ts";
import type { Artifact } from "./artifact.ts";
import { artifactFlags } from "./artifact-flags.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { type ArtifactServerSettings, openSources, type RecordedBySource, recordedSources } from "./open-artifact.ts";
import { sealedConfig } from "./sealed-config.ts";
import { serveArtifact } from "./serve-artifact.ts";
import { serveStandardStreams, standardStreamsOptions } from "./standard-streams.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** Resolves when the server has stopped. Prints errors of the artifact and its environment. */
export async function runArtifact(artifact: Artifact): Promise<void> {
  try {
    const given = flags();
    const { "no-verify": unverified, "install-triggers": isInstalling, drift, help: showsHelp } = given;
    if (showsHelp) {
      process.stdout.write(help);
      return;
    }
    checkContract(artifact);
    if (isWorker()) return await serveAsWorker(artifact, drift);
    if (!unverified) refuseChangedArtifact(dirname(artifact.file));
    const config = await sealedConfig(artifact);
    const { options, environment } = optionsFor(artifact, await withSecrets(process.env), config);
    if (given.mcp) return await serveAssistant(artifact, given, { drift, options, environment, config });
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
    const secrets = rotationOf(artifact, config, { log, environment });
    const server = await serveArtifact(artifact, { drift, options, environment, log, host, secrets });
    // Registered before the message below, whose reader may stop the server at once.
    const stopped = stopSignal();
    // The log is written to standard output and this message to standard error, as in the live server.
    process.stderr.write(servingLines(options, { port: server.port, warnings: warnings.severe }));
    await stopped;
    await server.close();
    await output.drained();
    // The shutdown timeout has passed; do not wait for open handles.
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${failureMessage(error)}\n`);
    process.exitCode = 1;
  }
}

/** Serves as a worker of `workers.mjs`, which has verified the artifact. */
async function serveAsWorker(artifact: Artifact, drift: ArtifactServerSettings["drift"]): Promise<void> {
  const { siblings } = await becomeWorker<null>();
  const config = await sealedConfig(artifact);
  const { options, environment } = optionsFor(artifact, await withSecrets(process.env), config);
  // The first process writes these lines to its own log.
  const output = config.log ? logSink(config.log) : standardOutput({ logFormat: "json" });
  const log = createLog({ ...options, worker: siblings.worker }, output);
  const host = hostParts(config, log, options);
  const server = await serveArtifact(artifact, {
    drift,
    options,
    environment,
    log,
    host,
    siblings,
    secrets: rotationOf(artifact, config, { log, environment }),
  });
  await siblings.stopped;
  await server.close();
  await output.drained();
  process.exit(0);
}

function rotationOf(
  artifact: Artifact,
  config: HostConfig,
  { log, environment }: Pick<ArtifactServerSettings, "log" | "environment">,
): SecretRotation | undefined {
  const parse = (changed: Environment) => optionsFor(artifact, changed, config).options;
  return SecretRotation.open({ environment: process.env, current: environment, parse, log });
}

interface AssistantSettings extends Omit<ArtifactServerSettings, "log" | "host"> {
  readonly config: HostConfig;
}

/** Serves an assistant. The log is written to standard error, because standard output carries messages only. */
async function serveAssistant(
  artifact: Artifact,
  { role, header = [] }: Pick<ReturnType<typeof flags>, "role" | "header">,
  { config, options: given, ...settings }: AssistantSettings,
): Promise<void> {
  if (role === undefined) throw new EngineError("invalid-params", "$", "--mcp requires --role");
  const options = standardStreamsOptions(given);
  const log = createLog(options, config.log ? logSink(config.log) : process.stderr);
  const host = hostParts(config, log, options);
  await serveStandardStreams(artifact, { ...settings, options, log, host, role, headers: readHeaders(header) });
  process.exit(0);
}

/** Returns the error for `--workers`, since `server.mjs` cannot start processes. */
function onlyOneProcess(): ConfigurationError {
  const message = "server.mjs runs a single process; start workers.mjs to use ENGINE_GRAPHQL_WORKERS";
  return new ConfigurationError([{ setting: null, message }]);
}

const flagLines = artifactFlags.map(({ flags, doc }) => `  ${flags.padEnd(24)}  ${doc}`);

const help = `Serves the metadata that this artifact was built from.

${flagLines.join("\n")}

All other options are the environment variables of the live server, such as
  ENGINE_GRAPHQL_DATABASE_URL           the database, if the metadata refers to this variable
  ENGINE_GRAPHQL_METADATA_DATABASE_URL  for cron triggers and asynchronous actions
  ENGINE_GRAPHQL_SERVER_PORT            default 8080
  ENGINE_GRAPHQL_WORKERS                for workers.mjs: number of processes; auto for one per core
  ENGINE_GRAPHQL_ADMIN_SECRET           if unset, requests need no authentication
`;

function flags() {
  try {
    const { values } = parseArgs({
      options: {
        "no-verify": { type: "boolean", default: false },
        "install-triggers": { type: "boolean", default: false },
        drift: { type: "string", default: "refuse" },
        mcp: { type: "boolean", default: false },
        role: { type: "string" },
        header: { type: "string", multiple: true },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { drift } = values;
    if (drift !== "refuse" && drift !== "warn") throw new Error(`invalid --drift "${drift}"; expected refuse or warn`);
    return { ...values, drift } as const;
  } catch (error) {
    const reason = messageOf(error);
    throw new EngineError("invalid-params", "$", `${reason} (--help lists options and environment variables)`);
  }
}

// `node server.mjs --install-triggers`.

/**
 * Installs the event triggers of an artifact, each source in its own transaction.
 * @returns the changes, one line per source
 * @throws EngineError for the first source that fails
 */
async function installTriggers(
  artifact: Artifact,
  settings: Omit<ArtifactServerSettings, "drift">,
): Promise<readonly string[]> {
  const responseMemory = new ResponseMemory(settings.options.maxBufferedResponseBytes);
  const sources = openSources(artifact.settings.sources, settings, { responseMemory });
  try {
    const lines: string[] = [];
    for (const source of recordedSources(artifact, sources)) lines.push(await installIn(source, artifact));
    return lines;
  } finally {
    await Promise.all([...sources.values()].map((source) => source.close()));
  }
}

async function installIn({ target, installation }: RecordedBySource, { eventTriggers }: Artifact): Promise<string> {
  const done = await install(target, installation);
  if (done.kind === "superseded") throw new EngineError("busy", "$", `source ${target.name} is being changed`);
  const { made, dropped } = done;
  if (dropped.length > 0) await archiveEvents(target, { notOf: eventTriggers.map(({ name }) => name) });
  const changes = [
    ...(made.length > 0 ? [`installed ${made.join(", ")}`] : []),
    ...(dropped.length > 0 ? [`removed ${dropped.join(", ")}`] : []),
  ];
  return `${target.name}: ${changes.length === 0 ? "nothing to change" : changes.join("; ")}`;
}
