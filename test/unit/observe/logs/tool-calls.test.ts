import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { createLog } from "../../../../runtime/observe/logs/log.ts";
import { ToolCallLog } from "../../../../runtime/observe/logs/tool-calls.ts";
import type { ToolCall } from "../../../../runtime/ports/services.ts";
import { noTelemetry } from "../../../../runtime/ports/telemetry.ts";

const call: ToolCall = {
  tool: "loans",
  role: "member",
  outcome: "success",
  code: null,
  milliseconds: 1.2345,
  requestId: "r1",
  client: "test",
};

function recorder(): { readonly calls: ToolCallLog; readonly lines: string[]; at(time: number): void } {
  const lines: string[] = [];
  let now = Date.UTC(2026, 10, 29, 12);
  const log = createLog(parseOptions({}, {}), { write: (line) => void lines.push(line) });
  return {
    calls: new ToolCallLog(log, noTelemetry.meters, () => now),
    lines,
    at: (time) => {
      now = time;
    },
  };
}

describe("Recorded calls of tools", () => {
  it("The list has the newest calls of the last hour, newest first", () => {
    const { calls, at } = recorder();
    const start = Date.UTC(2026, 10, 29, 12);
    for (let i = 0; i < 2500; i++) {
      at(start + i * 1000);
      calls.note({ ...call, requestId: `r${i}` });
    }
    const ids = () => calls.list().map(({ request_id }) => request_id);
    expect([ids().length, ids()[0], ids().at(-1)]).toEqual([1000, "r2499", "r1500"]);
    at(start + 2499 * 1000 + 59 * 60 * 1000);
    expect([ids().length, ids().at(-1)]).toEqual([60, "r2440"]);
    expect(calls.list()[0]).toEqual({
      at: "2026-11-29T12:41:39.000Z",
      tool: "loans",
      role: "member",
      outcome: "success",
      code: null,
      execution_time: 0.001235,
      client: "test",
      request_id: "r2499",
    });
  });

  it("Long names of callers are cut in the list, but not in the log", () => {
    const { calls, lines } = recorder();
    const long = "x".repeat(100_000);
    calls.note({ ...call, role: long, requestId: long });
    const [entry] = calls.list();
    expect([entry?.role.length, entry?.request_id.length]).toEqual([201, 201]);
    expect(lines.join("")).toContain(long);
  });
});
