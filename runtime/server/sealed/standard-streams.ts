/**
 * `node server.mjs --mcp`: serves the tools of an artifact to an assistant on this machine, over standard input and
 * output. Nothing listens on a port. The user who starts the process can read its environment anyway, so it requires no
 * credentials.
 */
import type { Options } from "../../config/option-table.ts";
import { roleHeader } from "../../http/auth/headers.ts";
import { mcpPath } from "../../http/mcp/handler.ts";
import { bridge, type PostMessage } from "../../http/mcp/stdio/bridge.ts";
import type { Mounted } from "../../http/mounted.ts";
import { Started } from "../parts/start.ts";
import { createSealedApp } from "./app.ts";
import type { Artifact } from "./artifact.ts";
import { type ArtifactServerSettings, openArtifact } from "./open-artifact.ts";
import { servedServices } from "./serve-artifact.ts";

export interface StandardStreamsSettings extends ArtifactServerSettings {
  readonly role: string;
  /** Further headers of all requests, such as session variables. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the options of a process for one assistant: no credentials, no port, and no deliveries. */
export function standardStreamsOptions(options: Options): Options {
  return {
    ...options,
    enabledApis: new Set(["mcp"] as const),
    serverHost: "localhost",
    adminSecret: null,
    accessKey: null,
    adminSecrets: [],
    authHook: null,
    jwtSecret: null,
    jwtSecrets: [],
    unauthorizedRole: null,
    mcpResource: null,
    mcpAdminSecret: true,
    disableEventing: true,
  };
}

/**
 * Resolves after the end of the input.
 * @throws ConfigurationError, EngineError
 */
export async function serveStandardStreams(artifact: Artifact, settings: StandardStreamsSettings): Promise<void> {
  const { options, log, role, headers } = settings;
  const started = new Started();
  try {
    const opened = await openArtifact(started, artifact, settings);
    const { services } = servedServices(artifact, opened, log);
    const { version, closed: isClosed } = artifact.settings;
    const app = createSealedApp(services, { ...options, version, isClosed }, log);
    const post = postTo(await app.mount(), { ...headers, [roleHeader]: role });
    const write = (text: string): void => void process.stdout.write(text);
    await bridge({ input: process.stdin.setEncoding("utf8"), write, post });
    await app.close();
    // Standard output may still be writing.
    await new Promise((resolve) => process.stdout.write("", resolve));
  } finally {
    await started.close();
  }
}

function postTo(mounted: Mounted, own: Readonly<Record<string, string>>): PostMessage {
  const url = `http://localhost${mcpPath}`;
  return async (body, headers, signal) => {
    // In bundles, another declaration may shadow the bare name.
    const request = new globalThis.Request(url, { method: "POST", body, headers: { ...own, ...headers }, signal });
    const response = await mounted.fetch(request, "127.0.0.1");
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      body: response.body ?? nothing,
    };
  };
}

const nothing: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
};
