import { describe, expect, it } from "vitest";
import { BufferedBodies, type BufferedBody } from "../../../runtime/http/buffered-bodies.ts";

interface Sender extends BufferedBody {
  bytes: number;
  isCutOff: boolean;
}

function sender(bodies: BufferedBodies, seconds: number, bytes: number, mayExceedTotal = false): Sender {
  return {
    bytes,
    since: performance.now() - seconds * 1000,
    mayExceedTotal,
    isCutOff: false,
    cutOff() {
      this.isCutOff = true;
      bodies.release(this);
    },
  };
}

describe("Memory of buffered bodies", () => {
  it("BufferedBodies counts the bytes of a body until it is released", () => {
    const bodies = new BufferedBodies(1000);
    const one = sender(bodies, 0, 300);
    expect(bodies.hold(one)).toBe(true);
    one.bytes = 900;
    expect(bodies.hold(one)).toBe(true);
    expect(bodies.total).toBe(900);
    expect(bodies.hold(sender(bodies, 0, 101))).toBe(false);
    expect(bodies.hold(sender(bodies, 0, 100))).toBe(true);
    bodies.release(one);
    bodies.release(one);
    expect(bodies.total).toBe(100);
  });

  it("BufferedBodies cuts off slow bodies if other bodies need their memory", () => {
    const bodies = new BufferedBodies(1_000_000);
    const slow = sender(bodies, 60, 600_000);
    const recent = sender(bodies, 1, 200_000);
    expect([slow, recent].map((body) => bodies.hold(body))).toEqual([true, true]);
    expect(bodies.hold(sender(bodies, 0, 100_000))).toBe(true);
    expect(slow.isCutOff).toBe(false);
    expect(bodies.hold(sender(bodies, 0, 400_000))).toBe(true);
    expect([slow, recent].map(({ isCutOff }) => isCutOff)).toEqual([true, false]);
    expect(bodies.total).toBe(700_000);
  });

  it("BufferedBodies never cuts off a complete body", () => {
    const bodies = new BufferedBodies(1000);
    const complete = sender(bodies, 60, 600);
    bodies.hold(complete);
    bodies.complete(complete);
    expect(bodies.hold(sender(bodies, 0, 500))).toBe(false);
    expect(complete.isCutOff).toBe(false);
  });

  it("BufferedBodies allows a single body to exceed the total", () => {
    const bodies = new BufferedBodies(1000);
    const first = sender(bodies, 0, 5000, true);
    const second = sender(bodies, 0, 5000, true);
    expect([first, second].map((body) => bodies.hold(body))).toEqual([true, false]);
    bodies.release(first);
    expect(bodies.hold(second)).toBe(true);
  });
});
