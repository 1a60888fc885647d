/** Results are written together and retried, and a result that the database refuses does not block others. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CallResult } from "../../../../runtime/jobs/delivery/queue.ts";
import { ResultWriter } from "../../../../runtime/jobs/delivery/result-writer.ts";
import { createLog } from "../../../../runtime/observe/logs/log.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const log = createLog({ logLevel: "info", enabledLogTypes: new Set() }, { write: () => undefined });
const result = (id: string): CallResult => {
  return { id, lane: "t", instance: "i", state: "delivered", log: { status: 200, request: '"r"', response: '"a"' } };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(finish: (results: readonly CallResult[]) => Promise<void>) {
  const written: string[] = [];
  const writer = new ResultWriter({
    finish,
    onWritten: (results) => written.push(...results.map(({ id }) => id)),
    name: "default",
    logType: "event-trigger-process",
    log,
  });
  return { writer, written };
}

it("The result writer writes all results that arrive during a write in one batch", async () => {
  const batches: number[] = [];
  let release: (() => void) | undefined;
  const { writer, written } = open((results) => {
    batches.push(results.length);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  writer.add(result("a"));
  await vi.advanceTimersByTimeAsync(0);
  for (const id of ["b", "c", "d"]) writer.add(result(id));
  release?.();
  await vi.advanceTimersByTimeAsync(0);
  release?.();
  await writer.drained();
  expect(batches).toEqual([1, 3]);
  expect(written).toEqual(["a", "b", "c", "d"]);
});

it("After an outage, the result writer returns to large batches step by step", async () => {
  const batches: number[] = [];
  let failures = 0;
  const { writer, written } = open(async (results) => {
    if (failures++ < 5) throw new EngineError("postgres-error", "$", "connection error");
    batches.push(results.length);
  });
  for (let n = 0; n < 100; n++) writer.add(result(String(n)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(batches).toEqual([1, 2, 4, 8, 16, 32, 37]);
  expect(new Set(written).size).toBe(100);
});

it("The result writer retries until the database is back", async () => {
  let isAway = true;
  const { writer, written } = open(async () => {
    if (isAway) throw new EngineError("postgres-error", "$", "connection error");
  });
  for (const id of ["a", "b"]) writer.add(result(id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writer.size).toBe(2);
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(written)).toEqual(new Set(["a", "b"]));
});

it("The result writer omits the texts of an attempt that the database refuses, and writes all others", async () => {
  const stored = new Map<string, string | undefined>();
  const { writer } = open(async (results) => {
    if (results.some(({ id, log: texts }) => id === "b" && texts?.request === '"r"')) {
      throw new EngineError("postgres-error", "$", "unsupported character");
    }
    for (const { id, log: texts } of results) stored.set(id, texts?.request);
  });
  for (const id of ["a", "b", "c"]) writer.add(result(id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stored).toEqual(
    new Map([
      ["a", '"r"'],
      ["c", '"r"'],
      ["b", "{}"],
    ]),
  );
});

it("The result writer drops a result that cannot be written for minutes", async () => {
  const { writer } = open(() => Promise.reject(new EngineError("postgres-error", "$", "no")));
  writer.add(result("a"));
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(writer.size).toBe(0);
});
