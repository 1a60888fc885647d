/** `engine dev`: a server that follows the project's files as they are saved. Goes on until a signal. */
import { setTimeout as sleep } from "node:timers/promises";
import { failureMessage } from "../../server/parts/failure.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { type ConsoleServer, startConsoleServer } from "../console/console-server.ts";
import { changesOf } from "../dev/changes.ts";
import { DevSession } from "../dev/dev-session.ts";
import { isAnswering, startLocalServer } from "../dev/local-server.ts";
import { InvalidFiles } from "../metadata/metadata-files.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { version } from "../version.ts";
import { readPort } from "./console.ts";

const retryEveryMs = 1000;

export interface DevOptions extends GlobalFlags {
  /** `false`: without a console. */
  readonly console?: boolean;
  readonly consolePort: string;
}

/**
 * Resolves to the exit code when a signal ends it.
 * @throws ConfigurationError, EngineError, EmbeddedPostgresError when the project cannot be read, or there is no server
 */
export async function devCommand(options: DevOptions): Promise<number> {
  const port = readPort(options.consolePort);
  const settings = await readSettings(options, process.env);
  const ending = new AbortController();
  void stopSignal().then(() => ending.abort());
  const local = (await isAnswering(settings.endpoint))
    ? undefined
    : await startLocalServer(options.project ?? ".", settings);
  try {
    const where =
      local === undefined ? "the server that answers there" : `a server of its own, with its log in ${local.log}`;
    printResult(`follows ${settings.metadataPath} and ${settings.migrationsPath}\n`);
    printResult(`serves on ${settings.endpoint}: ${where}\n`);
    await withServer(settings, async (call) => {
      const opened = options.console === false ? undefined : await openBeside(settings, call, port);
      try {
        await follow(settings, ending.signal);
      } finally {
        await opened?.close();
      }
    });
  } finally {
    await local?.close();
  }
  return 0;
}

async function follow(settings: Settings, signal: AbortSignal): Promise<void> {
  const session = new DevSession(settings);
  for await (const _ of changesOf([settings.metadataPath, settings.migrationsPath], signal)) {
    await applyUntilDone(session, settings, signal);
  }
}

/** Files are followed without a console, too. */
async function openBeside(settings: Settings, call: CallMetadata, port: number): Promise<ConsoleServer | undefined> {
  const tell = (line: string) => printResult(`${line}\n`);
  try {
    const opened = await startConsoleServer({ settings, call, port, serverVersion: version, tell });
    printResult(`console on ${opened.url}\n`);
    return opened;
  } catch (error) {
    printProblems([`no console: ${failureMessage(error)}`]);
    return undefined;
  }
}

/** A mistake is told, and the next change is waited for; a server or a database that is away is asked again. */
async function applyUntilDone(session: DevSession, settings: Settings, signal: AbortSignal): Promise<void> {
  let told: string | undefined;
  while (!signal.aborted) {
    try {
      const lines = await withServer(settings, (call) => session.apply(call));
      printResult(`${lines.length === 0 ? "nothing changes for any role" : lines.join("\n")}\n`);
      printResult("applied: waiting for the next change\n");
      return;
    } catch (error) {
      const problems = problemsOf(error);
      if (problems.join() !== told) printProblems(problems);
      told = problems.join();
      if (!isAway(error)) {
        printResult("not applied: waiting for the next change\n");
        return;
      }
    }
    await sleep(retryEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof InvalidFiles) return error.problems;
  if (error instanceof EngineError) return `${error.code}: ${error.message}`.split("\n");
  throw error;
}

/** The next attempt may succeed without a change. */
function isAway(error: unknown): boolean {
  return error instanceof EngineError && (error.code === "connection error" || error.status >= 500);
}
