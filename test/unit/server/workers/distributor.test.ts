import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { Distributor, type Receiver } from "../../../../runtime/server/workers/distributor.ts";

class TestReceiver implements Receiver {
  readonly got: Socket[] = [];
  connections = 0;
  isStuck = false;
  give(connection: Socket): void {
    this.got.push(connection);
    this.connections++;
  }
}

const clients: Socket[] = [];
let distributor: Distributor | undefined;

async function started(receivers: readonly TestReceiver[]): Promise<number> {
  distributor = new Distributor(() => receivers);
  return distributor.listen({ serverHost: "127.0.0.1", serverPort: 0 });
}

async function open(port: number): Promise<Socket> {
  const client = connect(port, "127.0.0.1");
  clients.push(client);
  await once(client, "connect");
  return client;
}

const total = (receivers: readonly TestReceiver[]): number => receivers.reduce((sum, { got }) => sum + got.length, 0);

async function openAll(port: number, count: number, receivers: readonly TestReceiver[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    const before = total(receivers);
    await open(port);
    await expect.poll(() => total(receivers)).toBe(before + 1);
  }
}

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  distributor?.close();
});

it("A connection is assigned to the worker with the fewest connections, and in rotation if they are equal", async () => {
  const receivers = [new TestReceiver(), new TestReceiver(), new TestReceiver()];
  const [first, second, third] = receivers;
  const port = await started(receivers);
  await openAll(port, 6, receivers);
  expect(receivers.map(({ got }) => got.length)).toEqual([2, 2, 2]);
  if (!first || !second || !third) throw new Error("there are three");
  second.connections = 0;
  await openAll(port, 2, receivers);
  expect(second.got).toHaveLength(4);
  // Short-lived connections also alternate.
  first.connections = second.connections = third.connections = 0;
  const before = receivers.map(({ got }) => got.length);
  for (let i = 0; i < 3; i++) {
    await openAll(port, 1, receivers);
    first.connections = second.connections = third.connections = 0;
  }
  expect(receivers.map(({ got }, i) => got.length - (before[i] ?? 0))).toEqual([1, 1, 1]);
});

it("The distributor skips a worker that accepts no connections, unless it is the only one", async () => {
  const receivers = [new TestReceiver(), new TestReceiver()];
  const [stuck, other] = receivers;
  if (!stuck || !other) throw new Error("there are two");
  stuck.isStuck = true;
  const port = await started(receivers);
  await openAll(port, 3, receivers);
  expect([stuck.got.length, other.got.length]).toEqual([0, 3]);
  other.isStuck = true;
  await openAll(port, 1, receivers);
  expect(stuck.got).toHaveLength(1);
});

it("Connections that arrive while no worker can serve are kept unread", async () => {
  const receivers: TestReceiver[] = [];
  const port = await started(receivers);
  const client = await open(port);
  client.write("hello");
  const late = new TestReceiver();
  receivers.push(late);
  await expect
    .poll(() => {
      distributor?.retry();
      return late.got.length;
    })
    .toBe(1);
  const [connection] = late.got;
  if (!connection) throw new Error("it has one");
  expect(connection.bytesRead).toBe(0);
  connection.resume();
  const [text] = await once(connection.setEncoding("utf8"), "data");
  expect(text).toBe("hello");
  connection.destroy();
});

it("A closing distributor closes connections that no worker has received", async () => {
  const port = await started([]);
  const client = await open(port);
  const ended = once(client, "close");
  // Accepting a second connection proves that the first was accepted.
  await open(port);
  distributor?.close();
  await ended;
});
