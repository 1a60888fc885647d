/** Compares the handler of `/mcp` with the official server: a call of a tool without a database, in processor time. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { modern, stubMcp } from "../support/mcp.ts";

const folder = join(import.meta.dirname, "peers/mcp-server");
const rounds = 7;
const callsPerRound = 500;

const input = { type: "object", properties: { title: { type: "string" } }, additionalProperties: false };
const data = JSON.stringify({ book: Array.from({ length: 10 }, (_, i) => ({ id: i, title: `Book ${i}` })) });
const call = modern("tools/call", { name: "find_books", arguments: { title: "Emma" } });

/** Prints the processor time of one call of each server. */
export async function mcpServers(): Promise<void> {
  if (!existsSync(join(folder, "node_modules"))) {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  }
  const own = stubMcp([{ name: "find_books", input, run: () => data }]);
  const theirs = await officialServer();
  const body = JSON.stringify(call.body);
  const ways = {
    own: async () => (await own.send(call)).status,
    official: async () => {
      const request = new Request("http://localhost/mcp", { method: "POST", body, headers: call.headers });
      const response = await theirs.fetch(request);
      await response.text();
      return response.status;
    },
  };
  const times = { own: [] as number[], official: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const way of ["own", "official"] as const) times[way].push(await timeOf(ways[way]));
  }
  const shown = (values: readonly number[]): string => `${Math.round(Math.min(...values))} µs`;
  console.log(
    `mcp: a call takes ${shown(times.own)} of processor time, by the official server ${shown(times.official)}`,
  );
}

/** Returns the processor time of one call in microseconds. */
async function timeOf(way: () => Promise<number>): Promise<number> {
  const begin = process.cpuUsage();
  for (let i = 0; i < callsPerRound; i++) {
    const status = await way();
    if (status !== 200) throw new Error(`status ${status}`);
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / callsPerRound;
}

interface OfficialHandler {
  fetch(request: Request): Promise<Response>;
}

/** Returns the official handler with the same tool. */
async function officialServer(): Promise<OfficialHandler> {
  const entry = join(folder, "node_modules/@modelcontextprotocol/server/dist/index.mjs");
  const { createMcpHandler, McpServer, fromJsonSchema } = await import(pathToFileURL(entry).href);
  const schema = fromJsonSchema(input);
  return createMcpHandler(() => {
    const server = new McpServer({ name: "official", version: "1" }, { capabilities: { tools: {} } });
    server.registerTool("find_books", { description: "Finds books", inputSchema: schema }, () => ({
      content: [{ type: "text", text: data }],
      structuredContent: JSON.parse(data),
    }));
    return server;
  });
}
