/** Who may send: an instance that stood still, one that lost its row, one whose database is away. */
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
/** What the database does before it answers. */
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
  async freeForgotten() {
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

describe("an instance", () => {
  it("may send from its first renewal until the lease is over", async () => {
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
    "that stood still by its %s clock sends nothing until it has asked",
    async (clock) => {
      await lease.renew();
      const name = lease.current;
      time[clock] += 60_000;
      expect(lease.current).toBeUndefined();
      await lease.renew();
      // Nobody has removed it, so what it holds is still its own.
      expect(lease.current).toBe(name);
      expect(changes).toBe(2);
    },
  );

  it("that was removed goes on under another name", async () => {
    await lease.renew();
    const name = lease.current;
    rows.clear();
    await lease.renew();
    expect(lease.current).not.toBe(name);
    expect(rows).toEqual(new Set([lease.current]));
  });

  it("counts its lease from when it asked, not from the answer", async () => {
    await lease.renew();
    database = async () => pass(4000);
    await lease.renew();
    expect(lease.current).toBeDefined();
    pass(1000);
    expect(lease.current).toBeUndefined();
  });

  it("whose database is away sends nothing after the lease, and says so once", async () => {
    await lease.renew();
    database = () => Promise.reject(new EngineError("postgres-error", "$", "connection error"));
    for (let i = 0; i < 3; i++) {
      pass(2000);
      await lease.renew();
    }
    expect(lease.current).toBeUndefined();
    expect(lines.filter((line) => line.includes("No calls are taken"))).toHaveLength(1);
    database = async () => undefined;
    await lease.renew();
    expect(lease.current).toBeDefined();
    expect(lines.at(-1)).toContain("again");
  });

  it("does not wait for a renewal that hangs", async () => {
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
    // The late answer is to an old question.
    pass(2000);
    expect(lease.current).toBeUndefined();
    expect(rows).toEqual(new Set([name]));
  });

  it("removes others only after it has held its own lease for as long as one lasts", async () => {
    for (const _ of [1, 2, 3]) {
      await lease.renew();
      pass(2000);
    }
    expect(calls).not.toContain("expel");
    await lease.renew();
    expect(calls.filter((call) => call === "expel")).toHaveLength(1);
    expect(calls.filter((call) => call === "free")).toHaveLength(1);
    // After a gap it begins anew.
    pass(10_000);
    calls.length = 0;
    for (const _ of [1, 2, 3]) {
      await lease.renew();
      pass(2000);
    }
    expect(calls).not.toContain("expel");
  });

  it("gives everything back when it ends", async () => {
    await lease.renew();
    await lease.stop(1000);
    expect(lease.current).toBeUndefined();
    expect(rows.size).toBe(0);
    await lease.renew();
    expect(lease.current).toBeUndefined();
  });
});
