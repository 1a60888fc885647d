import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SuspensionWatch } from "../../../runtime/control/suspension-watch.ts";
import type { Log } from "../../../runtime/observe/logs/log.ts";

let now: { monotonic: number; wall: number };
let watch: SuspensionWatch;
let logged: string[];
/** The outcome of each attempt to synchronise. */
let attempts: (() => Promise<void>)[];
let checks: number;
let ping: () => Promise<void>;

const works = (): Promise<void> => Promise.resolve();
const fails = (): Promise<void> => Promise.reject(new Error("connection refused"));

beforeEach(() => {
  now = { monotonic: 5000, wall: 1_000_000 };
  logged = [];
  attempts = [];
  checks = 0;
  const note = (_type: string, detail: unknown): void => void logged.push(JSON.stringify(detail));
  ping = works;
  const synchronise = (): Promise<void> => {
    checks++;
    return (attempts.shift() ?? works)();
  };
  const log = { info: note, error: note } as unknown as Log;
  const clocks = { monotonic: () => now.monotonic, wall: () => now.wall };
  watch = new SuspensionWatch({ control: { synchronise }, store: { ping: () => ping() }, log, clocks });
});

afterEach(() => watch.stop());

function pass(milliseconds: number): void {
  now.monotonic += milliseconds;
  now.wall += milliseconds;
}

describe("The standstill watch", () => {
  it("The watch has nothing to wait for if it is called regularly", () => {
    for (let i = 0; i < 10; i++) {
      pass(1000);
      expect(watch.settled()).toBeUndefined();
    }
    expect([watch.standstills, checks]).toEqual([0, 0]);
  });

  it("The watch detects a suspension when it is called, before any timer, and all callers share one check", async () => {
    pass(1001);
    const settled = watch.settled();
    expect(settled).toBeInstanceOf(Promise);
    expect(watch.settled()).toBe(settled);
    await settled;
    expect(watch.settled()).toBeUndefined();
    expect([watch.standstills, checks]).toEqual([1, 1]);
    expect(logged.join()).toContain("suspended for 1.0 s");
  });

  it("The watch detects that the machine was suspended, even if its monotonic clock stopped, too", async () => {
    now.wall += 60_000;
    await watch.settled();
    expect([watch.standstills, checks]).toEqual([1, 1]);
  });

  it("The watch ignores a wall clock that is set back", async () => {
    now.wall -= 3_600_000;
    expect(watch.settled()).toBeUndefined();
    pass(2000);
    await watch.settled();
    expect(watch.standstills).toBe(1);
  });

  it("The watch checks again if the process is suspended during the check", async () => {
    attempts = [async () => pass(5000)];
    pass(2000);
    await watch.settled();
    expect([watch.standstills, checks]).toEqual([2, 2]);
  });

  it("The watch stops waiting after three checks if the process is suspended repeatedly", async () => {
    attempts = Array.from({ length: 100 }, () => async () => pass(5000));
    pass(2000);
    await watch.settled();
    expect(checks).toBe(3);
  });

  it("The watch still checks if a ping finds that earlier connections are dead", async () => {
    ping = fails;
    pass(2000);
    await watch.settled();
    expect([checks, logged.length]).toEqual([1, 1]);
  });

  it("The watch lets requests continue and logs it if the metadata database is unreachable", async () => {
    ping = fails;
    attempts = [fails];
    pass(2000);
    await watch.settled();
    expect([watch.settled(), checks]).toEqual([undefined, 1]);
    expect(logged.at(-1)).toContain("serving the previous metadata: connection refused");
  });
});
