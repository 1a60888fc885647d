/** Starts the console for a project whose server answers, and tells what stands in its way. */
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import { InvalidFiles } from "../metadata/metadata-files.ts";
import { type ConsoleServer, type ConsoleServerInput, startConsoleServer } from "./console-server.ts";

const versionAnswer = z.object({ version: z.string() });

/** @throws EngineError when the server does not answer, or not to an administrator; ConfigurationError */
export async function openConsole(input: Omit<ConsoleServerInput, "serverVersion">): Promise<ConsoleServer> {
  const { settings, call, tell } = input;
  // Tells what is wrong with the address or the secret.
  await call({ type: "get_catalog_state", args: {} });
  const opened = await startConsoleServer({ ...input, serverVersion: await versionOf(settings.endpoint) });
  try {
    if (!(await opened.followed.isSame(call))) tell(differs(settings.metadataPath));
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof InvalidFiles)) throw error;
    tell(`${settings.metadataPath} cannot be read, and is left as it is: ${error.message}`);
  }
  return opened;
}

const differs = (path: string): string =>
  `${path} is not what the server has, and is left as it is until it is: see \`engine metadata diff\``;

/** What `/v1/version` says; a server that does not say has none. */
async function versionOf(endpoint: string): Promise<string> {
  try {
    const answer = await fetch(`${endpoint}/v1/version`, { signal: AbortSignal.timeout(10_000) });
    return versionAnswer.parse(await answer.json()).version;
  } catch {
    return "?";
  }
}
