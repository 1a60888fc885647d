/** `engine console`: the console for a project's server, which writes what it changes into the project. */

import { ConfigurationError } from "../../config/configuration-error.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { openConsole } from "../console/open-console.ts";
import { withServer } from "../project/client.ts";
import { printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface ConsoleOptions extends GlobalFlags {
  /** Of the console on this machine. */
  readonly consolePort: string;
  /** `false`: the address is printed, and nothing opened. */
  readonly browser?: boolean;
}

/**
 * Resolves to the exit code when a signal ends it.
 * @throws ConfigurationError, EngineError when the project cannot be read, or its server does not answer
 */
export async function consoleCommand(options: ConsoleOptions): Promise<number> {
  const port = readPort(options.consolePort);
  const settings = await readSettings(options, process.env);
  await withServer(settings, async (call) => {
    const opened = await openConsole({ settings, call, port, tell: (line) => printResult(`${line}\n`) });
    try {
      printResult(`the console of ${settings.endpoint}, with what it changes in ${settings.metadataPath}:\n`);
      printResult(`${opened.url}\n`);
      if (options.browser !== false && process.stdout.isTTY) await showInBrowser(opened.url);
      await stopSignal();
    } finally {
      await opened.close();
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

/** The address was printed, for those who have no browser here. */
async function showInBrowser(url: string): Promise<void> {
  const { default: open } = await import("open");
  const shown = await open(url).catch(() => undefined);
  shown?.on("error", () => undefined);
}
