/** `engine mcp`: serves the tools of a server, or of an artifact, to an assistant over standard input and output. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { request } from "undici";
import { adminSecretHeader, roleHeader } from "../../http/auth/headers.ts";
import { mcpPath } from "../../http/mcp/handler.ts";
import { bridge, type PostMessage } from "../../http/mcp/stdio/bridge.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { isArtifact } from "../diff/side.ts";
import { exitCodes } from "../exit-codes.ts";
import { withAgent } from "../project/client.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

export interface McpCommandOptions extends GlobalFlags {
  readonly role?: string;
}

/** Value of the header `Authorization`, which must not be visible among the arguments of the process. */
const authorizationVariable = "ENGINE_MCP_AUTHORIZATION";

/**
 * Resolves to the exit code after the end of standard input.
 * @throws EngineError for invalid flags, or if the path is not an artifact
 */
export async function mcpCommand(artifact: string | undefined, options: McpCommandOptions): Promise<number> {
  return artifact === undefined ? ofServer(options) : ofArtifact(artifact, options);
}

async function ofServer({ role, ...flags }: McpCommandOptions): Promise<number> {
  const settings = await readSettings(flags, process.env);
  const own = {
    ...credentials(settings),
    ...(role !== undefined && { [roleHeader]: role }),
    ...settings.headers,
  };
  const url = `${settings.endpoint}${mcpPath}`;
  tolerateClosedPipe();
  await withAgent(settings, { bodyTimeout: 0 }, (agent) => {
    const post: PostMessage = async (body, headers, signal) => {
      const sent = { method: "POST", body, headers: { ...own, ...headers }, signal, dispatcher: agent } as const;
      const response = await request(url, sent).catch((error: unknown) => {
        const reason = messageOf(error);
        throw new Error(`cannot reach ${settings.endpoint}: ${reason}`);
      });
      return { status: response.statusCode, type: String(response.headers["content-type"] ?? ""), body: response.body };
    };
    const write = (text: string): void => void process.stdout.write(text);
    return bridge({ input: process.stdin.setEncoding("utf8"), write, post });
  });
  return exitCodes.done;
}

function credentials({ adminSecret, environment }: Settings): Readonly<Record<string, string>> {
  const authorization = environment[authorizationVariable];
  if (authorization) return { authorization };
  return adminSecret === undefined ? {} : { [adminSecretHeader]: adminSecret.reveal() };
}

/** Runs the artifact's own program, which needs no engine beside it. */
async function ofArtifact(folder: string, { role, header = [] }: McpCommandOptions): Promise<number> {
  if (!(await isArtifact(folder))) {
    throw new EngineError("not-found", "$", `no artifact in ${folder}; \`engine build\` writes one`);
  }
  if (role === undefined) throw new EngineError("invalid-params", "$", "--role is required for an artifact");
  const given = ["--mcp", "--role", role, ...header.flatMap((each) => ["--header", each])];
  const child = spawn(process.execPath, [join(folder, "server.mjs"), ...given], { stdio: "inherit" });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const [code] = await once(child, "close");
  return typeof code === "number" ? code : exitCodes.failed;
}
