/** Checks of `engine start` before it changes anything. Errors contain the setting that the user wrote. */
import { createServer, type Server } from "node:net";
import { codeName } from "../../config/code-options.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type OptionName, type Options, optionTable } from "../../config/option-table.ts";
import { type Environment, type Flags, settingOf } from "../../config/options.ts";
import { dataFolderProblem } from "../../databases/embedded-postgres/check-folder.ts";
import { checkMetadataDatabase } from "../../databases/metadata/open.ts";
import { type ListenSettings, listenAt, listenOn } from "../../http/connections.ts";
import type { HostConfig } from "../../server/config-module/host-config.ts";
import { EngineError } from "../../values/errors.ts";

export interface CheckedStart {
  readonly options: Options;
  /** Sources of the options, in the order of their precedence. */
  readonly given: Given;
}

interface Given {
  readonly flags: Flags;
  /** Environment of the process, without the options of the configuration. */
  readonly environment: Environment;
  readonly config: Pick<HostConfig, "variables" | "placeOf">;
}

/**
 * Checks the port, then the data folder and its disk, or the metadata database.
 * @throws ConfigurationError for the first problem
 */
export async function checkStart({ options, given }: CheckedStart): Promise<void> {
  await checkPort(options, given);
  const { databaseUrl, metadataDatabaseUrl } = options;
  const url = metadataDatabaseUrl ?? databaseUrl;
  if (url === null) return checkDataFolder(options, given);
  try {
    await checkMetadataDatabase(url.reveal(), options);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw problem(
      writtenAs(metadataDatabaseUrl === null ? "databaseUrl" : "metadataDatabaseUrl", given),
      error.message,
    );
  }
}

async function checkDataFolder({ dataDirectory }: Options, given: Given): Promise<void> {
  const found = await dataFolderProblem(dataDirectory);
  if (found === undefined) return;
  const written = writtenAs("dataDirectory", given);
  throw problem(written, `${found}, or choose another folder with ${written.assign("FOLDER")}`);
}

async function checkPort(options: Options, given: Given): Promise<void> {
  const { serverPort: port, serverHost: host } = options;
  try {
    await tryListening(options);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const written = writtenAs("serverPort", given);
    if (code === "EADDRINUSE") {
      const message = `port ${port} is in use by another program; stop it (\`lsof -i :${port}\` shows it)`;
      const other = (await nextFreePort(options)) ?? "PORT";
      throw problem(written, `${message}, or choose another port: ${written.assign(other)}`);
    }
    if (code === "EACCES") {
      const message = `port ${port} requires rights of the superuser; choose a port above 1023`;
      throw problem(
        written,
        `${message}: ${written.assign((await nextFreePort({ ...options, serverPort: 8079 })) ?? 8080)}`,
      );
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      const message = `this machine has no address ${host}; use localhost, or * for all addresses`;
      throw problem(writtenAs("serverHost", given), message);
    }
    throw error;
  }
}

async function tryListening(settings: ListenSettings): Promise<void> {
  const server = createServer();
  const second = await listenOn(settings, {
    server,
    listen: (address) => listenAt(server, address),
    second: () => createServer(),
  });
  await Promise.all([closed(server), second && closed(second as Server)]);
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Number of ports that are tried for a suggestion. */
const triedPorts = 20;

async function nextFreePort(settings: ListenSettings): Promise<number | undefined> {
  for (let port = settings.serverPort + 1; port <= Math.min(settings.serverPort + triedPorts, 65_535); port++) {
    try {
      await tryListening({ ...settings, serverPort: port });
      return port;
    } catch {
      // The next port may be free.
    }
  }
  return undefined;
}

/** An option in the form in which the user wrote it. */
interface Written {
  /** `null` for a default. */
  readonly setting: string | null;
  readonly place?: string;
  /** Returns the text that sets another value. */
  assign(value: string | number): string;
}

function writtenAs(name: OptionName, { flags, environment, config }: Given): Written {
  const { flag, variable } = optionTable[name];
  const setting = settingOf(name, flags, environment) ?? null;
  if (setting === null && config.variables.has(variable)) {
    const inCode = codeName(variable);
    return { setting: inCode, place: config.placeOf(inCode), assign: (value) => `${inCode}: ${JSON.stringify(value)}` };
  }
  return {
    setting,
    assign: (value) => (setting === variable || flag === null ? `${variable}=${value}` : `${flag} ${value}`),
  };
}

function problem({ setting, place }: Written, message: string): ConfigurationError {
  return new ConfigurationError([{ setting, message, ...(place !== undefined && { place }) }]);
}
