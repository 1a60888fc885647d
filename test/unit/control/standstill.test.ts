import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StandstillWatch } from "../../../runtime/control/standstill.ts";
import type { Log } from "../../../runtime/observe/logs/log.ts";

let now: { monotonic: number; wall: number };
let watch: StandstillWatch;
let logged: string[];
/** What becomes of each attempt to synchronise. */
let attempts: (() => Promise<void>)[];
let asked: number;
let ping: () => Promise<void>;

const works = (): Promise<void> => Promise.resolve();
const fails = (): Promise<void> => Promise.reject(new Error("connection refused"));

beforeEach(() => {
  now = { monotonic: 5000, wall: 1_000_000 };
  logged = [];
  attempts = [];
  asked = 0;
  const note = (_type: string, detail: unknown): void => void logged.push(JSON.stringify(detail));
  ping = works;
  const synchronise = (): Promise<void> => {
    asked++;
    return (attempts.shift() ?? works)();
  };
  const log = { info: note, error: note } as unknown as Log;
  const clocks = { monotonic: () => now.monotonic, wall: () => now.wall };
  watch = new StandstillWatch({ control: { synchronise }, store: { ping: () => ping() }, log, clocks });
});

afterEach(() => watch.stop());

function pass(milliseconds: number): void {
  now.monotonic += milliseconds;
  now.wall += milliseconds;
}

describe("the watch for standstills", () => {
  it("has nothing to wait for while somebody looks again and again", () => {
    for (let i = 0; i < 10; i++) {
      pass(1000);
      expect(watch.settled()).toBeUndefined();
    }
    expect([watch.standstills, asked]).toEqual([0, 0]);
  });

  it("notices a standstill when it is asked, before any timer, and all wait for the same question", async () => {
    pass(1001);
    const settled = watch.settled();
    expect(settled).toBeInstanceOf(Promise);
    expect(watch.settled()).toBe(settled);
    await settled;
    expect(watch.settled()).toBeUndefined();
    expect([watch.standstills, asked]).toEqual([1, 1]);
    expect(logged.join()).toContain("stood still for 1.0 s");
  });

  it("notices that the machine was suspended, while its monotonic clock stood still too", async () => {
    now.wall += 60_000;
    await watch.settled();
    expect([watch.standstills, asked]).toEqual([1, 1]);
  });

  it("is not misled by a wall clock that is set back", async () => {
    now.wall -= 3_600_000;
    expect(watch.settled()).toBeUndefined();
    pass(2000);
    await watch.settled();
    expect(watch.standstills).toBe(1);
  });

  it("asks anew when the process stood still again while it asked", async () => {
    attempts = [async () => pass(5000)];
    pass(2000);
    await watch.settled();
    expect([watch.standstills, asked]).toEqual([2, 2]);
  });

  it("does not wait for ever where the process stands still all the time", async () => {
    attempts = Array.from({ length: 100 }, () => async () => pass(5000));
    pass(2000);
    await watch.settled();
    expect(asked).toBe(3);
  });

  it("asks all the same where a ping has found that connections from before lead nowhere", async () => {
    ping = fails;
    pass(2000);
    await watch.settled();
    expect([asked, logged.length]).toEqual([1, 1]);
  });

  it("lets requests go on when the metadata database cannot be asked, and says so", async () => {
    ping = fails;
    attempts = [fails];
    pass(2000);
    await watch.settled();
    expect([watch.settled(), asked]).toEqual([undefined, 1]);
    expect(logged.at(-1)).toContain("requests are answered as before: connection refused");
  });
});
