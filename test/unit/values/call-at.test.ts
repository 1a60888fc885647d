import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { callAt } from "../../../runtime/values/timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const day = 86_400_000;

it.each([1, 1000, 24 * day, 25 * day, 100 * day])("callAt calls its function once, %d ms from now", (wait) => {
  const call = vi.fn();
  callAt(Date.now() + wait, call);
  vi.advanceTimersByTime(wait - 1);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(200 * day);
  expect(call).toHaveBeenCalledTimes(1);
});

it("callAt calls its function soon if the time has passed", () => {
  const call = vi.fn();
  callAt(Date.now() - day, call);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(1);
});

it.each([0, 30 * day])("callAt leaves no timer once it is cancelled after %d ms", (elapsed) => {
  const call = vi.fn();
  const cancel = callAt(Date.now() + 40 * day, call);
  vi.advanceTimersByTime(elapsed);
  cancel();
  expect(vi.getTimerCount()).toBe(0);
});
