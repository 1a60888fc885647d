import { describe, expect, it } from "vitest";
import type { ScheduledCall } from "../../../../runtime/jobs/schedules/queue.ts";
import { verdictOn } from "../../../../runtime/jobs/schedules/verdict.ts";

const onTime: ScheduledCall = {
  id: "1",
  lane: "a",
  instance: "i",
  tries: 0,
  scheduledTime: new Date("2026-05-01T10:00:00Z"),
  createdAt: new Date("2026-05-01T09:00:00Z"),
  lateSeconds: 0.4,
  isBusy: false,
  isLatest: true,
  isRedelivered: false,
  definition: null,
};
const rules = { missed: "tolerance", overlap: "allow", toleranceSeconds: 3600 } as const;
const missed = { ...onTime, lateSeconds: 7200 };

describe("Verdicts on due scheduled events", () => {
  it("A scheduled event is delivered within its tolerance, even while an earlier one is in progress", () => {
    expect(verdictOn({ ...onTime, lateSeconds: 3600, isBusy: true }, rules)).toEqual({ kind: "deliver" });
    expect(verdictOn({ ...onTime, lateSeconds: 3600.1 }, rules)).toEqual({ kind: "dead" });
  });

  it("A late scheduled event is delivered if the schedule runs all missed events", () => {
    expect(verdictOn(missed, { ...rules, missed: "run_all" })).toEqual({ kind: "deliver" });
  });

  it("A late scheduled event is delivered only if it is the latest one and the schedule runs the latest missed event", () => {
    const latest = { ...rules, missed: "run_latest" } as const;
    expect(verdictOn(missed, latest)).toEqual({ kind: "deliver" });
    expect(verdictOn({ ...missed, isLatest: false }, latest)).toMatchObject({
      kind: "dead",
      reason: expect.stringMatching(/^missed: .*later/),
    });
    expect(verdictOn({ ...onTime, isLatest: false }, latest)).toEqual({ kind: "deliver" });
    expect(verdictOn(missed, { ...rules, missed: "skip" })).toMatchObject({ kind: "dead" });
    expect(verdictOn(onTime, { ...rules, missed: "skip" })).toEqual({ kind: "deliver" });
  });

  it("A scheduled event is skipped while an earlier one is in progress if overlap is off, except for its own retries", () => {
    const skip = { ...rules, overlap: "skip" } as const;
    expect(verdictOn({ ...onTime, isBusy: true }, skip)).toMatchObject({
      kind: "dead",
      reason: expect.stringMatching(/^skipped/),
    });
    expect(verdictOn({ ...onTime, isBusy: true, tries: 1 }, skip)).toEqual({ kind: "deliver" });
    expect(verdictOn({ ...missed, tries: 1 }, { ...skip, missed: "skip" })).toEqual({ kind: "deliver" });
  });

  it("A redelivered event is delivered however late it is, and waits while an earlier one is in progress if overlap is off", () => {
    const late = { ...missed, isRedelivered: true, isLatest: false };
    for (const rule of ["tolerance", "run_latest", "run_all", "skip"] as const) {
      expect(verdictOn(late, { ...rules, missed: rule })).toEqual({ kind: "deliver" });
      expect(verdictOn({ ...late, isBusy: true }, { ...rules, missed: rule })).toEqual({ kind: "deliver" });
      expect(verdictOn({ ...late, isBusy: true }, { ...rules, missed: rule, overlap: "skip" })).toEqual({
        kind: "wait",
      });
    }
  });
});
