import { EventEmitter } from "node:events";
import type { Socket as RawSocket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { Socket } from "../../../../runtime/http/websocket/socket.ts";

/** What a `Socket` asks of a WebSocket, under the control of the test. */
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

/** What a `Socket` asks of the socket below. */
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

describe("keep-alives", () => {
  it("are sent at once and then regularly, with a ping", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    expect(ws.sent).toEqual(["KA"]);
    vi.advanceTimersByTime(10_000);
    expect(ws.sent).toEqual(["KA", "KA", "PING", "KA", "PING"]);
  });

  it("are left out while other messages are on their way", () => {
    const { ws, socket } = openSocket();
    ws.bufferedAmount = 1;
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(5000);
    expect(ws.sent).toEqual([]);
  });

  it("end with the connection", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    ws.terminate();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may be switched off; a client that has gone is found all the same", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(0);
    vi.advanceTimersByTime(30_000);
    expect(ws.sent).toEqual(["KA", "PING", "PING", "PING"]);
    vi.advanceTimersByTime(10_000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });
});

describe("a client", () => {
  it("that is silent for half a minute is given up", () => {
    const { ws, socket } = openSocket();
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(30_000);
    expect(ws.readyState).toBe(WebSocket.OPEN);
    vi.advanceTimersByTime(5000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });

  it.each([
    ["sends", ({ raw }: ReturnType<typeof openSocket>) => void raw.bytesRead++],
    ["reads what waits for it", ({ ws }: ReturnType<typeof openSocket>) => void ws.bufferedAmount--],
    [
      "is not read",
      ({ ws }: ReturnType<typeof openSocket>) => {
        ws.isPaused = true;
      },
    ],
  ])("that %s is kept", (_what, act) => {
    const opened = openSocket();
    opened.ws.bufferedAmount = 1000;
    opened.socket.startKeepAlive(5);
    for (let i = 0; i < 20; i++) {
      act(opened);
      vi.advanceTimersByTime(5000);
    }
    expect(opened.ws.readyState).toBe(WebSocket.OPEN);
  });

  it("that reads nothing of what waits for it is given up", () => {
    const { ws, socket } = openSocket();
    ws.bufferedAmount = 1000;
    socket.startKeepAlive(5);
    vi.advanceTimersByTime(60_000);
    expect(ws.readyState).toBe(WebSocket.CLOSED);
  });
});

it("a client that sends but reads nothing of much that waits for it is given up", () => {
  const { ws, raw, socket } = openSocket();
  ws.bufferedAmount = 2 * 1024 * 1024;
  socket.startKeepAlive(5);
  for (let i = 0; i < 12; i++) {
    raw.bytesRead++;
    vi.advanceTimersByTime(5000);
  }
  expect(ws.readyState).toBe(WebSocket.CLOSED);
});

describe("sending", () => {
  it("goes on after one long message and ends the connection when more wait than is bearable", () => {
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

  it("of a message in two parts copies only the first one, and bounds them like others", () => {
    const { ws, raw, socket } = openSocket();
    const ending = Buffer.from("end");
    socket.sendParts(Buffer.from("begin"), ending);
    expect(Buffer.concat(raw.written).toString("latin1")).toBe("\x81\x08beginend");
    expect(raw.written[1]).toBe(ending);
    ws.bufferedAmount = 16 * 1024 * 1024 + 1;
    socket.sendParts(Buffer.from("begin"), ending);
    expect([raw.written.length, ws.readyState]).toEqual([2, WebSocket.CLOSED]);
  });

  it("of a message in two parts leaves compression to the library", () => {
    const { ws, raw, socket } = openSocket({ extensions: "permessage-deflate" });
    socket.sendParts(Buffer.from("begin"), Buffer.from("end"));
    expect([raw.written, ws.sent]).toEqual([[], ["beginend"]]);
  });
});
