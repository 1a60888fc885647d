import { EventEmitter } from "node:events";
import type { Socket as RawSocket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { Socket } from "../../../../runtime/http/websocket/socket.ts";

/** The part of a WebSocket that a `Socket` uses, under the control of the test. */
class FakeWebSocket extends EventEmitter {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  isPaused = false;
  extensions = "";
  readonly sent: string[] = [];
  send(data: string | Buffer): void {
    this.sent.push(String(data));
  }
  ping(): void {
    this.sent.push("PING");
  }
  terminate(): void {
    this.readyState = WebSocket.CLOSED;
    this.emit("close");
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The part of the underlying socket that a `Socket` uses. */
class FakeRawSocket {
  bytesRead = 0;
  readonly written: Buffer[] = [];
  write(chunk: Buffer): void {
    this.written.push(chunk);
  }
  cork(): void {}
  uncork(): void {}
}

function openSocket({ extensions = "" } = {}) {
  const ws = Object.assign(new FakeWebSocket(), { extensions });
  const raw = new FakeRawSocket();
  const socket = new Socket(ws as unknown as WebSocket, raw as unknown as RawSocket, "KA");
  return { ws, raw, socket };
}

describe("WebSocket keep-alives", () => {
  it("Keep-alives are sent at once and then periodically with a ping", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    expect(ws.sent).toEqual(["KA"]);
    vi.advanceTimersByTime(10_000);
    expect(ws.sent).toEqual(["KA", "KA", "PING", "KA", "PING"]);
  });

  it("Keep-alives are skipped while other messages are in transit", () => {
    const { ws, socket } = openSocket();
    ws.bufferedAmount = 1;
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(5000);
    expect(ws.sent).toEqual([]);
  });

  it("Keep-alives end with the connection", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    ws.terminate();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("A lost client is detected even if keep-alives are disabled", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(0);
    vi.advanceTimersByTime(30_000);
    expect(ws.sent).toEqual(["KA", "PING", "PING", "PING"]);
    vi.advanceTimersByTime(10_000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });
});

describe("Unresponsive WebSocket clients", () => {
  it("A client that is silent for more than half a minute is disconnected", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(30_000);
    expect(ws.readyState).toBe(WebSocket.OPEN);
    vi.advanceTimersByTime(5000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });

  it.each([
    ["sends", ({ raw }: ReturnType<typeof openSocket>) => void raw.bytesRead++],
    ["reads its waiting data", ({ ws }: ReturnType<typeof openSocket>) => void ws.bufferedAmount--],
    [
      "is paused by the server",
      ({ ws }: ReturnType<typeof openSocket>) => {
        ws.isPaused = true;
      },
    ],
  ])("A client that %s stays connected", (_what, act) => {
    const opened = openSocket();
    opened.ws.bufferedAmount = 1000;
    opened.socket.startKeepAlive(5);
    for (let i = 0; i < 20; i++) {
      act(opened);
      vi.advanceTimersByTime(5000);
    }
    expect(opened.ws.readyState).toBe(WebSocket.OPEN);
  });

  it("A client that reads none of its waiting messages is disconnected", () => {
    const { ws, socket } = openSocket();
    ws.bufferedAmount = 1000;
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(60_000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });
});

it("A client that sends but reads none of its many waiting bytes is disconnected", () => {
  const { ws, raw, socket } = openSocket();
  ws.bufferedAmount = 2 * 1024 * 1024;
  socket.startKeepAlive(5);
  for (let i = 0; i < 12; i++) {
    raw.bytesRead++;
    vi.advanceTimersByTime(5000);
  }
  expect(ws.readyState).toBe(WebSocket.CLOSED);
});

describe("Sending on WebSockets", () => {
  it("A socket sends on after one long message and is terminated if more bytes wait than the limit", () => {
    const { ws, socket } = openSocket();
    ws.bufferedAmount = 16 * 1024 * 1024;
    socket.send("a");
    expect(ws.sent).toEqual(["a"]);
    ws.bufferedAmount++;
    socket.send("b");
    expect([ws.sent, ws.readyState]).toEqual([["a"], WebSocket.CLOSED]);
    socket.send("c");
    expect(ws.sent).toEqual(["a"]);
  });

  it("A message in two parts copies only its first part and counts toward the limit", () => {
    const { ws, raw, socket } = openSocket();
    const ending = Buffer.from("end");
    socket.sendParts(Buffer.from("begin"), ending);
    expect(Buffer.concat(raw.written).toString("latin1")).toBe("\x81\x08beginend");
    expect(raw.written[1]).toBe(ending);
    ws.bufferedAmount = 16 * 1024 * 1024 + 1;
    socket.sendParts(Buffer.from("begin"), ending);
    expect([raw.written.length, ws.readyState]).toEqual([2, WebSocket.CLOSED]);
  });

  it("A message in two parts leaves compression to the library", () => {
    const { ws, raw, socket } = openSocket({ extensions: "permessage-deflate" });
    socket.sendParts(Buffer.from("begin"), Buffer.from("end"));
    expect([raw.written, ws.sent]).toEqual([[], ["beginend"]]);
  });
});
