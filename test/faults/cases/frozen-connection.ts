/** Packets to and from the database are dropped. When the network recovers, the old connections are lost. */
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

/** Upper bound for the detection of lost connections. */
const lostMilliseconds = 45_000;

const frozen = (name: string, old: "go on" | "are lost", isQuick: boolean): Fault => ({
  name,
  isQuick,
  async run(lab) {
    const bench = await lab.bench();
    const loss = lab.length(5000, 30_000);
    const recovery = old === "go on" ? 5000 : Math.max(5000, lostMilliseconds - loss);
    return underLoad(bench, { longestWait: lostMilliseconds, recovery }, async () => {
      bench.proxy.freeze();
      await delay(loss);
      bench.proxy.thaw(old);
    });
  },
});

/** The server ends the sessions during the outage, and its notice is lost. */
export const frozenAndEnded: Fault = {
  name: "frozen connections, sessions ended",
  isQuick: false,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { longestWait: lostMilliseconds, recovery: lostMilliseconds - 5000 }, async () => {
      bench.proxy.freeze();
      await delay(1000);
      const sessions = `from pg_stat_activity where datname = '${bench.database}' and pid <> pg_backend_pid()`;
      await bench.cluster.sql("postgres", `select pg_terminate_backend(pid) ${sessions}`);
      await delay(4000);
      bench.proxy.thaw("are lost");
    });
  },
};

export const frozenConnection = frozen("frozen connections, forgotten", "are lost", true);
export const frozenForAMoment = frozen("frozen connections, remembered", "go on", false);

/** Metadata can be reloaded and changed despite frozen connections. */
export const frozenReload: Fault = {
  name: "reload during a freeze",
  isQuick: false,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { longestWait: lostMilliseconds, recovery: lostMilliseconds - 10_000 }, async () => {
      bench.proxy.freeze();
      const reload = bench.engine.post("/v1/metadata", { type: "reload_metadata", args: {} }).catch(() => undefined);
      await delay(10_000);
      bench.proxy.thaw("are lost");
      const end = delay(lostMilliseconds).then(() => Promise.reject(new Error("reload_metadata has no answer")));
      await Promise.race([reload, end]);
      await bench.engine.post("/v1/metadata", { type: "reload_metadata", args: {} });
    });
  },
};
