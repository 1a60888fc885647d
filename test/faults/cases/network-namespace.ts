/** Packet loss in the kernel: a cluster in its own network namespace, whose link goes down. */
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { ClusterNetwork } from "../lab/cluster.ts";
import type { Fault, Lab } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

const run = promisify(execFile);
const ip = (...args: readonly string[]) => run("ip", args);

interface Link extends ClusterNetwork {
  /** Drops all packets without notifying either side. */
  unplug(): Promise<unknown>;
  plug(): Promise<unknown>;
}

/** Creates a network namespace. @returns undefined if namespaces are not permitted */
async function openLink(lab: Lab): Promise<Link | undefined> {
  const namespace = `engine-lab-${process.pid}`;
  const [here, there] = [`lab${process.pid}h`, `lab${process.pid}c`];
  const subnet = `10.213.${process.pid % 250}`;
  const address = `${subnet}.2`;
  const plug = () => ip("-n", namespace, "link", "set", there, "up");
  try {
    await ip("netns", "add", namespace);
    lab.onClose(() => ip("netns", "delete", namespace));
    await ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", namespace);
    await ip("address", "add", `${subnet}.1/30`, "dev", here);
    await ip("link", "set", here, "up");
    await ip("-n", namespace, "address", "add", `${address}/30`, "dev", there);
    await ip("-n", namespace, "link", "set", "lo", "up");
    await plug();
    // The neighbour entry stays while the link is down: otherwise the kernel would report an unreachable host.
    const { stdout } = await ip("-n", namespace, "-o", "link", "show", there);
    const [, hardware = ""] = /link\/ether (\S+)/.exec(stdout) ?? [];
    await ip("neighbour", "replace", address, "lladdr", hardware, "dev", here, "nud", "permanent");
  } catch {
    return undefined;
  }
  return { namespace, address, plug, unplug: () => ip("-n", namespace, "link", "set", there, "down") };
}

export const vanishingPackets: Fault = {
  name: "packets vanish in the kernel",
  isQuick: false,
  async run(lab) {
    const link = await openLink(lab);
    if (link === undefined) return { skipped: "network namespaces are not allowed here" };
    const cluster = await lab.cluster({
      network: link,
      settings: { listen_addresses: "*", tcp_keepalives_idle: 5, tcp_keepalives_interval: 2, tcp_keepalives_count: 2 },
      files: { "pg_hba.conf": "host all all all trust\n" },
    });
    const bench = await lab.bench({ cluster, behindProxy: "nothing" });
    // TCP retransmits lost packets at growing intervals.
    return underLoad(bench, { longestWait: 45_000, recovery: 15_000 }, async () => {
      await link.unplug();
      await delay(25_000);
      await link.plug();
    });
  },
};
