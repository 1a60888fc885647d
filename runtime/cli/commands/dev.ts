/** `engine dev`: a server that follows the project's files as they are saved. Goes on until a signal. */
import { setTimeout as sleep } from "node:timers/promises";
import { stopSignal } from "../../serving/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { changesOf } from "../dev/changes.ts";
import { DevSession } from "../dev/dev-session.ts";
import { isAnswering, startLocalServer } from "../dev/local-server.ts";
import { InvalidFiles } from "../metadata/metadata-files.ts";
import { withServer } from "../project/client.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

const retryEveryMs = 1000;

/**
 * Resolves to the exit code when a signal ends it.
 * @throws ConfigurationError, EngineError, EmbeddedPostgresError when the project cannot be read, or there is no server
 */
export async function devCommand(options: GlobalFlags): Promise<number> {
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
    const session = new DevSession(settings);
    for await (const _ of changesOf([settings.metadataPath, settings.migrationsPath], ending.signal)) {
      await applyUntilDone(session, settings, ending.signal);
    }
  } finally {
    await local?.close();
  }
  return 0;
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
