import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const attempts = 20;

/**
 * Ports below those that the kernel assigns to connections and to servers on port 0 (from 32,768; see
 * ip_local_port_range in ip(7)), so that no process uses one by chance.
 */
const [least, most] = [15_000, 32_000] as const;

/** Returns a free port of this machine that the kernel does not assign. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(least, most);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if (attempt === attempts) throw error;
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/**
 * Starts a program that cannot choose its port, and retries with another port if it is in use.
 * @param start rejects with an error that contains the program's output
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === attempts || !/address already in use/i.test(String(error))) throw error;
    }
  }
}
