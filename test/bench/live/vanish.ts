/** Clients that stop reading and responding, and clients that vanish, repeatedly: no resource may leak. */
import { setTimeout as delay } from "node:timers/promises";
import { Network } from "./network.ts";
import { Clients, type Engine, Inspector, inspectorPort, openSockets, residentBytes } from "./processes.ts";
import { port, rooms, vanishing } from "./settings.ts";
import { type Bench, change, megabytes, start } from "./setup.ts";

/**
 * `frozen`: the client process is stopped, so that it neither reads nor responds. `killed`: the kernel closes its
 * sockets. `unplugged`: its packets are dropped without notice.
 */
const rounds = ["frozen", "killed", "unplugged", "frozen", "killed", "unplugged"] as const;

export async function vanish(bench: Bench): Promise<void> {
  console.log(`\nvanish: ${vanishing} clients, again and again; each answer is about 100 kB`);
  const network = await Network.open();
  const engine = await start(bench, {
    ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "2",
    ENGINE_GRAPHQL_SERVER_HOST: network ? "0.0.0.0" : "127.0.0.1",
  });
  const inspector = await Inspector.open(inspectorPort(port));
  const show = async (when: string): Promise<void> => {
    const { rows } = await bench.database.query(
      "select count(*)::int as count from pg_stat_activity where datname = 'bench_live' and pid <> pg_backend_pid()",
    );
    const sockets = await openSockets(engine.pid);
    const [heap, memory] = [await inspector.heapBytes(), await residentBytes(engine.pid)];
    console.log(
      `  ${when}: heap ${megabytes(heap)}, memory ${megabytes(memory)}, ${sockets} sockets, ${rows[0]?.count} database connections`,
    );
  };
  try {
    await show("before");
    for (const [round, way] of rounds.entries()) {
      if (way === "unplugged" && !network) continue;
      const clients = new Clients(way === "unplugged" ? network?.prefix : []);
      const host = way === "unplugged" && network ? network.address : "127.0.0.1";
      const url = `ws://${host}:${port}/v1/graphql`;
      const sockets = await openSockets(engine.pid);
      await clients.open({ url, subscriptions: vanishing, perConnection: 1, rooms, query: "padded" });
      await show(`round ${round + 1}, with clients`);
      const changing = change(bench);
      if (way === "unplugged") await network?.unplug();
      else clients.signal(way === "frozen" ? "SIGSTOP" : "SIGKILL");
      await delay(5000);
      await show(`  ${way} for 5 seconds`);
      await changing;
      await closedDownTo(sockets, engine);
      await clients.end();
      if (way === "unplugged") await network?.plug();
      await show("  after it");
    }
  } finally {
    inspector.close();
    await engine.stop();
    await network?.close();
  }
}

/** Waits until the engine has closed the sockets of vanished clients. New connections to the database are allowed. */
async function closedDownTo(sockets: number, engine: Engine): Promise<void> {
  for (let waited = 0; (await openSockets(engine.pid)) > sockets + 10; waited++) {
    if (waited > 60) throw new Error("sockets of clients that have gone stay open");
    await delay(1000);
  }
}
