/** The programs of `docs/how-to/mounting.md`: with the package, and with an artifact in its place. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createClient } from "graphql-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const run = promisify(execFile);
const library = join(root, "fixtures/library");
const peers = join(root, "test/peers/node_modules");
/** False in CI, where `.ci/run` installs the packages. */
const isLeftOut = !existsSync(peers) && process.env.CI === undefined;
const hint = isLeftOut ? " (left out: run npm ci --prefix test/peers)" : "";

let metadata: TestServer;
let folder: string;
let page: string;
let environment: NodeJS.ProcessEnv;
const children: ChildProcess[] = [];

beforeAll(async () => {
  await ensureBuilt();
  page = await readFile(join(root, "docs/how-to/mounting.md"), "utf8");
  folder = await mkdtemp(join(tmpdir(), "mounting-"));
  await mkdir(join(folder, "node_modules"));
  for (const name of isLeftOut ? [] : ["express", "hono", "@hono"]) {
    await symlink(join(peers, name), join(folder, "node_modules", name));
  }
  for (const name of ["fastify", "graphql"]) {
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  await symlink(root, join(folder, "node_modules/engine"));
  metadata = await startTestServer({ sealed: false });
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/seed.sql"), "utf8"));
  await metadata.metadata("replace_metadata", (await readMetadataDirectory(join(library, "metadata"))).metadata);
  const { ENGINE_GRAPHQL_ADMIN_SECRET: _, ...inherited } = process.env;
  environment = {
    ...inherited,
    PORT: "0",
    ENGINE_GRAPHQL_DATABASE_URL: metadata.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    ENGINE_GRAPHQL_LOG_LEVEL: "error",
  };
  const build = ["build", "--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
  await run(process.execPath, [join(root, ".build/engine.mjs"), ...build, "--out", join(folder, "artifact")], {
    env: environment,
  });
}, 120_000);

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

afterAll(async () => {
  await metadata?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program of the page as a file, and returns its output. */
async function program(name: string, isSealed: boolean): Promise<readonly [file: string, output: string]> {
  const [, after] = page.split(`<!-- example: ${name} -->`);
  const [, code, output = ""] = /^\n```js\n(.*?)```\n(?:\n```text\n(.*?)```)?/s.exec(after ?? "") ?? [];
  if (code === undefined) throw new Error(`the page has no ${name}`);
  const file = join(folder, `${isSealed ? "sealed" : "live"}-${name}`);
  const sealed = code
    .replace('"engine/handler"', '"./artifact/handler.mjs"')
    .replace('from "engine"', 'from "./artifact/engine.mjs"');
  await writeFile(file, isSealed ? sealed : code);
  return [file, output];
}

async function start(file: string): Promise<readonly [child: ChildProcess, url: string]> {
  const child = spawn(process.execPath, [file], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  if (!child.stdout) throw new Error("the output is piped");
  const gone = once(child, "exit").then(([code]) => Promise.reject(new Error(`the program ended with ${code}`)));
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), gone]);
  gone.catch(() => undefined);
  return [child, String(line)];
}

const headers = { "content-type": "application/json", "x-engine-admin-secret": "secret" };
const query = "{ author(limit: 1, order_by: {id: asc}) { name } }";
const data = { author: [{ name: "Mary Shelley" }] };

const kinds = [
  { kind: "the engine with its metadata", isSealed: false },
  { kind: "an artifact", isSealed: true },
];
const servers = [
  { file: "node.mjs", sockets: true, needsPeers: false },
  { file: "fastify.mjs", sockets: true, needsPeers: false },
  { file: "express.mjs", sockets: false, needsPeers: true },
  { file: "hono.mjs", sockets: false, needsPeers: true },
];

describe.each(kinds)("The mounting examples with $kind", ({ isSealed }) => {
  for (const { file, sockets, needsPeers } of servers) {
    it.skipIf(needsPeers && isLeftOut)(`The example ${file} works${needsPeers ? hint : ""}`, async () => {
      const [path] = await program(file, isSealed);
      const [, url] = await start(path);
      const ask = async (more: Readonly<Record<string, string>>) => {
        const body = JSON.stringify({ query });
        const response = await fetch(`${url}/v1/graphql`, { method: "POST", headers: { ...headers, ...more }, body });
        return response.json();
      };
      expect(await ask({})).toEqual({ data });
      expect(await ask({ "x-engine-admin-secret": "guess" })).toMatchObject({
        errors: [{ extensions: { code: "access-denied" } }],
      });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/nowhere`)).status).toBe(404);
      expect(await (await fetch(new URL("/hello", url))).text()).toBe("hello\n");
      if (!sockets) return;
      const client = createClient({
        url: `${url.replace(/^http/, "ws")}/v1/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { headers },
      });
      const results = client.iterate({ query: `subscription ${query}` });
      expect((await results.next()).value).toEqual({ data });
      await client.dispose();
    });
  }

  it("The example node.mjs stops on SIGTERM", async () => {
    const [path] = await program("node.mjs", isSealed);
    const [child] = await start(path);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("The example function.mjs prints the shown output", async () => {
    const [path, output] = await program("function.mjs", isSealed);
    const { stdout } = await run(process.execPath, [path], { env: environment });
    expect(stdout).toBe(output);
  });
});
