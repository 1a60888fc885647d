/** `engine console`: serves the console for a project's server, and writes its changes into the project. */
import * as z from "zod";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { type ConsoleServer, type ConsoleServerInput, startConsoleServer } from "../console/console-server.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { withServer } from "../project/client.ts";
import { printSteps } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { SharedScratchServer } from "../scratch/shared-scratch-server.ts";

export interface ConsoleOptions extends GlobalFlags {
  readonly consolePort: string;
  /** If false, the address is printed and no browser opens. */
  readonly browser?: boolean;
}

/**
 * Runs until a signal, and resolves to the exit code.
 * @throws ConfigurationError, EngineError if the project cannot be read, or its server is unreachable
 */
export async function consoleCommand(options: ConsoleOptions): Promise<number> {
  const port = readPort(options.consolePort);
  const settings = await readSettings(options, process.env);
  await withServer(settings, async (call) => {
    const scratch = new SharedScratchServer();
    const print = (line: string) => printSteps(`${line}\n`);
    const opened = await openConsole({ settings, call, port, scratch: scratch.use, print });
    try {
      printSteps(`console for ${settings.endpoint}; changes are written to ${settings.metadataPath}:\n`);
      printSteps(`${opened.url}\n`);
      if (options.browser !== false && process.stdout.isTTY) await showInBrowser(opened.url);
      await stopSignal();
    } finally {
      await opened.close();
      await scratch.close();
    }
  });
  return 0;
}

/** @throws ConfigurationError */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  const message = `expected a port, but found ${JSON.stringify(text)}`;
  throw new ConfigurationError([{ setting: "--console-port", message }]);
}

/** Ignores failures: the address has been printed. */
async function showInBrowser(url: string): Promise<void> {
  const { default: open } = await import("open");
  const shown = await open(url).catch(() => undefined);
  shown?.on("error", () => undefined);
}

const versionResponse = z.object({ version: z.string() });

/**
 * Starts the console, and prints a line if the project's files differ from the server's metadata.
 * @throws EngineError if the server is unreachable or refuses the admin secret; ConfigurationError
 */
export async function openConsole(input: Omit<ConsoleServerInput, "serverVersion">): Promise<ConsoleServer> {
  const { settings, call, print } = input;
  // Fails early for a wrong address or secret.
  await call({ type: "get_catalog_state", args: {} });
  const opened = await startConsoleServer({ ...input, serverVersion: await versionOf(settings) });
  try {
    if (!(await opened.followed.isSame(call))) print(differs(settings.metadataPath));
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof InvalidFiles)) throw error;
    print(`cannot read ${settings.metadataPath}; changes are not written to it: ${error.message}`);
  }
  return opened;
}

const differs = (path: string): string =>
  `${path} differs from the server's metadata; changes are not written to it until both are equal: see \`engine metadata diff\``;

/** Returns the version that `/v1/version` reports, without its `v`, or `?`. */
async function versionOf({ endpoint, headers }: Settings): Promise<string> {
  try {
    const response = await fetch(`${endpoint}/v1/version`, { headers, signal: AbortSignal.timeout(10_000) });
    return versionResponse.parse(await response.json()).version.replace(/^v/, "");
  } catch {
    return "?";
  }
}
