import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latestTime, timesAfter } from "../../../runtime/values/cron.ts";
import { naiveTimes } from "../../support/naive-cron.ts";

const at = (text: string): Date => new Date(text);
const shown = (times: readonly Date[]): readonly string[] => times.map((time) => time.toISOString());

describe("Cron times in time zones", () => {
  it("A cron time occurs once in a repeated hour and after the gap of a skipped hour", () => {
    const daily = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
    expect(shown(timesAfter(daily, at("2026-10-24T12:00:00Z"), 2))).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    expect(shown(timesAfter(daily, at("2026-03-28T12:00:00Z"), 2))).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  it("Cron times agree with a naive evaluator across a year of clock changes", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kolkata"];
    const value = (least: number, greatest: number) => {
      const number = fc.integer({ min: least, max: greatest });
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant("*") },
        { weight: 3, arbitrary: number.map(String) },
        fc.integer({ min: 2, max: greatest }).map((step) => `*/${step}`),
        fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
        fc.uniqueArray(number, { minLength: 2, maxLength: 4 }).map((numbers) => numbers.join(",")),
      );
    };
    const schedules = fc
      .tuple(value(0, 59), value(0, 23), value(1, 31), value(1, 12), value(0, 6))
      .map((fields) => fields.join(" "));
    const anywhen = fc.date({ min: at("2026-01-01T00:00:00Z"), max: at("2026-12-31T00:00:00Z"), noInvalidDate: true });
    // Days before clocks are changed somewhere.
    const changes = ["2026-03-05", "2026-03-27", "2026-04-02", "2026-04-21", "2026-10-01", "2026-10-23", "2026-10-29"];
    const start = fc.oneof(
      anywhen,
      fc.constantFrom(...changes).map((day) => at(`${day}T11:17:00Z`)),
    );
    fc.assert(
      fc.property(schedules, fc.constantFrom(...zones), start, (cron, timezone, from) => {
        const end = new Date(from.getTime() + 8 * 86_400_000);
        const naive = naiveTimes({ cron, timezone }, from, end).slice(0, 200);
        const times = timesAfter({ cron, timezone }, from, naive.length + 1);
        expect(shown(times.filter((time) => time <= end).slice(0, naive.length))).toEqual(shown(naive));
        expect(times.filter((time) => time <= end).length).toBeGreaterThanOrEqual(naive.length);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

describe("The latest cron time", () => {
  it("The latest cron time may be the given instant itself", () => {
    const hourly = { cron: "0 * * * *", timezone: "UTC" };
    expect(latestTime(hourly, at("2026-05-01T10:00:00Z"))).toEqual(at("2026-05-01T10:00:00Z"));
    expect(latestTime(hourly, at("2026-05-01T10:59:59Z"))).toEqual(at("2026-05-01T10:00:00Z"));
  });
});
