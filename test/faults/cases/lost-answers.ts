/**
 * The connections of an engine to its source are cut repeatedly while results are in transit. If the result of a claim
 * is lost, no other instance leases its events, yet every event arrives soon after.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { judge } from "../lab/event-judge.ts";
import { EventReceiver } from "../lab/event-receiver.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { TcpProxy } from "../lab/proxy.ts";
import { randomOf } from "../lab/random.ts";
import { keptEvents, metadata, pending, tables, write } from "./event-loss.ts";

/** Delay in milliseconds in each direction, long enough that each cut hits results in transit. */
const distance = 30;
const writers = 4;

export const lostAnswers: Fault = {
  name: "events while answers of the database are lost",
  isQuick: true,
  async run(lab) {
    const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
    const random = randomOf(seed);
    const receiver = await EventReceiver.open({ random, failing: 0, slowest: 20 });
    lab.onClose(() => receiver.close());
    const cluster = await lab.cluster({ settings: {} });
    const database = await lab.database(cluster);
    await cluster.sql(database, tables);
    await cluster.sql("postgres", `create database ${database}_metadata`);
    const proxy = await TcpProxy.open(Number(new URL(cluster.url(database)).port));
    lab.onClose(() => proxy.close());
    const environment = {
      ENGINE_GRAPHQL_DATABASE_URL: proxy.before(cluster.url(database)),
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: cluster.url(`${database}_metadata`),
    };
    const engine = await lab.engine({ environment });
    await engine.post("/v1/metadata", { type: "bulk", args: metadata(receiver.url) });
    proxy.slow({ milliseconds: distance });

    const wanted = lab.length(800, 20_000);
    let isWriting = true;
    const writing = Promise.all(
      Array.from({ length: writers }, (_, n) =>
        write({ url: cluster.url(database), random: randomOf(seed + n + 1), events: wanted / writers }),
      ),
    ).finally(() => {
      isWriting = false;
    });
    const until = performance.now() + lab.length(6000, 60_000);
    while (isWriting || performance.now() < until) {
      await delay(300 + random() * 300);
      proxy.cut();
    }
    await writing;
    const ended = performance.now();
    const checks = new Checks();
    const isDone = await within(20_000, async () => (await pending(cluster, database)) === 0);
    checks.that(isDone, `${await pending(cluster, database)} events are not delivered in time`);
    const events = await keptEvents(cluster, database);
    checks.that(events.length >= wanted, `${events.length} events were recorded for ${wanted} writes`);
    checks.broken.push(...judge(events, receiver.arrivals, "steps"));
    if (checks.broken.length > 0) checks.broken.push(`FAULT_SEED=${seed}`);
    return {
      figures: { requests: receiver.arrivals.length, recovery: performance.now() - ended },
      broken: checks.broken,
    };
  },
};
