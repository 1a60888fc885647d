/**
 * `engine dev`: applies a project's files to a server whenever they are saved, and writes the modules of its front ends,
 * until a signal.
 */

import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { createLog } from "../../observe/logs/log.ts";
import { logSink } from "../../observe/logs/standard-output.ts";
import { configuredOptions, hostParts } from "../../server/config-module/host-config.ts";
import { startServer } from "../../server/live/start-server.ts";
import { errorLine, failureMessage } from "../../server/parts/failure.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { schemasOfServer } from "../client/schema-of-role.ts";
import { documentsState, writeClients } from "../client/write-client.ts";
import { loadConfig } from "../config/load-config.ts";
import { type ConsoleServer, startConsoleServer } from "../console/console-server.ts";
import { changeReport } from "../dev/change-report.ts";
import { runCompanion } from "../dev/companion.ts";
import { type Applied, DevSession } from "../dev/dev-session.ts";
import { DevPermissionTests } from "../dev/permission-tests.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { testsFolder } from "../permission-tests/test-file.ts";
import { problemLines } from "../problem.ts";
import { changesOf, filesState } from "../project/changes.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { outputColors, printable, printDone, printed, printSteps } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import type { ScratchServer } from "../scratch/scratch-databases.ts";
import { SharedScratchServer } from "../scratch/shared-scratch-server.ts";
import { developmentDataDirectory } from "../start/data-directories.ts";
import { version } from "../version.ts";
import { readPort } from "./console.ts";
import { confirmed } from "./migrate.ts";
import { runAllSeeds } from "./seed.ts";

const retryEveryMs = 1000;

export interface DevOptions extends GlobalFlags {
  /** If false, no console is served. */
  readonly console?: boolean;
  readonly consolePort: string;
  /** If true, the seeds of all databases run after the files are applied for the first time. */
  readonly withSeeds?: boolean;
  /** A command in shell syntax that runs beside the server, such as the program of the project's handlers. */
  readonly run?: string;
  /** If true, metadata that only the server has is dropped at the start without a question. */
  readonly dropUnlisted?: boolean;
  /** If true, the report contains SQL and long values. */
  readonly verbose?: boolean;
}

/**
 * Runs until a signal, and resolves to the exit code.
 * @throws ConfigurationError, EngineError, EmbeddedPostgresError if the project cannot be read, or no server starts
 */
export async function devCommand(options: DevOptions): Promise<number> {
  const port = readPort(options.consolePort);
  const settings = await readSettings(options, process.env);
  const ending = new AbortController();
  void stopSignal().then(() => ending.abort());
  const local = (await isReachable(settings.endpoint))
    ? undefined
    : await startLocalServer(options.project ?? ".", settings);
  const companion = options.run === undefined ? undefined : runCompanion(options.run, options.project ?? ".", settings);
  try {
    const where =
      local === undefined
        ? `using the server at ${settings.endpoint}`
        : `started a server at ${settings.endpoint}; log: ${local.log}`;
    printSteps(`watching ${settings.metadataPath} and ${settings.migrationsPath}\n`);
    printSteps(`${where}\n`);
    await withServer(settings, async (call) => {
      const scratch = new SharedScratchServer();
      const opened = options.console === false ? undefined : await openBeside(settings, call, port, scratch.use);
      try {
        await follow(settings, options, scratch.use, ending.signal);
      } finally {
        await opened?.close();
        await scratch.close();
      }
    });
  } finally {
    companion?.stop();
    await local?.close();
  }
  return 0;
}

async function follow(
  settings: Settings,
  options: DevOptions,
  scratch: ScratchServer,
  signal: AbortSignal,
): Promise<void> {
  const { metadataPath, migrationsPath, clients } = settings;
  const session = new DevSession(settings, { mayDrop: (objects) => mayDrop(objects, options) });
  let areSeedsPending = options.withSeeds === true;
  const apply = async (call: CallMetadata): Promise<Applied> => {
    const applied = await session.apply(call);
    if (areSeedsPending) await runAllSeeds(call, settings);
    areSeedsPending = false;
    return applied;
  };
  const states = {
    project: () => filesState([metadataPath, migrationsPath]),
    documents: () => documentsState(clients),
    tests: () => filesState([testsFolder(metadataPath)]),
  };
  const tests = new DevPermissionTests(settings, scratch, (line) => printSteps(`${line}\n`));
  let isFirst = true;
  try {
    for await (const changed of changesOf(states, signal)) {
      if (changed.has("project")) await applyUntilDone(apply, settings, options, signal);
      else if (changed.has("documents")) await writeFrontEnds(settings);
      // The start reports no change, and further databases would delay it.
      if (!isFirst && (changed.has("project") || changed.has("tests"))) tests.changed();
      isFirst = false;
    }
  } finally {
    await tests.close();
  }
}

