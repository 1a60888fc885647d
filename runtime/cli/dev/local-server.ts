/** The server of `engine dev` where none answers at the project's endpoint: this process, for this machine only. */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { createLog } from "../../observe/logs/log.ts";
import { logSink } from "../../observe/logs/log-sink.ts";
import { configuredOptions, hostParts } from "../../server/config-module/host-config.ts";
import { startServer } from "../../server/live/start-server.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Settings } from "../project/settings.ts";
import { version } from "../version.ts";

export interface LocalServer {
  /** Where its log goes. */
  readonly log: string;
  close(): Promise<void>;
}

/** Whether anybody answers, of whatever kind. */
export async function isAnswering(endpoint: string): Promise<boolean> {
  try {
    await fetch(`${endpoint}/healthz`, { redirect: "manual", signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * With the options of `engine start` that the environment and `.env` have; without a database URL on an embedded
 * PostgreSQL, whose data is in `.data` of the project.
 * @throws ConfigurationError when the endpoint is on another machine; EmbeddedPostgresError, EngineError
 */
export async function startLocalServer(project: string, { endpoint, environment }: Settings): Promise<LocalServer> {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== "http:" || !["localhost", "127.0.0.1"].includes(hostname)) {
    const message = `no server answers at ${endpoint}, and one is started for http://localhost only`;
    throw new ConfigurationError([{ setting: "--endpoint", message }]);
  }
  const data = join(project, ".data");
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
