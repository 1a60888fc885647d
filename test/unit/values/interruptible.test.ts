import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atOnce, type Interruptible, inSlices, sorted } from "../../../runtime/values/interruptible.ts";

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

  it("lets those who have much to do go on for some turns, and goes on itself", async () => {
    const turnsBetween: number[] = [];
    let turns = 0;
    function* counting(): Interruptible<void> {
      for (let step = 0; step < 10; step++) {
        turnsBetween.push(turns);
        turns = 0;
        yield* busy(1, 3);
      }
    }
    // Timers have their turn before what waits for it.
    const others = setInterval(() => {
      turns++;
      atOnce(busy(1, 2));
    }, 1);
    await inSlices(counting());
    clearInterval(others);
    const [, ...between] = turnsBetween;
    expect(between).toEqual(between.map(() => 4));
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

it.each([0, 1, 999, 1000, 1001, 5432])("sorts %i names as sort does", (count) => {
  const names = Array.from({ length: count }, (_, i) => `name_${(i * 7919) % 10_007}_${i % 3 === 0 ? "é" : "Z"}`);
  const items = names.map((name) => ({ name }));
  expect(atOnce(sorted(items, ({ name }) => name)).map(({ name }) => name)).toEqual(names.toSorted());
});
