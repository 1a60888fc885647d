/**
 * Runs `node workers.mjs` of an artifact: starts `server.mjs` in several processes, which act as one server. Only this file
 * of an artifact can start processes, and it starts no others.
 */
import { dirname, join } from "node:path";
import { createLog } from "../../observe/logs/log.ts";
import { logSink, standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { failureMessage } from "../parts/failure.ts";
import { servingLines, warnOfSettings } from "../parts/startup-warnings.ts";
import { stopSignal } from "../parts/stop-signal.ts";
import { startPrimary } from "../workers/primary.ts";
import type { Artifact } from "./artifact.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { sealedConfig } from "./sealed-config.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** The parts of an artifact that determine its options. */
type ArtifactOptions = Pick<Artifact, "file" | "settings" | "config">;

/**
 * Resolves when the server has stopped. Prints errors of the artifact and its environment. The arguments are those of
 * `server.mjs`.
 */
export async function runArtifactWorkers(artifact: ArtifactOptions): Promise<void> {
  try {
    const folder = dirname(artifact.file);
    const args = process.argv.slice(2);
    checkContract(artifact);
    if (!args.includes("--no-verify")) refuseChangedArtifact(folder);
    const config = await sealedConfig(artifact);
    const { options, environment } = optionsFor(artifact, process.env, config);
    const output = config.log ? logSink(config.log) : standardOutput(options);
    const log = createLog(options, output);
    logServerConfiguration(log, options);
    const warnings = warnOfSettings(log, options, environment);
    const program = { file: join(folder, "server.mjs"), args };
    const server = await startPrimary({ options, log, output, program, environment: process.env, settings: null });
    const stopped = stopSignal();
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
