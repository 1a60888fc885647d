/** An engine that is killed, or stands still. */
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

export const killedEngine: Fault = {
  name: "kill -9 of the engine",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { failed: { part: 0.75 }, longestWait: 5000, recovery: 10_000 }, async () => {
      for (let times = lab.length(1, 5); times > 0; times--) {
        await bench.engine.kill("SIGKILL");
        await bench.engine.start();
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
