/**
 * What `node workers.mjs` of an artifact does: it starts `server.mjs` in several processes, and serves with them as one
 * server. Of an artifact only this file can start processes, and it starts nothing else.
 */
import { dirname, join } from "node:path";
import { createLog } from "../../observe/logs/log.ts";
import { logSink } from "../../observe/logs/log-sink.ts";
import { standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { failureMessage } from "../parts/failure.ts";
import { warnOfSettings } from "../parts/startup-warnings.ts";
import { stopSignal } from "../parts/stop-signal.ts";
import { startPrimary } from "../workers/primary.ts";
import type { Artifact } from "./artifact.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { sealedConfig } from "./sealed-config.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** What of an artifact says with which options it is served. */
type ArtifactOptions = Pick<Artifact, "file" | "settings" | "config">;

/**
 * Resolves when the server has stopped; what is wrong with the artifact or its surroundings is printed. Arguments are
 * those of `server.mjs`.
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
