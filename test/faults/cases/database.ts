/** A database that restarts, crashes, freezes, or ends connections. */
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "../lab/cluster.ts";
import type { Fault } from "../lab/lab.ts";
import { type Bounds, underLoad } from "../lab/under-load.ts";

const ofCluster = (
  name: string,
  isQuick: boolean,
  bounds: Bounds,
  harm: (cluster: Cluster, times: number) => Promise<unknown>,
): Fault => ({
  name,
  isQuick,
  async run(lab) {
    const bench = await lab.bench({ own: {} });
    return underLoad(bench, bounds, () => harm(bench.cluster, lab.length(2, 12)));
  },
});

const downtime: Bounds = { failed: { part: 0.5 }, longestWait: 10_000, recovery: 6000 };

export const restarts = ofCluster("database restarts", true, downtime, async (cluster, times) => {
  for (; times > 0; times--) {
    await cluster.stop("fast");
    await delay(300);
    await cluster.start();
    await delay(700);
  }
});

export const crashes = ofCluster("kill -9 of the database", true, downtime, async (cluster, times) => {
  for (; times > 0; times--) {
    await cluster.kill();
    await cluster.start();
    await delay(700);
  }
});

export const standstill = ofCluster(
  "database stands still",
  false,
  { ...downtime, failed: 0, recovery: 10_000 },
  async (cluster) => {
    await cluster.freeze();
    await delay(5000);
    await cluster.thaw();
  },
);

export const terminatedBackends: Fault = {
  name: "terminated backends",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench();
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${bench.database}' and pid <> pg_backend_pid()`;
    return underLoad(bench, { failedReads: 20, longestWait: 10_000, recovery: 6000 }, async () => {
      for (let times = lab.length(10, 60); times > 0; times--) {
        await bench.cluster.sql("postgres", terminate);
        await delay(200);
      }
    });
  },
};
