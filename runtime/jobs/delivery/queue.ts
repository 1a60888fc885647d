/**
 * Where calls that are due come from, whatever kind they are: events of a source, schedules, asynchronous actions. A
 * queue is a table that several instances share; each takes what it delivers.
 */
import type { ChangeWatch } from "../../databases/sources/source.ts";
import type { InvocationLog } from "./invocation-log.ts";

/** One call that was taken: nobody else delivers it while the instance lives. */
export interface QueuedCall {
  readonly id: string;
  /** What it belongs to, which says how it is delivered: the name of an event trigger. */
  readonly lane: string;
  /** The instance, as it was called when it took the call. */
  readonly instance: string;
  /** Attempts so far. */
  readonly tries: number;
}

/** How much is wanted of one lane. */
export interface Share {
  readonly lane: string;
  readonly count: number;
}

export interface Taken<Call extends QueuedCall> {
  readonly calls: readonly Call[];
  /**
   * Lanes that have something that cannot be taken yet, for a reason that ends without a word: they are to be asked again
   * soon.
   */
  readonly held: ReadonlySet<string>;
  /** Lanes that have been looked at in part: they are to be asked again at once. */
  readonly unfinished: ReadonlySet<string>;
}

/** What became of a call. Those of one queue are written together. */
export interface CallResult {
  readonly id: string;
  readonly lane: string;
  readonly instance: string;
  /** `free`: no attempt was made; `dead`: none is made, for a reason that the log may tell (schedules only). */
  readonly state: "delivered" | "error" | "retry" | "free" | "dead";
  /** Until it may be taken again; 0 unless given. */
  readonly waitSeconds?: number;
  /** Absent: nothing is stored of the attempt. */
  readonly log?: InvocationLog;
  /** What the call is made for, as JSON text: an answer, or why there is none (asynchronous actions only). */
  readonly answer?: string;
}

/**
 * The instances that share a queue, by the database's clock (`lease.ts` has the rules). Every method rejects with an
 * `EngineError` where the database does not do it.
 */
export interface Instances {
  enter(instance: string): Promise<void>;
  /** @returns `false` when another instance has removed this one */
  renew(instance: string): Promise<boolean>;
  /** Frees what these hold, and forgets them. */
  leave(instances: readonly string[]): Promise<void>;
  /** Removes those that gave no sign of life for so long, and frees what they held; @returns how many instances */
  expel(instance: string, seconds: number): Promise<number>;
  /**
   * Frees what the instance holds but for these calls: a look whose answer was lost may have taken some. The instance must
   * not begin another one meanwhile.
   * @returns `false`, and nothing is free: the look may be under way still, for as long as the database takes to find out
   * that nobody hears its answer
   */
  release(instance: string, known: readonly string[]): Promise<boolean>;
  /** Frees what was taken more than 30 minutes ago, by whomever. */
  freeForgotten(): Promise<void>;
}

/** Where the log tells of what happens to a queue. */
export type ProcessLogType = "event-trigger-process" | "scheduled-trigger-process" | "async-action-process";

export interface Queue<Call extends QueuedCall> {
  /** For the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  readonly instances: Instances;
  /** Nothing for an instance that others have removed. @param most of all shares together */
  take(instance: string, shares: readonly Share[], most: number): Promise<Taken<Call>>;
  /** All or nothing. What the instance does not hold any more is left alone, so that it may be repeated. */
  finish(results: readonly CallResult[]): Promise<void>;
  /**
   * Wants to be notified from now on: who says so takes once more before it sleeps.
   * @returns seconds until the next call of these lanes is due; `undefined`: none waits for a time
   */
  wait(instance: string, lanes: readonly string[]): Promise<number | undefined>;
  /** Wants no notifications: it comes back by itself. */
  stopWaiting(instance: string): Promise<void>;
  /** Absent: nobody tells of new calls. Resolves to `null` where it cannot be listened. */
  readonly listen?: ((onMessage: () => void) => Promise<ChangeWatch | null>) | undefined;
}
