/**
 * A separate network for the clients, which can be unplugged without notice to either side. Needs Linux, root and `ip`
 * (Debian: iproute2).
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ip = (...args: readonly string[]): Promise<unknown> => run("ip", args);

const namespace = "bench-live";
const [here, there] = ["bench-live-h", "bench-live-c"];

export class Network {
  /** Address of this machine in the clients' network. */
  readonly address = "10.231.77.1";
  /** Command prefix that runs a command in the network. */
  readonly prefix: readonly string[] = ["ip", "netns", "exec", namespace];

  private constructor() {}

  /** Creates the network. @returns `null` if it cannot be created */
  static async open(): Promise<Network | null> {
    const network = new Network();
    try {
      await ip("netns", "add", namespace);
      await ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", namespace);
      await ip("addr", "add", `${network.address}/30`, "dev", here);
      await ip("link", "set", here, "up");
      await ip("-n", namespace, "addr", "add", "10.231.77.2/30", "dev", there);
      await ip("-n", namespace, "link", "set", there, "up");
      return network;
    } catch (error) {
      console.log(`  (no network of its own for clients: ${String(error).split("\n", 1)[0]})`);
      await network.close();
      return null;
    }
  }

  /** Drops every packet from now on. */
  async unplug(): Promise<void> {
    await ip("-n", namespace, "link", "set", there, "down");
  }

  async plug(): Promise<void> {
    await ip("-n", namespace, "link", "set", there, "up");
  }

  async close(): Promise<void> {
    await ip("netns", "del", namespace).catch(() => {});
  }
}
