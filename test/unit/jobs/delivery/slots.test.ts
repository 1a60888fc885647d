import { expect, it } from "vitest";
import { Slots } from "../../../../runtime/jobs/delivery/slots.ts";

function fill(slots: Slots, lane: string): number {
  let taken = 0;
  while (slots.take(lane)) taken++;
  return taken;
}

it("Slots give one queue most of the capacity and each further queue a share of the rest", () => {
  const slots = new Slots(100);
  expect(slots.room("a")).toBe(80);
  expect(fill(slots, "a")).toBe(80);
  expect(slots.room("a")).toBe(0);
  expect(slots.room("b")).toBe(16);
  expect(fill(slots, "b")).toBe(16);
  expect(fill(slots, "c")).toBe(4);
});

it("Slots keep one slot for a further queue, even beside many blocked queues", () => {
  const slots = new Slots(100);
  for (let lane = 0; lane < 3; lane++) fill(slots, `dead ${lane}`);
  slots.give("dead 0");
  expect(slots.take("alive")).toBe(true);
});

it("Slots give a queue capacity even if there are few slots", () => {
  for (const total of [1, 2, 3]) {
    const slots = new Slots(total);
    expect(slots.room("a")).toBeGreaterThan(0);
    expect(fill(slots, "a")).toBeGreaterThan(0);
  }
});

it("The reported room of a queue equals the slots that it can take", () => {
  for (let total = 1; total <= 40; total++) {
    for (let others = 0; others < total; others++) {
      const slots = new Slots(total);
      for (let i = 0; i < others; i++) slots.take(`other ${i}`);
      const room = slots.room("a");
      expect(fill(slots, "a")).toBe(room);
    }
  }
});

it("Slots notify a listener of freed slots until it unsubscribes", () => {
  const slots = new Slots(1);
  let notifications = 0;
  const stop = slots.onFree(() => notifications++);
  slots.take("a");
  slots.give("a");
  stop();
  slots.take("a");
  slots.give("a");
  expect(notifications).toBe(1);
});
