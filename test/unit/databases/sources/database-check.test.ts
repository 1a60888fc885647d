import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DatabaseCheck, unready } from "../../../../runtime/databases/sources/health/database-check.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Database checks", () => {
  it("A database check runs at most once a second, however often it is called", async () => {
    const ask = vi.fn(async () => {});
    const check = new DatabaseCheck({ sendStatement: ask });
    const states = await Promise.all([check.state(), check.state(), check.state()]);
    expect(states).toEqual(states.map(() => ({ error: null })));
    await check.state();
    expect(ask).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1001);
    await check.state();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("A database check waits two seconds for a silent database and never sends a second statement behind the first", async () => {
    let answer = (): void => {};
    const ask = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    const check = new DatabaseCheck({ sendStatement: ask });
    for (let round = 0; round < 3; round++) {
      const state = check.state();
      await vi.advanceTimersByTimeAsync(2000);
      expect((await state).error).toMatchObject({ code: "timeout" });
      vi.advanceTimersByTime(1001);
    }
    expect(ask).toHaveBeenCalledTimes(1);
    const state = check.state();
    answer();
    expect((await state).error).toBeNull();
  });

  it("A database check reports a database as ready if it answers other statements", async () => {
    let completed = 0;
    const check = new DatabaseCheck({ sendStatement: () => new Promise(() => {}), completed: () => completed });
    const state = check.state();
    completed++;
    await vi.advanceTimersByTimeAsync(2000);
    expect((await state).error).toBeNull();
  });

  it("A database check returns the code and message of an error", async () => {
    const error = new EngineError("postgres-error", "$", "connection error", { internal: "ECONNREFUSED 10.1.2.3" });
    const check = new DatabaseCheck({ sendStatement: () => Promise.reject(error) });
    expect(await check.state()).toEqual({ error: { code: "postgres-error", message: "connection error" } });
  });
});

describe("Unready databases", () => {
  it("The state of an unready database hides the driver's message", () => {
    expect(JSON.stringify(unready(new Error("password of 10.1.2.3")))).not.toContain("10.1");
  });
});
