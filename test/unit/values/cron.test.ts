import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { isCronSchedule } from "../../../compiler/catalog/schema/cron.ts";
import { timesAfter } from "../../../runtime/values/cron.ts";

const start = new Date("2026-01-01T00:00:00Z");

function next(schedule: string, after = start): readonly string[] {
  return timesAfter({ cron: schedule, timezone: "UTC" }, after, 3).map((time) =>
    time.toISOString().replace(":00.000Z", ""),
  );
}

describe("Cron times", () => {
  it.each([
    ["*/20 * * * *", "2026-01-01T00:20", "2026-01-01T00:40", "2026-01-01T01:00"],
    ["5/25 * * * *", "2026-01-01T00:05", "2026-01-01T00:30", "2026-01-01T00:55"],
    ["  0  3 * * sun ", "2026-01-04T03:00", "2026-01-11T03:00", "2026-01-18T03:00"],
    ["0 0 * * 7", "2026-01-04T00:00", "2026-01-11T00:00", "2026-01-18T00:00"],
    ["0 0 13 * FRI", "2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00"],
    ["0 0 29 feb *", "2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"],
    ["1-5/100 0 * * *", "2026-01-01T00:01", "2026-01-02T00:01", "2026-01-03T00:01"],
    ["0 */999 */999 */999 *", "2027-01-01T00:00", "2028-01-01T00:00", "2029-01-01T00:00"],
  ])("The next times of a cron schedule follow its fields: %s", (schedule, ...times) => {
    expect(next(schedule)).toEqual(times);
  });

  it("The next cron times are later than the given time, in UTC", () => {
    expect(next("0 2 * * *", new Date("2026-03-29T02:00:00Z"))[0]).toBe("2026-03-30T02:00");
    expect(next("30 2 * * *", new Date("2026-03-29T02:29:59.999Z"))[0]).toBe("2026-03-29T02:30");
  });

  it("A cron schedule for a day that never occurs has no times", () => {
    expect(next("0 0 30 2 *")).toEqual([]);
  });

  it("Every valid cron schedule has next times", () => {
    const items = ["*", "1", "5", "3-7", "2/1", "1-5/2", "*/3", "*/999", "1,2,3", "1/99"];
    for (let i = 0; i < 2000; i++) {
      const fields = Array.from({ length: 5 }, (_, place) => items[(i * 7 + place * (i % 13) + place) % items.length]);
      const schedule = fields.join(" ");
      expect(isCronSchedule(schedule), schedule).toBe(true);
      expect(timesAfter({ cron: schedule, timezone: "UTC" }, start, 2), schedule).toHaveLength(2);
    }
  });

  /** Rejects syntax that the library accepts, which is a reason for our own check (`docs/internals/libraries.md`). */
  it.each([
    ...["60/5 * * * *", "* 24/2 * * *", "* * 32/2 * *", "* * * 13/2 *", "* * * * 8/2", "/5 * * * *"],
    ...["? * * * *", "* * L * *", "* * 15W * *", "* * LW * *", "* * * * 5L", "* * * * mon#2", "007 * * * *"],
  ])("A schedule %s is refused, although croner reads it", (schedule) => {
    expect(() => new Cron(schedule, { mode: "5-part", sloppyRanges: true, paused: true })).not.toThrow();
    expect(isCronSchedule(schedule)).toBe(false);
  });
});
