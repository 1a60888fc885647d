/**
 * The primary of a Patroni cluster with a synchronous standby is killed under load and while events are delivered. No
 * acknowledged write is lost, and every event is delivered as without a failover.
 */
import { setTimeout as delay } from "node:timers/promises";
import { judge } from "../lab/event-judge.ts";
import { EventReceiver } from "../lab/event-receiver.ts";
import type { Fault } from "../lab/lab.ts";
import { missingProgram, PatroniCluster } from "../lab/patroni.ts";
import { within } from "../lab/processes.ts";
import { randomOf } from "../lab/random.ts";
import { underLoad } from "../lab/under-load.ts";
import { keptEvents, metadata, pending, tables, unrecorded, write } from "./event-loss.ts";

/** Maximum time in milliseconds until Patroni has promoted the standby, and HAProxy leads to it. */
const promotion = 20_000;

export const failover: Fault = {
  name: "failover with Patroni",
  isQuick: false,
  async run(lab) {
    const missing = missingProgram();
    if (missing !== undefined) return { skipped: `${missing} is not installed` };
    const { folder, clusters } = lab.premises;
    const cluster = await PatroniCluster.start(folder, clusters.account);
    lab.onClose(() => cluster.stop());
    const random = randomOf(Date.now() % 1_000_000);
    const receiver = await EventReceiver.open({ random, failing: 0.02, slowest: 20 });
    lab.onClose(() => receiver.close());
    const bench = await lab.benchOn(cluster, { behindProxy: "nothing" });
    const { database, engine } = bench;
    await cluster.sql(database, tables);
    await engine.post("/v1/metadata", { type: "bulk", args: metadata(receiver.url) });
    const seed = Math.floor(random() * 1_000_000);
    const writing = Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        write({ url: cluster.url(database), random: randomOf(seed + n), events: 1500 }),
      ),
    );
    const broken: string[] = [];
    const times: number[] = [];
    const outcome = await underLoad(
      bench,
      { failedOutsideOutages: 0, longestWait: promotion, recovery: 5000, descriptors: 100 },
      async (_, outages) => {
        for (let round = 0; round < 2; round++) {
          const from = performance.now();
          const killed = await cluster.killPrimary();
          if (!(await within(promotion, () => cluster.isWritable())))
            broken.push("the standby was not promoted in time");
          const to = performance.now();
          outages.push({ from, to });
          times.push(to - from);
          if (round > 0) break;
          await delay(3000);
          cluster.startMember(killed);
          if (!(await within(60_000, () => cluster.isRedundant())))
            broken.push("the former primary is no standby again");
        }
      },
    );
    await writing;
    if (!(await within(60_000, async () => (await pending(cluster, database)) === 0)))
      broken.push(`${await pending(cluster, database)} events are not delivered in time`);
    broken.push(...(await unrecorded(cluster, database)));
    broken.push(...judge(await keptEvents(cluster, database), receiver.arrivals, "steps"));
    console.log(`  promotions after ${times.map((time) => `${(time / 1000).toFixed(1)} s`).join(", ")}`);
    return { ...outcome, broken: [...outcome.broken, ...broken] };
  },
};
