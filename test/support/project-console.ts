/** The console of a project whose server has an admin secret, as `engine console` opens it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConsole } from "../../runtime/cli/commands/console.ts";
import { withServer } from "../../runtime/cli/project/client.ts";
import { type GlobalFlags, readSettings } from "../../runtime/cli/project/settings.ts";
import { SharedScratchServer } from "../../runtime/cli/scratch/shared-scratch-server.ts";
import { runCommand } from "./command-line.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { ensureBuilt } from "./shared-checks.ts";

export interface ProjectConsole {
  readonly server: TestServer;
  readonly adminSecret: string;
  /** The folder of the project. */
  readonly folder: string;
  /** The printed URL, which contains the key. */
  readonly address: string;
  readonly origin: string;
  readonly key: string;
  /** Output of the command, one entry per line. */
  readonly output: readonly string[];
  /** Sends a request as the page does; returns the status and the JSON of the response. */
  ask(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<readonly [number, unknown]>;
  close(): Promise<void>;
}

const adminSecret = "the secret";

/** @param header further headers of each request, as of the flag `--header` */
export async function openProjectConsole({ header = [] }: Pick<GlobalFlags, "header"> = {}): Promise<ProjectConsole> {
  await ensureBuilt();
  const server = await startTestServer({ sealed: false, environment: { ENGINE_GRAPHQL_ADMIN_SECRET: adminSecret } });
  const parent = await mkdtemp(join(tmpdir(), "engine-console-"));
  const folder = join(parent, "my shop ü");
  await runCommand("init", folder, "--template", "empty", "--endpoint", server.url, "--admin-secret", adminSecret);
  const settings = await readSettings({ project: folder, header }, {});
  const output: string[] = [];
  const scratch = new SharedScratchServer();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let closed = Promise.resolve();
  const opened = await new Promise<Awaited<ReturnType<typeof openConsole>>>((resolve, reject) => {
    closed = withServer(settings, async (call) => {
      const print = (line: string) => void output.push(line);
      const found = await openConsole({ settings, call, port: 0, scratch: scratch.use, print });
      resolve(found);
      await ended;
      await found.close();
    });
    closed.catch(reject);
  });
  const { origin, hash } = new URL(opened.url);
  const key = new URLSearchParams(hash.slice(1)).get("key") ?? "";
  return {
    server,
    adminSecret,
    folder,
    address: opened.url,
    origin,
    key,
    output,
    async ask(path, body, headers = {}) {
      const own = { "x-engine-admin-secret": adminSecret, "x-engine-console-key": key, origin };
      const response = await fetch(`${origin}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...own, ...headers },
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    },
    async close() {
      end();
      await closed;
      await scratch.close();
      await server.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
