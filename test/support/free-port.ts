import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const attempts = 20;

/**
 * Below those that the kernel gives to connections and to servers that leave the choice to it (from 32,768 on; see
 * ip_local_port_range in ip(7)): nobody has it by chance when it is used.
 */
const [least, most] = [15_000, 32_000] as const;

/** A port of this machine that nobody listens on, and that the kernel gives to nobody. */
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
 * Starts a program that cannot choose its port: with another one where somebody was quicker.
 * @param start rejects with an error that has the program's words
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
