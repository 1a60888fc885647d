/**
 * `npm run bench -- --only mcp` compares calls of a tool at `/mcp` with requests to a REST endpoint of the same saved
 * operation, on one engine in five alternating pairs. The ratio divides the requests per second of processor time of
 * the tool by those of the endpoint. Target: at least 0.87, so that a call costs at most 1.15 of a request.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { createItems } from "./items.ts";
import { type Engine, startEngine } from "./live/processes.ts";
import { compare, createDatabase } from "./pairs.ts";

const target = 0.87;
const role = "reader";

interface Case {
  readonly name: string;
  readonly query: string;
  /** Variables as JSON in a Lua expression; `i` is a different number each time. */
  readonly variables: string;
}

const cases: readonly Case[] = [
  {
    name: "item",
    query: "query Item($id: Int!) { item_by_pk(id: $id) { id name } }",
    variables: `'{"id":'..(i%1000+1)..'}'`,
  },
  {
    name: "items",
    query:
      "query Items($least: Int!) { item(where: {id: {_gte: $least}}, limit: 20, order_by: {id: asc}) { id name } }",
    variables: `'{"least":'..(i%900+1)..'}'`,
  },
];

export async function toolCost(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-mcp-"));
  const databaseUrl = await createItems(url, "bench_mcp");
  const port = await freePort();
  const engine = await startEngine(databaseUrl, await createDatabase(url, "bench_mcp_metadata"), port, {
    ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
    ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
  });
  try {
    await track(engine);
    console.log("µs of processor time             tool, endpoint   ratio (each pair)");
    for (const each of cases) {
      const [tool, endpoint] = [join(folder, "tool.lua"), join(folder, "endpoint.lua")];
      await writeFile(tool, toolScript(each));
      await writeFile(endpoint, endpointScript(each));
      const server = { pid: engine.pid, port };
      const ratio = await compare([{ ...server, script: tool }, server], endpoint);
      const figures = `${ratio.own.toFixed(0)}, ${ratio.other.toFixed(0)}`.padEnd(16);
      const pairs = ratio.ratios.map((value) => value.toFixed(2)).join(", ");
      console.log(each.name.padEnd(32), figures, `${ratio.ratio.toFixed(2)} (${pairs}), target ${target}`);
    }
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

async function track(engine: Engine): Promise<void> {
  const post = (type: string, args: unknown) => engine.post("/v1/metadata", { type, args });
  await post("pg_track_table", { table: "item" });
  await post("pg_create_select_permission", { table: "item", role, permission: { columns: "*", filter: {} } });
  const queries = cases.map(({ name, query }) => ({ name, query }));
  await post("create_query_collection", { name: "bench", definition: { queries } });
  for (const { name } of cases) {
    const definition = { query: { collection_name: "bench", query_name: name } };
    await post("create_rest_endpoint", { name, url: name, methods: ["POST"], definition });
    await post("create_agent_tool", { name, definition });
  }
}

const meta = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
});

function toolScript({ name, variables }: Case): string {
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const start = `'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":${meta},"name":"${name}","arguments":'`;
  return scriptOf("/mcp", headers, `${start}..${variables}..'}}'`);
}

const endpointScript = ({ name, variables }: Case): string => scriptOf(`/api/rest/${name}`, {}, variables);

/** Returns a script for wrk. @param body a Lua expression */
function scriptOf(path: string, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { "content-type": "application/json", "x-engine-role": role, ...headers };
  return [
    'wrk.method="POST"',
    ...Object.entries(all).map(([name, value]) => `wrk.headers["${name}"]="${value}"`),
    "local i=os.time()%10000*100000",
    `request=function() i=i+1; return wrk.format(nil,"${path}",nil,${body}) end`,
    'done=function(s) io.write(string.format("requests %d\\n", s.requests)) end',
  ].join("\n");
}
