import { expect, it } from "vitest";
import { Slots } from "../../../../runtime/jobs/delivery/slots.ts";

function fill(slots: Slots, lane: string): number {
  let taken = 0;
  while (slots.take(lane)) taken++;
  return taken;
}

it("gives one lane most of the slots, and whoever comes next some of the rest", () => {
  const slots = new Slots(100);
  expect(slots.room("a")).toBe(80);
  expect(fill(slots, "a")).toBe(80);
  expect(slots.room("a")).toBe(0);
  expect(slots.room("b")).toBe(16);
  expect(fill(slots, "b")).toBe(16);
  expect(fill(slots, "c")).toBe(4);
});

it("leaves a slot for one more, however many dead lanes there are of a few", () => {
  const slots = new Slots(100);
  for (let lane = 0; lane < 3; lane++) fill(slots, `dead ${lane}`);
  slots.give("dead 0");
  expect(slots.take("alive")).toBe(true);
});

it("is of use where there are few", () => {
  for (const total of [1, 2, 3]) {
    const slots = new Slots(total);
    expect(slots.room("a")).toBeGreaterThan(0);
    expect(fill(slots, "a")).toBeGreaterThan(0);
  }
});

it("says how much room there is: what a lane can then take", () => {
  for (let total = 1; total <= 40; total++) {
    for (let others = 0; others < total; others++) {
      const slots = new Slots(total);
      for (let i = 0; i < others; i++) slots.take(`other ${i}`);
      const room = slots.room("a");
      expect(fill(slots, "a")).toBe(room);
    }
  }
});

it("tells of what becomes free until nobody wants to know", () => {
  const slots = new Slots(1);
  let told = 0;
  const stop = slots.onFree(() => told++);
  slots.take("a");
  slots.give("a");
  stop();
  slots.take("a");
  slots.give("a");
  expect(told).toBe(1);
});
