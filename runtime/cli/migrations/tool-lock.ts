/**
 * Locks the migrations of a server, so that one tool at a time changes them. The lock is a lease in the server's
 * metadata database: it is renewed while the work runs, and expires if the tool is killed.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Json } from "../../../compiler/catalog/model.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable, printRemark } from "../project/output.ts";

const leaseSeconds = 30;
const renewEveryMs = 5_000;
const retryEveryMs = 1_000;

/** @throws ConfigurationError */
export function readLockTimeout(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const message = `expected a whole number of seconds, but found ${JSON.stringify(text)}`;
  throw new ConfigurationError([{ setting: "--lock-timeout", message }]);
}

/** Throws if the lock has been lost. */
export type EnsureAlone = () => void;

export interface LockRequest {
  /** Name of this holder in the messages of waiting tools. */
  readonly command: string;
  readonly waitSeconds: number;
  /** Receives a line that names the current holder; by default, it is printed to a terminal. */
  readonly remark?: (line: string) => void;
}

/**
 * Runs `work` while holding the lock.
 * @throws EngineError `locked` if the lock is not free within `waitSeconds`
 */
export async function withToolLock<T>(
  call: CallMetadata,
  { command, waitSeconds, remark = printRemark }: LockRequest,
  work: (ensureAlone: EnsureAlone) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const lock = (seconds: number) => {
    const label = `${command} on ${hostname()}, process ${process.pid}`;
    return call({ type: "lock_catalog_state", args: { type: "cli", holder, label, seconds } });
  };
  await untilLocked(() => lock(leaseSeconds), waitSeconds, remark);
  let renewed = performance.now();
  let isLost = false;
  const renewal = setInterval(async () => {
    try {
      const sent = performance.now();
      if (isLocked(await lock(leaseSeconds))) renewed = sent;
      else isLost = true;
    } catch {
      // The next attempt may succeed, since the lease is longer than the interval.
    }
  }, renewEveryMs);
  try {
    return await work(() => {
      if (!isLost && performance.now() - renewed < leaseSeconds * 1000) return;
      throw new EngineError(
        "locked",
        "$",
        "lost the lock on the server's migrations; another tool may have changed them",
      );
    });
  } finally {
    clearInterval(renewal);
    // If this fails, the next tool waits until the lease expires.
    await lock(0).catch(() => undefined);
  }
}

async function untilLocked(
  lock: () => Promise<Json>,
  waitSeconds: number,
  remark: (line: string) => void,
): Promise<void> {
  const end = performance.now() + waitSeconds * 1000;
  let isReported = false;
  for (;;) {
    const response = await lock();
    if (isLocked(response)) return;
    const { held_by: by, since } = isObject<Json>(response) ? response : {};
    const holder = printable(`the server is locked by ${String(by)} since ${String(since)}`);
    if (performance.now() >= end) throw new EngineError("locked", "$", `${holder}; try again later`);
    if (!isReported) remark(`waiting: ${holder}`);
    isReported = true;
    await delay(Math.min(retryEveryMs, Math.max(0, end - performance.now())));
  }
}

function isLocked(response: Json): boolean {
  return isObject<Json>(response) && response.locked === true;
}
