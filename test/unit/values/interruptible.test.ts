import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atOnce, type Interruptible, inSlices } from "../../../runtime/values/interruptible.ts";

function* busy(pieces: number, milliseconds: number): Interruptible<string> {
  for (let piece = 0; piece < pieces; piece++) {
    const began = performance.now();
    while (performance.now() - began < milliseconds);
    yield;
  }
  return "done";
}

describe("long work", () => {
  it("lets others have their turn in between", async () => {
    let turns = 0;
    let isDone = false;
    const work = inSlices(busy(20, 5)).then((text) => {
      isDone = true;
      return text;
    });
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    expect(await work).toBe("done");
    // A hundred milliseconds in slices of ten.
    expect(turns).toBeGreaterThan(3);
  });

  it("is done at once if it is short", async () => {
    let turns = 0;
    setImmediate(() => turns++);
    expect(await inSlices(busy(3, 0))).toBe("done");
    expect(turns).toBe(0);
  });

  it("can be done without turns for others", () => {
    expect(atOnce(busy(3, 0))).toBe("done");
  });

  it("fails with its error", async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    const failing = function* (): Interruptible<string> {
      throw new Error("no");
    };
    await expect(inSlices(failing())).rejects.toThrow("no");
  });
});
