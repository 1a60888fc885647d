import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Shortage } from "../../../runtime/values/shortage.ts";

const failure = (code: string, cause?: unknown): Error => Object.assign(new Error(code, { cause }), { code });

describe("Shortage of file descriptors", () => {
  let hasSpare = true;
  let events: string[] = [];
  let shortage: Shortage;

  beforeEach(() => {
    vi.useFakeTimers();
    hasSpare = true;
    events = [];
    shortage = new Shortage(() => hasSpare);
    shortage.watch({ began: (code) => events.push(code), ended: () => events.push("ended") });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["the error itself", failure("EMFILE")],
    ["one of its causes", new Error("connection error", { cause: failure("ENFILE") })],
    ["one of several addresses", new AggregateError([failure("ECONNREFUSED"), failure("EMFILE")])],
    ["memory", failure("ENOMEM")],
  ])("A shortage starts with %s", (_, error) => {
    expect(shortage.isCauseOf(error)).toBe(true);
    expect(shortage.isOn).toBe(true);
    expect(events).toHaveLength(1);
  });

  it.each([
    failure("ECONNREFUSED"),
    failure("ENOTFOUND"),
    // An error for an address that is permanently unreachable from this host.
    failure("EADDRNOTAVAIL"),
    new Error("EMFILE"),
    "EMFILE",
    undefined,
  ])("A shortage does not start with %s", (error) => {
    expect(shortage.isCauseOf(error)).toBe(false);
    expect(shortage.isOn).toBe(false);
  });

  it("A shortage explains a failed name look-up while no descriptor is free", () => {
    hasSpare = false;
    expect(shortage.isCauseOf(failure("ENOTFOUND"))).toBe(true);
    expect(events).toEqual(["EMFILE"]);
  });

  it("A shortage ends once descriptors are free and is reported once", () => {
    hasSpare = false;
    for (let n = 0; n < 10; n++) shortage.isCauseOf(failure("EMFILE"));
    vi.advanceTimersByTime(60_000);
    expect([shortage.isOn, events]).toEqual([true, ["EMFILE"]]);
    hasSpare = true;
    vi.advanceTimersByTime(1000);
    expect([shortage.isOn, events]).toEqual([false, ["EMFILE", "ended"]]);
  });

  it("A shortage that recurs at once lasts longer", () => {
    const lengths = Array.from({ length: 5 }, () => {
      shortage.isCauseOf(failure("EMFILE"));
      let milliseconds = 0;
      for (; shortage.isOn; milliseconds += 1000) vi.advanceTimersByTime(1000);
      return milliseconds;
    });
    expect(lengths).toEqual([1000, 2000, 4000, 8000, 8000]);
  });
});
