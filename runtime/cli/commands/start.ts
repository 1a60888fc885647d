/** `engine start`: serves until a signal, in one process or, with `--workers`, in several. */

import { setFlagsFromString } from "node:v8";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { isConsoleEnabled } from "../../config/console-default.ts";
import type { Options } from "../../config/option-table.ts";
import type { Flags } from "../../config/options.ts";
import { withSecrets } from "../../config/secret-commands.ts";
import { localOrigin } from "../../config/server-host.ts";
import type { EmbeddedPostgres } from "../../databases/embedded-postgres/start-embedded-postgres.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import { createLog, type Log } from "../../observe/logs/log.ts";
import { type LogOutput, logSink, standardOutput } from "../../observe/logs/standard-output.ts";
import { logServerConfiguration } from "../../observe/logs/startup-log.ts";
import { configuredOptions, type HostConfig, hostParts } from "../../server/config-module/host-config.ts";
import { type Databases, databasesAt, openDatabases } from "../../server/live/databases.ts";
import type { Sample, ServerSettings } from "../../server/live/open-services.ts";
import { SecretRotation } from "../../server/parts/secret-rotation.ts";
import { refuseUnsafeHost, servingLines, warnOfSettings } from "../../server/parts/startup-warnings.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { becomeWorker, isWorker } from "../../server/workers/worker.ts";
import { lazy } from "../../values/lazy.ts";
import { shellQuoted } from "../../values/quoted.ts";
import { loadConfig } from "../config/load-config.ts";
import { mountedProject } from "../deployment/mounted-project.ts";
import { type GeneratedSecret, generatedAdminSecret, generatedSecretText } from "../generated-admin-secret.ts";
import { lowerHelperPriority } from "../helper-threads.ts";
import { warnOfPeerVariables } from "../import/peer-environment.ts";
import { bannerText, isInstalled } from "../start/banner.ts";
import { checkStart } from "../start/checks.ts";
import { defaultDataDirectory, demoDataDirectory } from "../start/data-directories.ts";
import { version } from "../version.ts";

export interface Invocation {
  /** True for `engine serve`, which requires a database URL instead of starting an embedded database. */
  readonly isServe: boolean;
}

/** Settings from the command line, the environment and the configuration module. */
interface Start {
  readonly config: HostConfig;
  readonly options: Options;
  readonly environment: ServerSettings["environment"];
  readonly isDemo: boolean;
  /** Parses the options with another environment. */
  readonly parse: (environment: ServerSettings["environment"]) => Options;
}

/** Databases that the primary process passes to workers; they may be embedded. */
interface PassedDatabases {
  readonly metadataUrl: string;
  readonly sourceUrl: string | null;
}

/** Resolves when the server has stopped. */
export async function startCommand(flags: Flags, { isServe }: Invocation): Promise<void> {
  limitHeapGrowth();
  lowerHelperPriority();
  if (isWorker()) return serveAsWorker(flags);
  const { config, options: given, environment, isDemo, parse } = await readStart(flags);
  if (isServe && !isDemo && given.databaseUrl === null && given.metadataDatabaseUrl === null) throw noDatabase();
  if (!given.makeAdminSecret) refuseUnsafeHost(given);
  await checkStart({ options: given, given: { flags, environment: process.env, config } });
  const made = await generatedAdminSecret(given);
  const options = made ? { ...given, adminSecret: made.secret } : given;
  // Standard output is for the log, so the banner is written to standard error.
  const hasBanner = process.stderr.isTTY;
  const output = config.log ? logSink(config.log) : standardOutput(options, hasBanner);
  const log = createLog(options, output);
  logServerConfiguration(log, options);
  const found = warnOfSettings(log, options, environment);
  const unread = warnOfPeerVariables(log, options, environment);
  const warnings = { severe: [...unread, ...found.severe], all: [...unread, ...found.all] };
  const secrets =
    options.workers > 1
      ? undefined
      : SecretRotation.open({ environment: process.env, current: environment, parse, log });
  const settings = { options, environment, log, version, host: hostParts(config, log, options), secrets };
  if (flags.deploy === true) await deployMountedProject(settings, createLog({ ...options, logLevel: "warn" }, output));
  const load = lazy(() => loadServer(options));
  // Loading occupies this process, so it follows the start of PostgreSQL's programs and runs beside them. A failure is
  // thrown below, where it also stops the database.
  const databases = await openDatabases(options, environment, log, () => void load().catch(() => undefined));
  try {
    const modules = await load();
    const server = await ("startPrimary" in modules
      ? modules.startPrimary<PassedDatabases>({
          options,
          log,
          output,
          // Workers run the same command.
          program: { file: process.argv[1] ?? "", args: process.argv.slice(2) },
          environment: made ? { ...process.env, ENGINE_GRAPHQL_ADMIN_SECRET: made.secret.reveal() } : process.env,
          settings: { metadataUrl: databases.metadataUrl, sourceUrl: databases.sourceUrl },
        })
      : modules.startServer({ ...settings, sample: await sampleOf(isDemo), databases }));
    try {
      // Listens for signals before readiness is reported, because a reader of the report may stop the process at once.
      const stopped = untilStopped(databases.embedded);
      const { port } = server;
      process.stderr.write(
        hasBanner
          ? startBanner({ options, port, isDemo, warnings: warnings.all, databases, made, flags })
          : [servingLines(options, { port, warnings: warnings.severe }), ...secretLines(made)].join(""),
      );
      await stopped;
    } finally {
      await server.close();
    }
  } finally {
    await databases.embedded?.stop();
    await output.drained();
  }
  // Ends despite open handles, which have exceeded the shutdown timeout.
  process.exit(0);
}

