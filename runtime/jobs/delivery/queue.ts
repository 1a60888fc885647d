/**
 * The interface of a queue of due calls: events of a source, schedules, asynchronous actions. A queue is a table that
 * several instances share; each instance claims the calls that it delivers.
 */
import type { ChangeWatch } from "../../databases/sources/source.ts";
import type { InvocationLog } from "./invocation-log.ts";

/** A call claimed by an instance. No other instance delivers it while the lease lasts. */
export interface QueuedCall {
  readonly id: string;
  /** Name of the event trigger, schedule or action that defines the delivery. */
  readonly lane: string;
  /** Id of the instance when it claimed the call. */
  readonly instance: string;
  /** Number of attempts so far. */
  readonly tries: number;
}

/** The number of calls requested for one lane. */
export interface Share {
  readonly lane: string;
  readonly count: number;
}

export interface Taken<Call extends QueuedCall> {
  readonly calls: readonly Call[];
  /** Lanes with calls that cannot be claimed yet and become available without a notification: retry soon. */
  readonly held: ReadonlySet<string>;
  /** Lanes that were scanned only in part: retry immediately. */
  readonly unfinished: ReadonlySet<string>;
}

/** The result of a call. A queue writes results in batches. */
export interface CallResult {
  readonly id: string;
  readonly lane: string;
  readonly instance: string;
  /**
   * `free`: no attempt was made. `dead`: no attempt will be made, for the reason in the log if any (schedules only).
   */
  readonly state: "delivered" | "error" | "retry" | "free" | "dead";
  /** Seconds until the call may be claimed again. Default: 0. */
  readonly waitSeconds?: number;
  /** Absent if no invocation is stored. */
  readonly log?: InvocationLog;
  /** Response or error as JSON text (asynchronous actions only). */
  readonly answer?: string;
}

/**
 * The instances that share a queue, by the clock of the database (rules in `lease.ts`). Methods reject with an
 * `EngineError` if the database fails.
 */
export interface Instances {
  enter(instance: string): Promise<void>;
  /** Returns `false` if another instance has removed this one. */
  renew(instance: string): Promise<boolean>;
  /** Removes the instances and releases their calls. */
  leave(instances: readonly string[]): Promise<void>;
  /**
   * Removes other instances without a renewal for `seconds` and releases their calls. Returns the number of instances.
   */
  expel(instance: string, seconds: number): Promise<number>;
  /**
   * Releases all calls of the instance except `known`: a claim whose response was lost may have locked some. No other
   * claim may start until this resolves.
   * @returns `false` if nothing was released because the lost claim may still be running, until the database detects
   *   the broken connection
   */
  release(instance: string, known: readonly string[]): Promise<boolean>;
  /** Releases calls of any instance that were claimed more than 30 minutes ago. */
  freeStale(): Promise<void>;
}

/** Log types of queue messages. */
export type ProcessLogType = "event-trigger-process" | "scheduled-trigger-process" | "async-action-process";

export interface Queue<Call extends QueuedCall> {
  /** Name for the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  readonly instances: Instances;
  /**
   * Claims due calls. Returns none if the instance has been removed.
   * @param limit maximum number of calls over all shares
   */
  take(instance: string, shares: readonly Share[], limit: number): Promise<Taken<Call>>;
  /**
   * Writes results, all or nothing. Calls that the instance no longer holds are skipped, so a write may be repeated.
   */
  finish(results: readonly CallResult[]): Promise<void>;
  /**
   * Registers the instance for notifications. The caller must then try to claim again before it sleeps.
   * @returns seconds until the next call of these lanes is due, or `undefined` if none is scheduled
   */
  wait(instance: string, lanes: readonly string[]): Promise<number | undefined>;
  /** Unregisters the instance from notifications. */
  stopWaiting(instance: string): Promise<void>;
  /**
   * Listens for new calls. Absent if the queue sends no notifications; resolves to `null` if listening is unsupported.
   */
  readonly listen?: ((onMessage: () => void) => Promise<ChangeWatch | null>) | undefined;
}
