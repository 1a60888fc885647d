/**
 * A worker that is killed before it has accepted a connection: its pending calls are rejected, and the primary gets the
 * connection back.
 */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PrimaryCalls } from "../../../runtime/server/workers/calls.ts";
import { LinkClosed } from "../../../runtime/server/workers/link.ts";
import { WorkerProcess } from "../../../runtime/server/workers/worker-process.ts";

it("A killed worker rejects the calls that wait for it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "killed-worker-"));
  const file = join(folder, "worker.mjs");
  await writeFile(file, 'process.on("message", () => undefined); process.stdout.write(String(process.pid));');
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [connection] = (await once(server, "connection")) as [Socket];
  let printed = "";
  try {
    const worker = new WorkerProcess({
      number: 1,
      program: { file, args: [] },
      environment: process.env,
      output: (text) => (printed += text),
      calls: {} as PrimaryCalls,
    });
    await expect.poll(() => printed).toMatch(/^\d+$/);
    process.kill(Number(printed), "SIGSTOP"); // prevents the worker from accepting the connection
    worker.give(connection);
    const answer = worker.link.call("follow", null);
    worker.kill();
    await expect(answer).rejects.toThrow(LinkClosed);
    expect(await worker.ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(worker.takeBack()).toEqual([connection]);
  } finally {
    client.destroy();
    connection.destroy();
    server.close();
    await rm(folder, { recursive: true });
  }
});
