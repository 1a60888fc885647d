/** `engine mcp` and `node server.mjs --mcp`, with the official client over standard input and output. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Caller } from "../../../runtime/values/caller.ts";
import { type FakeTools, fakeTools } from "../../support/agent-tools.ts";
import { engine } from "../../support/artifact.ts";
import { createDatabase, query } from "../../support/database.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { type StubApp, startStubApp } from "../../support/stub-app.ts";

beforeAll(ensureBuilt, 120_000);

const program = join(root, ".build/engine.mjs");
const info = { name: "test", version: "1" };

async function connected(args: readonly string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const environment = { PATH: process.env.PATH ?? "", ...env };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env: environment }));
  return client;
}

describe("The tools of a server", () => {
  let app: StubApp;
  let tools: FakeTools;
  let aborted = false;
  let folder: string;

  beforeAll(async () => {
    tools = fakeTools([
      { name: "find", run: (_values, _caller, { role }) => JSON.stringify({ role }) },
      {
        name: "slow",
        async run(_values, caller: Caller | undefined) {
          await vi.waitUntil(() => caller?.aborted, { timeout: 10_000 });
          aborted = true;
          return "{}";
        },
      },
    ]);
    app = await startStubApp(
      { ENGINE_GRAPHQL_ENABLED_APIS: "mcp", ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true" },
      { agentTools: tools },
    );
    folder = await mkdtemp(join(tmpdir(), "mcp-"));
  });
  afterAll(async () => {
    await app.app.close();
    await rm(folder, { recursive: true });
  });

  const command = (): string[] => [program, "mcp", "--project", folder, "--endpoint", app.url, "--role", "member"];

  it("The client lists and calls tools, cancels a call, and receives changes", async () => {
    const client = await connected(command());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["describe", "find", "slow"]);
    expect((await client.callTool({ name: "find" })).structuredContent).toEqual({ role: "member" });
    await expect(client.callTool({ name: "slow" }, { timeout: 300 })).rejects.toThrow();
    await vi.waitUntil(() => aborted);
    let changes = 0;
    client.setNotificationHandler("notifications/tools/list_changed", async () => void changes++);
    await client.listen({ toolsListChanged: true });
    tools.replace([{ name: "find" }]);
    await vi.waitUntil(() => changes === 1, { timeout: 5000 });
    await client.close();
  });

  it("Standard output has only messages, and the process ends with its input", async () => {
    const child = spawn(process.execPath, command(), { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(`not json\n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    const lines = (await text(child.stdout)).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line)).sort((a, b) => (a.id ?? 0) - (b.id ?? 0))).toMatchObject([
      { error: { code: -32700 } },
      { id: 1, result: {} },
    ]);
  });

  it("An unreachable server is an error of each request", async () => {
    const args = [program, "mcp", "--project", folder, "--endpoint", "http://127.0.0.1:9"];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    expect(JSON.parse(await text(child.stdout)).error.message).toContain("cannot reach http://127.0.0.1:9");
  });
});

describe("The tools of an artifact", () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-"));
    database = await createDatabase("mcp_artifact");
    await query(database.url, "create table note (id integer primary key)");
    const metadata = {
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          configuration: { connection_info: { database_url: { from_env: "NOTES_URL" } } },
          tables: [
            {
              table: { schema: "public", name: "note" },
              select_permissions: [{ role: "user", permission: { columns: "*", filter: {} } }],
            },
          ],
        },
      ],
    };
    await writeFile(join(folder, "metadata.json"), JSON.stringify(metadata));
    for (const [out, flags] of [
      ["open", []],
      ["closed", ["--closed"]],
    ] as const) {
      const args = ["build", "--metadata", "metadata.json", "--out", out, ...flags];
      await engine(["shape", "--database", database.url, "--out", "shape.json"], folder);
      const built = await engine(args, folder);
      expect(built.stderr, built.stderr).not.toContain("error");
    }
  }, 120_000);
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  // The admin secret and other credentials of the environment do not apply to the process of one assistant.
  const environment = (): Record<string, string> => ({
    NOTES_URL: database.url,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    ENGINE_GRAPHQL_LOG_LEVEL: "error",
  });

  it("An artifact serves its tools without the engine's package, a port or credentials", async () => {
    const client = await connected([join(folder, "open/server.mjs"), "--mcp", "--role", "user"], environment());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["describe"]);
    const { contents } = await client.readResource({ uri: "engine:///schema.graphql" });
    expect(JSON.stringify(contents)).toContain("type note");
    await client.close();
  });

  it("engine mcp runs a closed artifact, which has neither built-in tools nor resources", async () => {
    const client = await connected([program, "mcp", join(folder, "closed"), "--role", "user"], environment());
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.readResource({ uri: "engine:///schema.graphql" })).rejects.toThrow();
    await client.close();
  });

  it.each([
    [["mcp", "closed"], "--role is required for an artifact"],
    [["mcp", "nowhere", "--role", "user"], "no artifact in nowhere"],
  ])("engine %j is refused", async (args, message) => {
    const { code, stdout, stderr } = await engine(args, folder);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
  });
});
