/** `engine start`: serves until a signal ends it, in one process or, with `--workers`, in several. */

import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, parseOptions } from "../../config/options.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import { createLog, type Log } from "../../observe/logs/log.ts";
import { logSink } from "../../observe/logs/log-sink.ts";
import { type LogOutput, standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { configuredOptions, type HostConfig, hostParts } from "../../server/config-module/host-config.ts";
import { databasesAt, openDatabases } from "../../server/live/databases.ts";
import type { Sample, ServerSettings } from "../../server/live/open-services.ts";
import { startServer } from "../../server/live/start-server.ts";
import { warnOfSettings } from "../../server/parts/startup-warnings.ts";
import { startPrimary } from "../../server/workers/primary.ts";
import { becomeWorker, isWorker } from "../../server/workers/worker.ts";
import { loadConfig } from "../config/load-config.ts";
import { mountedProject } from "../deployment/mounted-project.ts";
import { limitHeapGrowth } from "../heap.ts";
import { putHelpersBehind } from "../helper-threads.ts";
import { madeAdminSecret, madeSecretLine } from "../made-admin-secret.ts";
import { nextSteps } from "../next-steps.ts";
import { untilStopped } from "../stop-signal.ts";
import { version } from "../version.ts";

const demoDataDirectory = ".data/demo";

export interface Invocation {
  /** By its name for deployments, where a database that nobody named is a mistake (`operations.md` 2). */
  readonly isServe: boolean;
}

/** What the command line, the environment and the configuration say. */
interface Start {
  readonly config: HostConfig;
  readonly options: Options;
  readonly environment: ServerSettings["environment"];
  readonly isDemo: boolean;
}

/** What the first process hands to workers: the databases, which may be embedded ones that it has started. */
interface HandedDatabases {
  readonly metadataUrl: string;
  readonly sourceUrl: string | null;
}

/** Resolves when the server has stopped. */
export async function startCommand(flags: Flags, { isServe }: Invocation): Promise<void> {
  limitHeapGrowth();
  putHelpersBehind();
  if (isWorker()) return serveAsWorker(flags);
  const { config, options: given, environment, isDemo } = await readStart(flags);
  const made = await madeAdminSecret(given);
  const options = made ? { ...given, adminSecret: made.secret } : given;
  if (isServe && !isDemo && options.databaseUrl === null && options.metadataDatabaseUrl === null) throw noDatabase();
  const isOpen = decideAuthMode(options).kind === "no-auth";
  const output = config.log ? logSink(config.log) : standardOutput(options);
  const log = createLog(options, output);
  logServerConfiguration(log, options);
  const warnings = warnOfSettings(log, options, environment);
  const settings = { options, environment, log, version, host: hostParts(config, log, options) };
  if (flags.deploy === true) await deployWhatIsMounted(settings, createLog({ ...options, logLevel: "warn" }, output));
  const databases = await openDatabases(options, environment, log);
  try {
    const server = await (options.workers > 1
      ? startPrimary<HandedDatabases>({
          options,
          log,
          output,
          // This command, once more.
          program: { file: process.argv[1] ?? "", args: process.argv.slice(2) },
          environment: made ? { ...process.env, ENGINE_GRAPHQL_ADMIN_SECRET: made.secret.reveal() } : process.env,
          settings: { metadataUrl: databases.metadataUrl, sourceUrl: databases.sourceUrl },
        })
      : startServer({ ...settings, sample: await sampleOf(isDemo), databases }));
    try {
      // Before it says that it serves: whoever reads that may stop it at once.
      const stopped = untilStopped(databases.embedded);
      const secretLine = made && madeSecretLine(made, process.stderr.isTTY);
      process.stderr.write(nextSteps({ port: server.port, demo: isDemo, isOpen, warnings, databases, secretLine }));
      await stopped;
    } finally {
      await server.close();
    }
  } finally {
    await databases.embedded?.stop();
    await output.drained();
  }
  // Whatever still hangs has had its time.
  process.exit(0);
}

/** The first process says what there is to say about options, deploys, and has the embedded database. */
async function serveAsWorker(flags: Flags): Promise<void> {
  const { siblings, settings } = await becomeWorker<HandedDatabases>();
  const { config, options, environment, isDemo } = await readStart(flags);
  const output = workerOutput(config);
  const log = createLog({ ...options, worker: siblings.worker }, output);
  const server = await startServer({
    options,
    environment,
    log,
    version,
    host: hostParts(config, log, options),
    sample: await sampleOf(isDemo),
    databases: databasesAt(settings, environment),
    siblings,
  });
  await siblings.stopped;
  await server.close();
  await output.drained();
  process.exit(0);
}

/** Lines for the first process, which writes them as its own. */
function workerOutput(config: HostConfig): LogOutput {
  return config.log ? logSink(config.log) : standardOutput({ logFormat: "json" });
}

/** What reads the sample is loaded for it alone. */
async function sampleOf(isDemo: boolean): Promise<Sample | null> {
  return isDemo ? (await import("../demo.ts")).librarySample : null;
}

async function readStart({ demo, deploy, config: configFlag, ...flags }: Flags): Promise<Start> {
  const isDemo = demo === true;
  if (isDemo && deploy === true) throw misuse("--demo serves a sample of its own: leave out --deploy, or --demo");
  const config = await loadConfig(".", configFlag);
  const { options, environment } = configuredOptions(flags, process.env, config);
  return { config, options: isDemo ? demoOptions(options) : options, environment, isDemo };
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
