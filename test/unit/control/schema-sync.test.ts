import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ControlPlane } from "../../../runtime/control/control-plane.ts";
import { startSchemaSync } from "../../../runtime/control/schema-sync.ts";
import type { MetadataStore } from "../../../runtime/control/store.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { EngineError } from "../../../runtime/values/errors.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("Schema synchronization logs the loss and the return of the metadata database once each", async () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: "info", enabledLogTypes: new Set() },
    { write: (line) => void lines.push(JSON.parse(line).detail) },
  );
  let isUnreachable = true;
  const control = {
    retrySources: async () => undefined,
    isBehind: async () => {
      if (!isUnreachable) return false;
      throw new EngineError("postgres-error", "$", "the metadata database cannot be reached", { internal: "refused" });
    },
  } as Partial<ControlPlane> as ControlPlane;
  const store = { listen: () => async () => undefined } as Partial<MetadataStore> as MetadataStore;
  const times = { pollMilliseconds: 1000, healingMilliseconds: 0, startMilliseconds: 0 };
  const settings = { control, store, log, ...times, onCall: () => undefined };
  const sync = startSchemaSync(settings);
  await vi.advanceTimersByTimeAsync(60_000);
  const outage = { thread_type: "processor", error: "the metadata database cannot be reached: refused" };
  expect(lines).toEqual([outage]);
  isUnreachable = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([outage, { thread_type: "processor", info: "SchemaSync Restored..." }]);
  await sync.stop();
});
