/** `engine start`: serves until a signal ends it. */
import { decideAuthMode } from "../../auth/mode.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, parseOptions } from "../../config/options.ts";
import { startServer } from "../../live/start-server.ts";
import { createLog } from "../../observe/log.ts";
import { standardOutput } from "../../observe/standard-output.ts";
import { logServerConfiguration } from "../../observe/startup-log.ts";
import { warnOfSettings } from "../../serving/startup-warnings.ts";
import { librarySample } from "../demo.ts";
import { limitHeapGrowth } from "../heap.ts";
import { nextSteps } from "../next-steps.ts";
import { untilStopped } from "../stop-signal.ts";
import { version } from "../version.ts";

const demoDataDirectory = ".data/demo";

/** Resolves when the server has stopped. */
export async function startCommand({ demo: demoFlag, ...flags }: Flags): Promise<void> {
  limitHeapGrowth();
  const demo = demoFlag === true;
  const given = parseOptions(flags, process.env);
  const options = demo ? demoOptions(given) : given;
  const isOpen = decideAuthMode(options).kind === "no-auth";
  const output = standardOutput(options);
  const log = createLog(options, output);
  logServerConfiguration(log, options);
  const warnings = warnOfSettings(log, options, process.env);
  const server = await startServer({
    options,
    environment: process.env,
    log,
    version,
    sample: demo ? librarySample : null,
  });
  try {
    // Before it says that it serves: whoever reads that may stop it at once.
    const stopped = untilStopped(server.databases.embedded);
    process.stderr.write(nextSteps({ port: server.port, demo, isOpen, warnings, databases: server.databases }));
    await stopped;
  } finally {
    await server.close();
    await output.drained();
  }
  // Whatever still hangs has had its time.
  process.exit(0);
}

/** The sample has data of its own: it never touches a database of the user's. */
function demoOptions(options: Options): Options {
  if (options.databaseUrl !== null || options.metadataDatabaseUrl !== null) {
    const message = "--demo runs on an embedded PostgreSQL of its own: leave out the database URLs, or --demo";
    throw new ConfigurationError([{ setting: null, message }]);
  }
  // A folder that was named is taken; the usual one has data of the user's.
  const isUsual = options.dataDirectory === parseOptions({}, {}).dataDirectory;
  return isUsual ? { ...options, dataDirectory: demoDataDirectory } : options;
}
