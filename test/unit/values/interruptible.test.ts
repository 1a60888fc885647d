import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Interruptible, runInSlices, runToCompletion, sorted } from "../../../runtime/values/interruptible.ts";

function* busy(pieces: number, milliseconds: number): Interruptible<string> {
  for (let piece = 0; piece < pieces; piece++) {
    const began = performance.now();
    while (performance.now() - began < milliseconds);
    yield;
  }
  return "done";
}

describe("Long work in slices", () => {
  it("Long work yields to other work in between", async () => {
    let turns = 0;
    let isDone = false;
    const work = runInSlices(busy(20, 5)).then((text) => {
      isDone = true;
      return text;
    });
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    expect(await work).toBe("done");
    // Each of the 20 pieces takes longer than a slice.
    expect(turns).toBeGreaterThan(3);
  });

  it("Long work yields several turns to other long work and continues afterwards", async () => {
    const turnsBetween: number[] = [];
    let turns = 0;
    function* counting(): Interruptible<void> {
      for (let step = 0; step < 10; step++) {
        turnsBetween.push(turns);
        turns = 0;
        yield* busy(1, 3);
      }
    }
    // Timers run before the interrupted work continues.
    const others = setInterval(() => {
      turns++;
      runToCompletion(busy(1, 2));
    }, 1);
    await runInSlices(counting());
    clearInterval(others);
    const [, ...between] = turnsBetween;
    expect(between).toEqual(between.map(() => 4));
  });

  it("Short work completes without yielding", async () => {
    let turns = 0;
    setImmediate(() => turns++);
    expect(await runInSlices(busy(3, 0))).toBe("done");
    expect(turns).toBe(0);
  });

  it("Work can run at once without yielding", () => {
    expect(runToCompletion(busy(3, 0))).toBe("done");
  });

  it("Long work rejects with its error", async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    const failing = function* (): Interruptible<string> {
      throw new Error("no");
    };
    await expect(runInSlices(failing())).rejects.toThrow("no");
  });
});

it.each([0, 1, 999, 1000, 1001, 5432])(
  "Sorting %i names in slices returns the order of Array.prototype.sort",
  (count) => {
    const names = Array.from({ length: count }, (_, i) => `name_${(i * 7919) % 10_007}_${i % 3 === 0 ? "é" : "Z"}`);
    const items = names.map((name) => ({ name }));
    expect(runToCompletion(sorted(items, ({ name }) => name)).map(({ name }) => name)).toEqual(names.toSorted());
  },
);
