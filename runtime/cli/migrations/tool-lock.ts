/**
 * One tool at a time works with the migrations of a server: a lock with a lease in the server's metadata database, which
 * is renewed while the work lasts and ends by itself when the tool is killed.
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
const askEveryMs = 1_000;

/** @throws ConfigurationError for what is no number of seconds */
export function readLockTimeout(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const message = `expected a whole number of seconds, but found ${JSON.stringify(text)}`;
  throw new ConfigurationError([{ setting: "--lock-timeout", message }]);
}

/** Told when the lock was lost: throws then. */
export type EnsureAlone = () => void;

export interface LockRequest {
  /** What others are told to wait for. */
  readonly command: string;
  /** How long it waits at most. */
  readonly waitSeconds: number;
  /** Is told for whom it waits; a person at a terminal unless given. */
  readonly remark?: (line: string) => void;
}

/**
 * Waits for its turn, and does the work.
 * @throws EngineError `locked` when its turn does not come
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
      const asked = performance.now();
      const answer = await lock(leaseSeconds);
      if (isLocked(answer)) renewed = asked;
      else isLost = true;
    } catch {
      // The next one may succeed: the lease is longer than the interval.
    }
  }, renewEveryMs);
  try {
    return await work(() => {
      if (!isLost && performance.now() - renewed < leaseSeconds * 1000) return;
      throw new EngineError(
        "locked",
        "$",
        "the lock on the server's migrations was lost: another tool may have gone on",
      );
    });
  } finally {
    clearInterval(renewal);
    // Without it, the next one waits until the lease ends.
    await lock(0).catch(() => undefined);
  }
}

async function untilLocked(
  lock: () => Promise<Json>,
  waitSeconds: number,
  remark: (line: string) => void,
): Promise<void> {
  const end = performance.now() + waitSeconds * 1000;
  let isTold = false;
  for (;;) {
    const answer = await lock();
    if (isLocked(answer)) return;
    const { held_by: by, since } = isObject<Json>(answer) ? answer : {};
    const holder = printable(`${String(by)} works on this server since ${String(since)}`);
    if (performance.now() >= end) throw new EngineError("locked", "$", `${holder}: try again when it has ended`);
    if (!isTold) remark(`waiting: ${holder}`);
    isTold = true;
    await delay(Math.min(askEveryMs, Math.max(0, end - performance.now())));
  }
}

function isLocked(answer: Json): boolean {
  return isObject<Json>(answer) && answer.locked === true;
}