/** Requests a confirmation on a terminal to drop objects that only the server has; without a terminal, they are kept. */
async function mayDrop(objects: readonly string[], { dropUnlisted = false }: DevOptions): Promise<boolean> {
  if (dropUnlisted) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  printDone("the server has metadata that the files lack:", ...objects);
  return confirmed("Drop it from the server?", {});
}

/** Writes the modules of front ends. Only prints errors, since the next change may fix them. */
async function writeFrontEnds(settings: Settings): Promise<void> {
  const { clients, environment } = settings;
  if (clients.length === 0) return;
  try {
    await writeClients(clients, await schemasOfServer(settings), environment, printed);
  } catch (error) {
    printDone("error: cannot write the modules of front ends", failureMessage(error));
  }
}

/** Opens the console. A failure is only printed, since files can be watched without a console. */
async function openBeside(
  settings: Settings,
  call: CallMetadata,
  port: number,
  scratch: ScratchServer,
): Promise<ConsoleServer | undefined> {
  const print = (line: string) => printSteps(`${line}\n`);
  try {
    const opened = await startConsoleServer({ settings, call, port, scratch, serverVersion: version, print });
    printSteps(`console at ${opened.url}\n`);
    return opened;
  } catch (error) {
    printDone("error: cannot start the console", failureMessage(error));
    return undefined;
  }
}

/** Applies the files. Retries if a server or database is unreachable; prints any other error and returns. */
async function applyUntilDone(
  apply: (call: CallMetadata) => Promise<Applied>,
  settings: Settings,
  options: DevOptions,
  signal: AbortSignal,
): Promise<void> {
  const { red, bold, green } = outputColors(options);
  const style = { verbose: options.verbose === true, red, bold };
  let reported: string | undefined;
  while (!signal.aborted) {
    try {
      const { changes, broken, inconsistent } = await withServer(settings, apply);
      const lines = [...changeReport(changes, broken, style), ...inconsistent.map(printable)];
      printSteps(`${lines.length === 0 ? "no changes for any role" : lines.join("\n")}\n`);
      await writeFrontEnds(settings);
      printSteps(`${green("applied; waiting for changes")}\n`);
      return;
    } catch (error) {
      const lines = linesOf(error);
      if (lines.join() !== reported) printDone(...lines);
      reported = lines.join();
      if (!isTransient(error)) {
        printSteps(`${red("not applied; waiting for changes")}\n`);
        return;
      }
    }
    await sleep(retryEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof InvalidFiles) return problemLines(error.problems);
  if (error instanceof EngineError) return errorLine(error.message).split("\n");
  throw error;
}

/** Returns true if a retry may succeed without a change to the files. */
function isTransient(error: unknown): boolean {
  return error instanceof EngineError && (error.code === "connection error" || error.status >= 500);
}

// The local server of `engine dev`, started in this process if no server is reachable at the project's endpoint.

interface LocalServer {
  /** Path of the log file. */
  readonly log: string;
  close(): Promise<void>;
}

/** Returns true for any HTTP response. */
async function isReachable(endpoint: string): Promise<boolean> {
  try {
    await fetch(`${endpoint}/healthz`, { redirect: "manual", signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a server with the options set in the environment and `.env`; without a database URL, with an embedded
 * PostgreSQL whose data is in the project's `.data`.
 * @throws ConfigurationError if the endpoint is not local; EmbeddedPostgresError, EngineError
 */
async function startLocalServer(project: string, { endpoint, environment }: Settings): Promise<LocalServer> {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== "http:" || !["localhost", "127.0.0.1"].includes(hostname)) {
    const message = `no server is reachable at ${endpoint}, and \`engine dev\` starts one only for http://localhost`;
    throw new ConfigurationError([{ setting: "--endpoint", message }]);
  }
  const data = join(project, developmentDataDirectory);
  await mkdir(data, { recursive: true });
  const logFile = join(data, "server.log");
  const output = createWriteStream(logFile, { flags: "a" });
  const flags = { serverPort: port === "" ? "80" : port, dataDirectory: data };
  const host = { ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1" };
  const config = await loadConfig(project, undefined);
  const configured = configuredOptions(flags, { ...host, ...environment }, config);
  const { options } = configured;
  const write = (line: string) => void output.write(line);
  const log = createLog(options, config.log ? logSink(config.log) : { write });
  const server = await startServer({
    options,
    environment: configured.environment,
    log,
    version,
    sample: null,
    host: hostParts(config, log, options),
  });
  return {
    log: logFile,
    close: async () => {
      await server.close();
      await new Promise<void>((resolve) => output.end(resolve));
    },
  };
}
