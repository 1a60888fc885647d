/**
 * Deploys a mounted project before the server serves, through a private server that stops afterwards. Clients never see
 * a partial deployment, and the databases may start after the container.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Options } from "../../config/option-table.ts";
import { Secret } from "../../config/secret.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logStartup, warnAtStartup } from "../../observe/logs/startup-log.ts";
import type { ServerSettings } from "../../server/live/open-services.ts";
import { startServer } from "../../server/live/start-server.ts";
import { EngineError } from "../../values/errors.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import { problemLines } from "../problem.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { type Output, printable } from "../project/output.ts";
import { deployProject } from "./deploy-project.ts";
import type { MountedProject } from "./mounted-project.ts";

/** Maximum wait for another instance that deploys the same project. */
const lockSeconds = 600;
const retryEveryMs = 1000;

/**
 * Resolves when the project is deployed.
 * @param log receives the progress; the log in `settings` receives the lines of the private server
 * @throws EngineError if files are invalid, SQL fails, or a database remains unreachable; ConfigurationError
 */
export async function deployMounted(
  project: MountedProject,
  settings: Omit<ServerSettings, "sample">,
  log: Log,
): Promise<void> {
  const since = performance.now();
  const adminSecret = new Secret(randomBytes(32).toString("base64url"));
  const options = privateOptions(settings.options, project, adminSecret);
  const server = await startServer({ ...settings, options, sample: null });
  try {
    const endpoint = `http://127.0.0.1:${server.port}`;
    const patience = project.timeoutSeconds * 1000;
    const client = { endpoint, adminSecret, headers: {}, verifyTls: true, certificateAuthority: undefined };
    const { environment } = settings;
    await withServer(client, (call) => deployWithRetries(call, project, { log, environment, since, patience }));
  } finally {
    await server.close();
  }
}

/** Returns options of a server that accepts only metadata changes of this process and delivers no events. */
function privateOptions(options: Options, { port, timeoutSeconds }: MountedProject, adminSecret: Secret): Options {
  return {
    ...options,
    serverHost: "127.0.0.1",
    serverPort: port,
    adminSecret,
    accessKey: null,
    adminSecrets: [],
    jwtSecret: null,
    jwtSecrets: [],
    authHook: null,
    unauthorizedRole: null,
    enabledApis: new Set(["metadata"]),
    enableConsole: false,
    enableReadOnlyMode: false,
    disableEventProcessing: true,
    // One attempt a second.
    retries: Math.max(options.retries, timeoutSeconds),
  };
}

interface Patience extends Pick<ServerSettings, "log" | "environment"> {
  /** Start, as a value of `performance.now`. */
  readonly since: number;
  /** Maximum wait for databases, in milliseconds. */
  readonly patience: number;
}

async function deployWithRetries(
  call: CallMetadata,
  project: MountedProject,
  { log, environment, since, patience }: Patience,
): Promise<void> {
  const output = outputInLog(log);
  const lock = { command: "engine start --deploy", waitSeconds: lockSeconds, remark: output.remark };
  for (let reported: string | undefined; ; await sleep(retryEveryMs)) {
    try {
      // The server itself retries an unreachable database only every few seconds.
      if (reported !== undefined) await call({ type: "reload_metadata", args: { reload_sources: true } });
      await withToolLock(call, lock, (ensureAlone) =>
        deployProject(call, project, { allowInconsistent: true, ensureAlone, output, environment }),
      );
      return;
    } catch (error) {
      if (error instanceof InvalidFiles) throw new EngineError("parse-failed", "$", error.message);
      if (!isTransient(error) || performance.now() - since > patience) throw error;
      if (error.message !== reported) warnAtStartup(log, "deployment", { message: `waiting: ${error.message}` });
      reported = error.message;
    }
  }
}

/** Returns true if a database is not reachable yet. No SQL has run in that case. */
function isTransient(error: unknown): error is EngineError {
  return error instanceof EngineError && error.status >= 500;
}

function outputInLog(log: Log): Output {
  const remark = (message: string): void => logStartup(log, "deployment", { message });
  return {
    remark,
    result: (text) => {
      for (const line of text.split("\n")) if (line !== "") remark(line);
    },
    done: (message) => warnAtStartup(log, "deployment", { message }),
    problems: (problems) => {
      for (const message of problemLines(problems).map(printable)) warnAtStartup(log, "deployment", { message });
    },
  };
}
