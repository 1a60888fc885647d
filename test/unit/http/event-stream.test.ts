import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventStream } from "../../../runtime/http/events/event-streams.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response with `writableLength` bytes that the client has not read. */
class Reply extends EventEmitter {
  writableLength = 0;
  destroyed = false;
  readonly written: string[] = [];
  write(event: string): void {
    this.written.push(event);
  }
  end(): void {
    this.emit("close");
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function open(keepAliveSeconds: number) {
  const reply = new Reply();
  const stream = new EventStream(reply as unknown as ServerResponse, keepAliveSeconds, () => undefined);
  return { reply, stream };
}

it.each([5, 0])(
  "An event stream is closed if the client reads nothing for a long time, with keep-alives every %i seconds",
  (seconds) => {
    const { reply, stream } = open(seconds);
    stream.send("x".repeat(5000));
    reply.writableLength = 5000;
    vi.advanceTimersByTime(20_000);
    // A slow client stays connected.
    reply.writableLength = 4000;
    vi.advanceTimersByTime(29_000);
    expect(reply.destroyed).toBe(false);
    vi.advanceTimersByTime(31_000);
    expect([reply.destroyed, stream.isEnded]).toEqual([true, true]);
  },
);

it("An event stream sends keep-alives only while nothing else is in transit", () => {
  const { reply } = open(5);
  vi.advanceTimersByTime(11_000);
  expect(reply.written).toEqual([":\n\n", ":\n\n"]);
  reply.writableLength = 1;
  vi.advanceTimersByTime(10_000);
  expect(reply.written).toHaveLength(2);
});

it("An event stream sends no keep-alives if they are disabled, and nothing after its end", async () => {
  const { reply, stream } = open(0);
  vi.advanceTimersByTime(100_000);
  stream.end();
  stream.send("late");
  await stream.closed;
  await stream.ended;
  vi.advanceTimersByTime(100_000);
  expect(reply.written).toEqual([]);
});
