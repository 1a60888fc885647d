/** Slow consumers of large responses. */
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { read } from "../lab/tables.ts";

const megabyte = 1024 * 1024;
const answerBytes = 5_000_000;
/** Maximum wait for a connection, in milliseconds. */
const mayLast = 30_000;
/** Default limit of the engine for buffered output. */
const mayWait = 256 * megabyte;
/** Allowance for the text of responses and uncollected garbage. */
const mayBeMade = 144 * megabyte;
/** Allowance for retained memory: code, tables that grew with the work, and memory that the allocator keeps. */
const mayKeep = 100 * megabyte;

export const slowReaders: Fault = {
  name: "slow readers of large answers",
  isQuick: true,
  async run(lab) {
    const { engine } = await lab.bench({ environment: { ENGINE_GRAPHQL_PG_CONNECTIONS: "10" } });
    const checks = new Checks();
    const count = lab.length(100, 200);
    checks.that((await graphql(engine.url, read, { shelf: 1 })).isGood, "it did not work before");
    const [memory, descriptors] = [await engine.memory(), await engine.descriptors()];
    const body = JSON.stringify({ query: `{ wide(args: {size: ${answerBytes}}) { name } }` });
    const head = `POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const sockets: Socket[] = [];
    lab.onClose(async () => sockets.forEach((socket) => void socket.destroy()));
    for (let n = 0; n < count; n++) {
      const socket = createConnection({ port: engine.port, host: "127.0.0.1" });
      socket.on("error", () => undefined);
      socket.pause();
      await once(socket, "connect");
      socket.write(head + body);
      sockets.push(socket);
    }
    let peak = memory;
    let longestWait = 0;
    for (const end = performance.now() + lab.length(8000, 30_000); performance.now() < end; ) {
      const answer = await graphql(engine.url, read, { shelf: 1 }, { patience: 30_000 });
      longestWait = Math.max(longestWait, answer.milliseconds);
      peak = Math.max(peak, await engine.memory());
      await delay(50);
    }
    const grown = Math.round((peak - memory) / megabyte);
    checks.that(peak - memory < mayWait + mayBeMade, `memory grew by ${grown} MB`);
    checks.that(longestWait < mayLast, `others wait ${Math.round(longestWait)} ms`);
    const left = performance.now();
    for (const socket of sockets) socket.destroy();
    const isBack = await within(lab.length(20_000, 60_000), async () => {
      // Garbage is collected only while there is work to do.
      await graphql(engine.url, read, { shelf: 1 });
      return (await engine.memory()) < memory + mayKeep;
    });
    const recovery = performance.now() - left;
    const after = await engine.memory();
    checks.that(isBack, `${Math.round((after - memory) / megabyte)} MB stay after they left`);
    return {
      figures: {
        requests: count,
        longestWait,
        recovery,
        memory: [memory, peak],
        descriptors: [descriptors, await engine.descriptors()],
      },
      broken: checks.broken,
    };
  },
};
