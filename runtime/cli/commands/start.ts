/** `engine start`: serves until a signal ends it. */
import { decideAuthMode } from "../../auth/mode.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, parseOptions } from "../../config/options.ts";
import { configuredOptions, hostParts } from "../../host/host-config.ts";
import type { ServerSettings } from "../../live/open-services.ts";
import { startServer } from "../../live/start-server.ts";
import { createLog, type Log } from "../../observe/log.ts";
import { logSink } from "../../observe/log-sink.ts";
import { standardOutput } from "../../observe/standard-output.ts";
import { logServerConfiguration } from "../../observe/startup-log.ts";
import { warnOfSettings } from "../../serving/startup-warnings.ts";
import { loadConfig } from "../config/load-config.ts";
import { librarySample } from "../demo.ts";
import { mountedProject } from "../deployment/mounted-project.ts";
import { limitHeapGrowth } from "../heap.ts";
import { nextSteps } from "../next-steps.ts";
import { untilStopped } from "../stop-signal.ts";
import { version } from "../version.ts";

const demoDataDirectory = ".data/demo";

export interface Invocation {
  /** By its name for deployments, where a database that nobody named is a mistake (`operations.md` 2). */
  readonly isServe: boolean;
}

/** Resolves when the server has stopped. */
export async function startCommand(
  { demo: demoFlag, deploy, config: configFlag, ...flags }: Flags,
  { isServe }: Invocation,
): Promise<void> {
  limitHeapGrowth();
  const demo = demoFlag === true;
  if (demo && deploy === true) throw misuse("--demo serves a sample of its own: leave out --deploy, or --demo");
  const config = await loadConfig(".", configFlag);
  const { options: given, environment } = configuredOptions(flags, process.env, config);
  const options = demo ? demoOptions(given) : given;
  if (isServe && !demo && options.databaseUrl === null && options.metadataDatabaseUrl === null) throw noDatabase();
  const isOpen = decideAuthMode(options).kind === "no-auth";
  const output = config.log ? logSink(config.log) : standardOutput(options);
  const log = createLog(options, output);
  logServerConfiguration(log, options);
  const warnings = warnOfSettings(log, options, environment);
  const settings = { options, environment, log, version, host: hostParts(config, log, options) };
  if (deploy === true) await deployWhatIsMounted(settings, createLog({ ...options, logLevel: "warn" }, output));
  const server = await startServer({ ...settings, sample: demo ? librarySample : null });
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

async function deployWhatIsMounted(settings: Omit<ServerSettings, "sample">, log: Log): Promise<void> {
  const project = await mountedProject(settings.environment);
  if (project === undefined) return;
  const { deployMounted } = await import("../deployment/deploy-mounted.ts");
  await deployMounted(project, { ...settings, log }, settings.log);
}

/** The sample has data of its own: it never touches a database of the user's. */
function demoOptions(options: Options): Options {
  if (options.databaseUrl !== null || options.metadataDatabaseUrl !== null) {
    const message = "--demo runs on an embedded PostgreSQL of its own: leave out the database URLs, or --demo";
    throw misuse(message);
  }
  // A folder that was named is taken; the usual one has data of the user's.
  const isUsual = options.dataDirectory === parseOptions({}, {}).dataDirectory;
  return isUsual ? { ...options, dataDirectory: demoDataDirectory } : options;
}

function noDatabase(): ConfigurationError {
  return misuse(
    "no database is named: set --database-url (ENGINE_GRAPHQL_DATABASE_URL) or --metadata-database-url " +
      "(ENGINE_GRAPHQL_METADATA_DATABASE_URL); `engine start` runs an embedded PostgreSQL",
  );
}

function misuse(message: string): ConfigurationError {
  return new ConfigurationError([{ setting: null, message }]);
}
