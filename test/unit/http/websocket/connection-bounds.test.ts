import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { begin, closeHarness, older, start } from "./harness.ts";

afterEach(closeHarness);

describe("Limits of WebSocket connections", () => {
  it("The server closes a connection before an oversized message arrives completely", async () => {
    const { url } = await start();
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const key = Buffer.alloc(16).toString("base64");
    socket.write(
      `GET /v1/graphql HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
    );
    const header = Buffer.alloc(14);
    header.writeUInt8(0x81, 0);
    header.writeUInt8(0xff, 1);
    header.writeBigUInt64BE(BigInt(2 ** 30), 2);
    socket.write(header);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    // The close frame: FIN and opcode 8, two bytes of payload, status 1009.
    expect(Buffer.concat(chunks).includes(Buffer.from([0x88, 2, 1009 >> 8, 1009 & 255]))).toBe(true);
  });

  it("The server closes the connection of a client that does not read its subscription", async () => {
    const { running, log, ready } = await start();
    const client = await ready(older);
    client.send(begin("live"));
    await client.next();
    client.ws.pause();
    const text = JSON.stringify("x".repeat(1024 * 1024));
    for (let i = 0; i < 64 && !running[0]?.isStopped; i++) {
      running[0]?.sink.next(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(running[0]?.isStopped).toBe(true);
    expect(log.at(-1)).toContain('"type":"closed"');
  });

  it("The server does not run the next operation of a client that does not read its responses", async () => {
    const { log, ready } = await start();
    const client = await ready(older);
    client.ws.pause();
    // Just below the limit of a message.
    const query = "x".repeat(1000 * 1024);
    const count = 40;
    for (let i = 0; i < count; i++) client.send(begin(query, String(i)));
    const finished = () => log.filter((line) => line.includes('"completed"')).length;
    // Waits until the number of completed operations stays the same.
    for (let before = -1; finished() !== before; ) {
      before = finished();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(finished()).toBeLessThan(count);
    client.ws.resume();
    const messages = await client.take(2 * count);
    expect(messages.at(-1)).toEqual({ type: "complete", id: String(count - 1) });
  });
});
