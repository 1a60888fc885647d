/** The lease of an instance: after a suspension, without its row, and with an unreachable database. */
import { beforeEach, describe, expect, it } from "vitest";
import { Lease } from "../../../../runtime/jobs/delivery/lease.ts";
import type { Instances } from "../../../../runtime/jobs/delivery/queue.ts";
import { createLog } from "../../../../runtime/observe/logs/log.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

let time: { monotonic: number; wall: number };
let lines: string[];
let changes: number;
let calls: string[];
let rows: Set<string>;
/** Called before the database responds. */
let database: () => Promise<void>;
let lease: Lease;

function pass(milliseconds: number): void {
  time.monotonic += milliseconds;
  time.wall += milliseconds;
}

const instances: Instances = {
  async enter(instance) {
    await database();
    calls.push("enter");
    rows.add(instance);
  },
  async renew(instance) {
    await database();
    calls.push("renew");
    return rows.has(instance);
  },
  async leave([instance = ""]) {
    await database();
    calls.push("leave");
    rows.delete(instance);
  },
  async expel() {
    calls.push("expel");
    return 0;
  },
  async release() {
    calls.push("release");
    return true;
  },
  async freeStale() {
    calls.push("free");
  },
};

beforeEach(() => {
  time = { monotonic: 1000, wall: 1_000_000 };
  [lines, calls, rows, changes] = [[], [], new Set(), 0];
  database = async () => undefined;
  const output = { write: (line: string) => void lines.push(line) };
  lease = new Lease({
    instances,
    name: "default",
    logType: "event-trigger-process",
    log: createLog({ logLevel: "info", enabledLogTypes: new Set() }, output),
    onChange: () => changes++,
    clocks: { monotonic: () => time.monotonic, wall: () => time.wall },
  });
});

describe("Leases of instances", () => {
  it("An instance may deliver from its first renewal until its lease ends", async () => {
    expect(lease.current).toBeUndefined();
    await lease.renew();
    const name = lease.current;
    expect(rows).toEqual(new Set([name]));
    expect(changes).toBe(1);
    pass(4999);
    expect(lease.current).toBe(name);
    pass(1);
    expect(lease.current).toBeUndefined();
  });

  it.each(["monotonic", "wall"] as const)(
    "An instance that was suspended by its %s clock delivers nothing before it renews its lease",
    async (clock) => {
      await lease.renew();
      const name = lease.current;
      time[clock] += 60_000;
      expect(lease.current).toBeUndefined();
      await lease.renew();
      // No other instance has removed it, so its leases are still valid.
      expect(lease.current).toBe(name);
      expect(changes).toBe(2);
    },
  );

  it("An instance whose lease was removed continues under another name", async () => {
    await lease.renew();
    const name = lease.current;
    rows.clear();
    await lease.renew();
    expect(lease.current).not.toBe(name);
    expect(rows).toEqual(new Set([lease.current]));
  });

  it("A lease starts when its renewal is sent, not when the response arrives", async () => {
    await lease.renew();
    database = async () => pass(4000);
    await lease.renew();
    expect(lease.current).toBeDefined();
    pass(1000);
    expect(lease.current).toBeUndefined();
  });

  it("An instance without its database delivers nothing after its lease and logs the outage once", async () => {
    await lease.renew();
    database = () => Promise.reject(new EngineError("postgres-error", "$", "connection error"));
    for (let i = 0; i < 3; i++) {
      pass(2000);
      await lease.renew();
    }
    expect(lease.current).toBeUndefined();
    expect(lines.filter((line) => line.includes("Failed to renew the lease"))).toHaveLength(1);
    database = async () => undefined;
    await lease.renew();
    expect(lease.current).toBeDefined();
    expect(lines.at(-1)).toContain("again");
  });

  it("A lease ends on time while a renewal hangs", async () => {
    await lease.renew();
    let answer: (() => void) | undefined;
    database = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const hanging = lease.renew();
    pass(6000);
    expect(lease.current).toBeUndefined();
    database = async () => undefined;
    await lease.renew();
    expect(lease.current).toBeDefined();
    const name = lease.current;
    pass(3000);
    answer?.();
    await hanging;
    // The late response extends the lease only from the time of its request.
    pass(2000);
    expect(lease.current).toBeUndefined();
    expect(rows).toEqual(new Set([name]));
  });

  it("An instance removes expired instances only after it has held its own lease for a full duration", async () => {
    for (const _ of [1, 2, 3]) {
      await lease.renew();
      pass(2000);
    }
    expect(calls).not.toContain("expel");
    await lease.renew();
    expect(calls.filter((call) => call === "expel")).toHaveLength(1);
    expect(calls.filter((call) => call === "free")).toHaveLength(1);
    // After a gap, the duration starts again.
    pass(10_000);
    calls.length = 0;
    for (const _ of [1, 2, 3]) {
      await lease.renew();
      pass(2000);
    }
    expect(calls).not.toContain("expel");
  });

  it("A stopped instance releases its lease", async () => {
    await lease.renew();
    await lease.stop(1000);
    expect(lease.current).toBeUndefined();
    expect(rows.size).toBe(0);
    await lease.renew();
    expect(lease.current).toBeUndefined();
  });
});
