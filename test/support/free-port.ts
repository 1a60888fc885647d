import { once } from "node:events";
import { createServer } from "node:net";

const attempts = 5;

/** A port of this machine that nobody listens on, yet. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
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
