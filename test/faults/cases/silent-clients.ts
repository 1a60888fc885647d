/** Silent clients and clients that vanish without closing. */
import { once } from "node:events";
import { createConnection } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { Follower } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { liveCounter } from "../lab/tables.ts";

/** Number of additional sockets that may stay open. */
const slack = 20;

export const silentClients: Fault = {
  name: "silent clients",
  isQuick: true,
  async run(lab) {
    const timeout = 2;
    const { engine } = await lab.bench({ environment: { ENGINE_GRAPHQL_SERVER_TIMEOUT: String(timeout) } });
    const checks = new Checks();
    const before = await engine.descriptors();
    const count = lab.length(300, 2000);
    const sockets = Array.from({ length: count }, () => {
      // These clients do not close their own end either.
      const socket = createConnection({ port: engine.port, host: "127.0.0.1", allowHalfOpen: true });
      return socket.on("error", () => undefined);
    });
    lab.onClose(async () => sockets.forEach((socket) => void socket.destroy()));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const areAccepted = await within(10_000, async () => (await engine.descriptors()) >= before + count);
    checks.that(areAccepted, "they were not accepted");
    // Half of them send only the beginning of a request.
    for (const socket of sockets.slice(0, count / 2)) socket.write("POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\n");
    const began = performance.now();
    const isFreed = await within(timeout * 1000 + 15_000, async () => (await engine.descriptors()) <= before + slack);
    const recovery = performance.now() - began;
    const after = await engine.descriptors();
    checks.that(isFreed, `${after - before} descriptors are still open`);
    return { figures: { requests: count, recovery, descriptors: [before, after] }, broken: checks.broken };
  },
};

export const vanishedFollowers: Fault = {
  name: "followers vanish without a word",
  isQuick: false,
  async run(lab) {
    const environment = { ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "1" };
    const { engine, cluster, database } = await lab.bench({ environment });
    const proxy = await lab.proxy(engine.port);
    const checks = new Checks();
    const before = await engine.descriptors();
    const count = lab.length(50, 500);
    const followers = Array.from({ length: count }, () => new Follower(`http://127.0.0.1:${proxy.port}`, liveCounter));
    lab.onClose(async () => followers.forEach((follower) => void follower.close()));
    checks.that(await within(60_000, () => followers.every(({ latest }) => latest >= 0)), "not all of them follow");
    const open = await engine.descriptors();
    checks.that(open >= before + count, "they have no connections of their own");
    proxy.freeze();
    const vanished = performance.now();
    // Causes results for the silent subscribers.
    await cluster.sql(database, "update counter set value = value + 1");
    await delay(1000);
    const isFreed = await within(45_000, async () => (await engine.descriptors()) <= before + slack);
    const recovery = performance.now() - vanished;
    const after = await engine.descriptors();
    checks.that(isFreed, `${after - before} descriptors are still open`);
    return { figures: { requests: count, recovery, descriptors: [open, after] }, broken: checks.broken };
  },
};
