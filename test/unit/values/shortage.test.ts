import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Shortage } from "../../../runtime/values/shortage.ts";

const failure = (code: string, cause?: unknown): Error => Object.assign(new Error(code, { cause }), { code });

describe("a shortage", () => {
  let hasSpare = true;
  let told: string[] = [];
  let shortage: Shortage;

  beforeEach(() => {
    vi.useFakeTimers();
    hasSpare = true;
    told = [];
    shortage = new Shortage(() => hasSpare);
    shortage.watch({ began: (code) => told.push(code), ended: () => told.push("ended") });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["the error itself", failure("EMFILE")],
    ["a cause of it", new Error("connection error", { cause: failure("ENFILE") })],
    ["one of several addresses", new AggregateError([failure("ECONNREFUSED"), failure("EMFILE")])],
    ["memory", failure("ENOMEM")],
  ])("begins with %s", (_, error) => {
    expect(shortage.isCauseOf(error)).toBe(true);
    expect(shortage.isOn).toBe(true);
    expect(told).toHaveLength(1);
  });

  it.each([
    failure("ECONNREFUSED"),
    failure("ENOTFOUND"),
    // Of an address that this host has no route from, for ever.
    failure("EADDRNOTAVAIL"),
    new Error("EMFILE"),
    "EMFILE",
    undefined,
  ])("is not the cause of %s", (error) => {
    expect(shortage.isCauseOf(error)).toBe(false);
    expect(shortage.isOn).toBe(false);
  });

  it("is the cause of a name that is not found while nothing can be opened", () => {
    hasSpare = false;
    expect(shortage.isCauseOf(failure("ENOTFOUND"))).toBe(true);
    expect(told).toEqual(["EMFILE"]);
  });

  it("ends by itself once descriptors are free, and is reported once", () => {
    hasSpare = false;
    for (let n = 0; n < 10; n++) shortage.isCauseOf(failure("EMFILE"));
    vi.advanceTimersByTime(60_000);
    expect([shortage.isOn, told]).toEqual([true, ["EMFILE"]]);
    hasSpare = true;
    vi.advanceTimersByTime(1000);
    expect([shortage.isOn, told]).toEqual([false, ["EMFILE", "ended"]]);
  });

  it("lasts longer where it comes back at once", () => {
    const lengths = Array.from({ length: 5 }, () => {
      shortage.isCauseOf(failure("EMFILE"));
      let milliseconds = 0;
      for (; shortage.isOn; milliseconds += 1000) vi.advanceTimersByTime(1000);
      return milliseconds;
    });
    expect(lengths).toEqual([1000, 2000, 4000, 8000, 8000]);
  });
});
