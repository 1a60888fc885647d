/** An engine that is killed or frozen. */
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

export const killedEngine: Fault = {
  name: "kill -9 of the engine",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { failedOutsideOutages: 0, longestWait: 5000, recovery: 10_000 }, async (_, outages) => {
      for (let times = lab.length(1, 5); times > 0; times--) {
        const from = performance.now();
        await bench.engine.kill("SIGKILL");
        await bench.engine.start();
        outages.push({ from, to: performance.now() });
        await delay(500);
      }
    });
  },
};

export const stoppedEngine: Fault = {
  name: "the engine stands still",
  isQuick: false,
  async run(lab) {
    const bench = await lab.bench();
    const still = 8000;
    return underLoad(bench, { failed: 0, longestWait: still + 5000, recovery: 5000 }, async () => {
      bench.engine.signal("SIGSTOP");
      await delay(still);
      bench.engine.signal("SIGCONT");
    });
  },
};
