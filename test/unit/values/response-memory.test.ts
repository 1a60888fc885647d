import { describe, expect, it } from "vitest";
import { ResponseMemory } from "../../../runtime/values/response-memory.ts";

/** Requests `bytes` of memory, and adds the number to `served` once the memory is reserved. */
function seek(memory: ResponseMemory, served: number[], bytes: number) {
  const seeker = { bytes, onRoom: () => void served.push(bytes) };
  return { seeker, isServed: memory.takeOrWait(seeker) };
}

describe("Memory of responses", () => {
  it("ResponseMemory serves waiting callers in the order of their arrival", () => {
    const memory = new ResponseMemory(100);
    const served: number[] = [];
    expect(seek(memory, served, 90).isServed).toBe(true);
    // The second request would fit, but waits for the first.
    expect([50, 10, 60].map((bytes) => seek(memory, served, bytes).isServed)).toEqual([false, false, false]);
    expect(memory.lacking).toBe(90 + 120 - 100);
    memory.release(90);
    expect(served).toEqual([50, 10]);
    expect(memory.taken).toBe(60);
    memory.release(10);
    expect(served).toEqual([50, 10]);
    memory.release(50);
    expect(served).toEqual([50, 10, 60]);
    expect([memory.taken, memory.lacking]).toEqual([60, -40]);
  });

  it("ResponseMemory counts memory that is already taken, even beyond its limit", () => {
    const memory = new ResponseMemory(100);
    memory.take(150);
    const served: number[] = [];
    expect(seek(memory, served, 10).isServed).toBe(false);
    memory.release(50);
    expect(served).toEqual([]);
    memory.release(50);
    expect(served).toEqual([10]);
  });

  it("ResponseMemory admits a response larger than its limit if no other memory is taken", () => {
    const memory = new ResponseMemory(100);
    const served: number[] = [];
    expect(seek(memory, served, 500).isServed).toBe(true);
    seek(memory, served, 600);
    memory.release(500);
    expect(served).toEqual([600]);
  });

  it("ResponseMemory serves the next caller when the first one stops waiting", () => {
    const memory = new ResponseMemory(100);
    const served: number[] = [];
    memory.take(50);
    const { seeker } = seek(memory, served, 80);
    seek(memory, served, 20);
    memory.cancel(seeker);
    memory.cancel(seeker);
    expect(served).toEqual([20]);
    expect(memory.lacking).toBe(70 - 100);
    memory.release(70);
    expect(served).toEqual([20]);
  });
});
