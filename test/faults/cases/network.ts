/** Connections that are cut, and networks that are slow. */
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

export const cutConnections: Fault = {
  name: "connections cut again and again",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { failedReads: 20, longestWait: 10_000, recovery: 6000 }, async () => {
      for (let times = lab.length(5, 20); times > 0; times--) {
        bench.proxy.cut();
        await delay(300);
      }
    });
  },
};

export const refusedConnections: Fault = {
  name: "database refuses connections",
  isQuick: false,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { failed: { part: 0.97 }, longestWait: 10_000, recovery: 5000 }, async () => {
      bench.proxy.refuse();
      await delay(10_000);
      bench.proxy.accept();
    });
  },
};

export const slowNetwork: Fault = {
  name: "300 ms away, 50 KB/s",
  isQuick: false,
  async run(lab) {
    const bench = await lab.bench();
    return underLoad(bench, { failed: 0, longestWait: 30_000, recovery: 5000 }, async () => {
      bench.proxy.slow({ milliseconds: 300, bytesPerSecond: 50_000 });
      await delay(20_000);
      bench.proxy.slow({});
    });
  },
};
