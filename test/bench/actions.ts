/**
 * `npm run bench:actions -- [--pg-url URL] [--profile FILE.cpuprofile]` compares the processor time of a synchronous
 * action with that of a handwritten server (`actions/peer.ts`) with the same handler, in alternating pairs. The ratio
 * is requests per second of processor time, engine to peer.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { type Engine, startEngine } from "./live/processes.ts";
import { askText, compare, createDatabase, loadScript, profile, type Server, startProgram } from "./pairs.ts";

const enginePort = 8897;

const query = "query ($count: Int!) { orders(count: $count) { id state total note to { city street } } }";
const cases = [
  { name: "one object", count: 1 },
  { name: "100 objects", count: 100 },
];

const typed = (name: string, type: string) => ({ name, type });

const metadata = {
  type: "bulk",
  args: [
    {
      type: "set_custom_types",
      args: {
        enums: [{ name: "State", values: [{ value: "new" }, { value: "paid" }] }],
        objects: [
          { name: "Address", fields: [typed("city", "String!"), typed("street", "String!")] },
          {
            name: "Order",
            fields: [
              ...[typed("id", "Int!"), typed("state", "State!"), typed("total", "Float!"), typed("note", "String")],
              typed("to", "Address!"),
            ],
          },
        ],
      },
    },
    {
      type: "create_action",
      args: {
        name: "orders",
        definition: {
          ...{ type: "query", handler: "{{HANDLER}}", output_type: "[Order!]!" },
          arguments: [typed("count", "Int!")],
        },
      },
    },
  ],
};

async function report(servers: readonly [Server, Server], name: string, script: string): Promise<void> {
  const { own, other, ratio, ratios } = await compare(servers, script);
  console.log(
    `${name.padEnd(12)} engine ${own.toFixed(0)} µs, by hand ${other.toFixed(0)} µs for a call: ` +
      `x ${ratio.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(", ")})`,
  );
}

/** Checks that both servers do the same work. Otherwise the comparison is void. */
async function checkSame(servers: readonly Server[], count: number): Promise<void> {
  const [own, other] = await Promise.all(servers.map(({ port }) => askText(port, { query, variables: { count } })));
  if (own !== other || !own?.includes('"street"')) throw new Error(`the answers differ: ${own} and ${other}`);
}

async function end(engine: Engine, children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) child.kill("SIGKILL");
  await engine.stop();
}

await runMain(async () => {
  const args = process.argv.slice(2);
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    const folder = await mkdtemp(join(tmpdir(), "bench-actions-"));
    const handler = await startProgram("actions/handler.ts");
    const peer = await startProgram("actions/peer.ts", `http://127.0.0.1:${handler.port}`);
    const engine = await startEngine(await createDatabase(url, "bench_actions"), "", enginePort, {
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: await createDatabase(url, "bench_actions_metadata"),
      HANDLER: `http://127.0.0.1:${handler.port}`,
    });
    try {
      await engine.post("/v1/metadata", metadata);
      const servers = [{ pid: engine.pid, port: enginePort }, peer] as const;
      const script = join(folder, "load.lua");
      for (const each of cases) {
        await writeFile(script, loadScript({ query, variables: { count: each.count } }));
        await checkSame(servers, each.count);
        await report(servers, each.name, script);
        await profile(optionValue(args, "--profile"), enginePort, each.name, script);
      }
    } finally {
      await end(engine, [handler.child, peer.child]);
      await rm(folder, { recursive: true });
    }
    return 0;
  });
});