/** Loads the modules of the server, which are most of the program. */
async function loadServer({ workers }: Options) {
  return workers > 1 ? import("../../server/workers/primary.ts") : import("../../server/live/start-server.ts");
}

/** Runs a worker. The primary process logs the options, deploys, and runs the embedded database. */
async function serveAsWorker(flags: Flags): Promise<void> {
  const { startServer } = await import("../../server/live/start-server.ts");
  const { siblings, settings } = await becomeWorker<PassedDatabases>();
  const { config, options, environment, isDemo, parse } = await readStart(flags);
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
    secrets: SecretRotation.open({ environment: process.env, current: environment, parse, log }),
  });
  await siblings.stopped;
  await server.close();
  await output.drained();
  process.exit(0);
}

/** Returns the log output of a worker: the configured function, or JSON lines that the primary process logs. */
function workerOutput(config: HostConfig): LogOutput {
  return config.log ? logSink(config.log) : standardOutput({ logFormat: "json" });
}

/** Loads the sample's module only for `--demo`. */
async function sampleOf(isDemo: boolean): Promise<Sample | null> {
  return isDemo ? (await import("../demo.ts")).librarySample : null;
}

async function readStart({ demo, deploy, config: configFlag, ...flags }: Flags): Promise<Start> {
  const isDemo = demo === true;
  if (isDemo && deploy === true) throw misuse("--demo and --deploy are mutually exclusive");
  const config = await loadConfig(".", configFlag);
  const { options, environment } = configuredOptions(flags, await withSecrets(process.env), config);
  const parse: Start["parse"] = (changed) => configuredOptions(flags, changed, config).options;
  return { config, options: isDemo ? demoOptions(options) : options, environment, isDemo, parse };
}

async function deployMountedProject(settings: Omit<ServerSettings, "sample">, log: Log): Promise<void> {
  const project = await mountedProject(settings.environment);
  if (project === undefined) return;
  const { deployMounted } = await import("../deployment/deploy-mounted.ts");
  await deployMounted(project, { ...settings, log }, settings.log);
}

function demoOptions(options: Options): Options {
  if (options.databaseUrl !== null || options.metadataDatabaseUrl !== null) {
    throw misuse("--demo runs on its own embedded PostgreSQL: remove the database URLs, or --demo");
  }
  // An explicit directory is used; the default directory may contain the user's data.
  const isDefault = options.dataDirectory === defaultDataDirectory;
  return isDefault ? { ...options, dataDirectory: demoDataDirectory } : options;
}

interface BannerParts {
  readonly options: Options;
  readonly port: number;
  readonly isDemo: boolean;
  readonly warnings: readonly string[];
  readonly databases: Databases;
  readonly made: GeneratedSecret | undefined;
  readonly flags: Flags;
}

function startBanner({ options, port, isDemo, warnings, databases, made, flags }: BannerParts): string {
  const { sourceUrl, metadataUrl, embedded } = databases;
  return bannerText(
    {
      version,
      address: localOrigin(options.serverHost, port),
      hasConsole: isConsoleEnabled(options),
      database: {
        url: sourceUrl ?? metadataUrl,
        isEmbedded: embedded !== null,
        isMetadataOnly: sourceUrl === null,
        command: psqlCommandOf(flags, sourceUrl),
      },
      isDemo,
      secretHeader: decideAuthMode(options).kind === "no-auth" ? null : secretHeader(made),
      generatedSecret: made && generatedSecretText(made, true),
      warnings,
      seconds: performance.now() / 1000,
    },
    { isColored: !process.env.NO_COLOR, hasPsql: isInstalled("psql") },
  );
}

/** Returns the command that connects to the source; `null` if it would not find a source that only a flag names. */
function psqlCommandOf({ databaseUrl, dataDir }: Flags, sourceUrl: string | null): string | null {
  if (sourceUrl === null || databaseUrl !== undefined) return null;
  return typeof dataDir === "string" ? `engine psql --data-dir ${shellQuoted(dataDir)}` : "engine psql";
}

function secretLines(made: GeneratedSecret | undefined): readonly string[] {
  return made === undefined ? [] : [`admin secret: ${generatedSecretText(made, false)}\n`];
}

/** Returns the header with the admin secret for a shell, without the secret itself. */
function secretHeader(made: GeneratedSecret | undefined): string {
  const value = made?.path === undefined ? "$ENGINE_GRAPHQL_ADMIN_SECRET" : `$(cat ${shellQuoted(made.path)})`;
  return `"X-Engine-Admin-Secret: ${value}"`;
}

function noDatabase(): ConfigurationError {
  return misuse(
    "no database is configured: set --database-url (ENGINE_GRAPHQL_DATABASE_URL) or --metadata-database-url " +
      "(ENGINE_GRAPHQL_METADATA_DATABASE_URL), or use `engine start`, which runs an embedded PostgreSQL",
  );
}

function misuse(message: string): ConfigurationError {
  return new ConfigurationError([{ setting: null, message }]);
}

/**
 * Percentage by which the old generation may grow beyond live memory before it is collected. V8 allows up to fourfold
 * growth.
 */
const growingPercent = 50;

/**
 * Makes V8 collect the old generation earlier, so that memory stays flat over metadata changes. Requests are not
 * affected, because their allocations are short-lived.
 */
function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

/**
 * Resolves at the first SIGINT or SIGTERM; a second one ends the process at once.
 * @throws EmbeddedPostgresError if the embedded database exits
 */
async function untilStopped(embedded: EmbeddedPostgres | null): Promise<void> {
  const lost = embedded?.ended.then((error) => {
    if (error) throw error;
  });
  await (lost ? Promise.race([stopSignal(), lost]) : stopSignal());
}
