/**
 * Claims calls from one queue and delivers them as slots become free. When the queue is empty, the loop sleeps until it
 * is notified, until the next retry is due, or for the polling interval.
 */

import type { ChangeWatch } from "../../databases/sources/source.ts";
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { shortage } from "../../values/shortage.ts";
import type { Lane } from "./deliver.ts";
import { failureReason } from "./failure-reason.ts";
import { LaneState } from "./lane-state.ts";
import { Lease, type LeaseParts } from "./lease.ts";
import type { CallResult, Queue, QueuedCall, Share, Taken } from "./queue.ts";
import { ResultWriter } from "./result-writer.ts";
import { Sleep, waitAtMost } from "./sleep.ts";
import type { Slots } from "./slots.ts";

export interface DeliveryLoopParts<Call extends QueuedCall, Of extends Lane> {
  readonly queue: Queue<Call>;
  /** Shared by all queues. */
  readonly slots: Slots;
  /** Makes one call. Rejects only on bugs. */
  readonly deliver: (call: Call, lane: Of) => Promise<CallResult>;
  /** Maximum number of calls in one claim. */
  readonly batchSize: number;
  readonly intervalMilliseconds: number;
  readonly log: Log;
  /** Called after every attempt to claim calls, with the duration; `calls` is `undefined` if the database failed. */
  readonly onTaken?: (calls: number | undefined, seconds: number) => void;
  /** Called after results have been written. */
  readonly onWritten?: () => void;
  /** Suppresses the warning about a backlog. */
  readonly ignoresBacklog?: boolean;
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

/** Initial and maximum pause in milliseconds before the next claim of calls that other transactions block. */
const heldPause = 25;
const maxHeldPause = 250;
/** Pause in milliseconds after a claim that found nothing but did not scan the whole queue. */
const unfinishedPause = 20;
/** Pause in milliseconds after a database error. */
const failurePause = 500;
/**
 * First idle pause in milliseconds. Transactions that began before this instance registered as waiting send no
 * notification, so the first polls follow at short intervals.
 */
const firstIdlePause = 50;
/** Pause in milliseconds while the process is short of a resource. */
const shortagePause = 500;
/** Number of consecutive claims with results after which notifications are turned off. */
const busyTakes = 3;
/** Pause in milliseconds between attempts to release calls of a failed claim. Other claims continue in the meantime. */
const releasePause = 1000;
/** Maximum number of calls held in memory, over all lanes. */
const maxReadyCalls = 1000;
/**
 * Delay in seconds before the next claim of a call for a lane that is not in the metadata (`docs/how-to/event-triggers.md`).
 */
const unknownPause = 60;

export class DeliveryLoop<Call extends QueuedCall, Of extends Lane> {
  readonly #parts: DeliveryLoopParts<Call, Of>;
  readonly #lease: Lease;
  readonly #results: ResultWriter;
  readonly #sleep = new Sleep();
  #lanes = new Map<string, LaneState<Call, Of>>();
  #watch: ChangeWatch | undefined;
  #isListening = false;
  readonly #inFlight = new Set<Call>();
  #running: Promise<void> | undefined;
  #isStopping = false;
  /** The instance id that is registered in the database as waiting for notifications. */
  #waitingInstance: string | undefined;
  /** Time of the next poll, on the clock of `performance.now`; `undefined` if the loop is not idle. */
  #idleUntil: number | undefined;
  #idlePause = firstIdlePause;
  #heldPause = heldPause;
  /** Number of consecutive claims with results. */
  #productiveTakes = 0;
  /** Total number of calls in consecutive full claims. */
  #takenInFull = 0;
  #isBehind = false;
  /** When the next retry is due, on the clock of `performance.now`; `undefined` if unknown. */
  #dueAt: number | undefined;
  #firstLane = 0;
  /** Set after a failed claim, which may have locked calls that this instance holds but does not deliver. */
  #mayHoldMore = false;
  /** Earliest time of the next release, on the clock of `performance.now`. */
  #releaseAt = 0;
  /** True between the first failed step and the next that succeeds. */
  #isFailing = false;
  /** Number of wake-ups. A claim that overlaps with a wake-up may have missed new calls. */
  #wakes = 0;
  readonly #stopListening: () => void;

  constructor(parts: DeliveryLoopParts<Call, Of>) {
    const { queue, log, slots, lease } = parts;
    this.#parts = parts;
    this.#lease = new Lease({
      ...lease,
      instances: queue.instances,
      log,
      name: queue.name,
      logType: queue.logType,
      onChange: () => this.wake(),
    });
    this.#results = new ResultWriter({
      finish: (results) => queue.finish(results),
      onWritten: (results) => this.#written(results),
      name: queue.name,
      logType: queue.logType,
      log,
    });
    this.#stopListening = slots.onFree(() => this.#pump());
  }

  /** Sets the lanes to deliver. Calls in flight keep their previous definition. */
  setLanes(lanes: readonly Of[]): void {
    const before = this.#lanes;
    this.#lanes = new Map(
      lanes.map((lane) => {
        const state = before.get(lane.name) ?? new LaneState(lane);
        state.lane = lane;
        return [lane.name, state];
      }),
    );
    for (const [name, { ready }] of before) {
      if (this.#lanes.has(name)) continue;
      for (const call of ready) this.#free(call, unknownPause);
    }
    this.wake();
  }

  start(): void {
    this.#lease.start();
    this.#running ??= this.#run();
  }

  /** Polls immediately: there may be new calls. */
  wake(): void {
    this.#wakes++;
    for (const state of this.#lanes.values()) state.isDry = false;
    this.#idleUntil = undefined;
    this.#pump();
    this.#sleep.wake();
  }

  /**
   * Stops claiming calls, waits up to `milliseconds` for calls in flight and releases the remaining calls. Never
   * rejects.
   */
  async stop(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    this.#isStopping = true;
    this.#sleep.wake();
    const rest = (): number => Math.max(end - performance.now(), resultGraceMilliseconds);
    await waitAtMost(rest(), this.#running ?? Promise.resolve());
    for (const { ready } of this.#lanes.values()) for (const call of ready.splice(0)) this.#free(call);
    while (this.#inFlight.size > 0 && performance.now() < end) await this.#sleep.sleep(end - performance.now());
    await waitAtMost(rest(), this.#results.drained());
    this.#stopListening();
    this.#watch?.stop();
    await this.#lease.stop(rest());
    this.#results.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const milliseconds = await this.#step().then(
        (milliseconds) => {
          this.#logTransition(undefined);
          return milliseconds;
        },
        (error: unknown) => {
          if (error instanceof EngineError) this.#logTransition(error);
          else this.#reportBug(error);
          return failurePause;
        },
      );
      const sleepMilliseconds = this.#mayHoldMore ? Math.min(milliseconds, releasePause) : milliseconds;
      if (sleepMilliseconds > 0 && !this.#isStopping) await this.#sleep.sleep(sleepMilliseconds);
    }
  }

  /** Runs one step of the loop. Returns the time to sleep in milliseconds. */
  async #step(): Promise<number> {
    const { intervalMilliseconds } = this.#parts;
    const instance = this.#lease.current;
    if (shortage.isOn) return this.#releaseReady();
    if (instance === undefined || this.#lanes.size === 0) return intervalMilliseconds;
    this.#listen();
    if (this.#mayHoldMore && performance.now() >= this.#releaseAt) await this.#release(instance);
    await this.#stopWaitingWhenBusy(instance);
    const shares = this.#shares();
    if (shares.length > 0) return await this.#take(instance, shares);
    const isDry = [...this.#lanes.values()].every((state) => state.isDry);
    return isDry ? await this.#idle(instance) : intervalMilliseconds;
  }

  /** Releases calls that have not been sent. Returns the time to sleep in milliseconds. */
  #releaseReady(): number {
    for (const { ready } of this.#lanes.values()) for (const call of ready.splice(0)) this.#free(call);
    for (const state of this.#lanes.values()) state.isDry = false;
    this.#idleUntil = undefined;
    return shortagePause;
  }

  #shares(): readonly Share[] {
    const { slots } = this.#parts;
    const states = [...this.#lanes.values()];
    if (this.#results.size > maxReadyCalls || this.#readyCalls() > maxReadyCalls) return [];
    const shares = states.map((state) => ({
      lane: state.lane.name,
      count: state.demand(slots.room(this.#slotOf(state.lane))),
    }));
    // Rotates the first lane, so that a batch limit does not always favour the same one.
    this.#firstLane = (this.#firstLane + 1) % states.length;
    return [...shares.slice(this.#firstLane), ...shares.slice(0, this.#firstLane)].filter(({ count }) => count > 0);
  }

  #readyCalls(): number {
    return [...this.#lanes.values()].reduce((sum, { ready }) => sum + ready.length, 0);
  }

  async #take(instance: string, shares: readonly Share[]): Promise<number> {
    const { queue, batchSize, onTaken } = this.#parts;
    for (const { lane } of shares) this.#lanes.get(lane)?.beginTake();
    const wakes = this.#wakes;
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    let taken: Taken<Call>;
    try {
      taken = await queue.take(instance, shares, batchSize);
    } catch (error) {
      this.#mayHoldMore = true;
      onTaken?.(undefined, seconds());
      throw error;
    }
    onTaken?.(taken.calls.length, seconds());
    for (const call of taken.calls) {
      const state = this.#lanes.get(call.lane);
      if (state) state.ready.push(call);
      else this.#free(call, unknownPause);
    }
    if (taken.calls.length < batchSize && wakes === this.#wakes) this.#markDry(shares, taken);
    const requested = shares.reduce((sum, { count }) => sum + count, 0);
    this.#updateBacklog(taken.calls.length, taken.calls.length >= Math.min(requested, batchSize));
    this.#productiveTakes = taken.calls.length > 0 ? this.#productiveTakes + 1 : 0;
    this.#pump();
    if (taken.held.size > 0 && taken.calls.length === 0) return this.#nextHeldPause();
    this.#heldPause = heldPause;
    return taken.calls.length === 0 && taken.unfinished.size > 0 ? unfinishedPause : 0;
  }

  async #release(instance: string): Promise<void> {
    this.#releaseAt = performance.now() + releasePause;
    const ready = [...this.#lanes.values()].flatMap((state) => state.ready);
    const known = [...ready, ...this.#inFlight, ...this.#results.pending()].map(({ id }) => id);
    if (!(await this.#parts.queue.instances.release(instance, known))) return;
    this.#mayHoldMore = false;
    this.wake();
  }

  #markDry(shares: readonly Share[], { calls, held, unfinished }: Taken<Call>): void {
    const counts = new Map<string, number>();
    for (const { lane } of calls) counts.set(lane, (counts.get(lane) ?? 0) + 1);
    for (const { lane, count } of shares) {
      const state = this.#lanes.get(lane);
      const isPartial = held.has(lane) || unfinished.has(lane);
      if (state && !isPartial && (counts.get(lane) ?? 0) < count) state.isDry = true;
    }
  }

  #nextHeldPause(): number {
    const milliseconds = this.#heldPause;
    this.#heldPause = Math.min(maxHeldPause, milliseconds * 2);
    return milliseconds;
  }

  /** Warns when three full batches have been claimed without a partial one in between, and again when that ends. */
  #updateBacklog(calls: number, isFull: boolean): void {
    const { batchSize, log, queue, ignoresBacklog: isBacklogUsual } = this.#parts;
    if (isBacklogUsual) return;
    this.#takenInFull = isFull ? this.#takenInFull + calls : 0;
    const isBehind = this.#takenInFull >= 3 * batchSize || (this.#isBehind && isFull);
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    log.warn("unstructured", { message: isBehind ? backlogWarning : backlogEnd, source: queue.name });
  }

  /** Handles an empty queue. Returns the time to sleep in milliseconds. */
  async #idle(instance: string): Promise<number> {
    const now = performance.now();
    if (this.#idleUntil !== undefined) {
      // The sleep ended early, before the poll is due.
      if (now < this.#idleUntil) return this.#idleUntil - now;
      this.wake();
      return 0;
    }
    const isLive = this.#watch?.isLive === true;
    const isNew = isLive && this.#waitingInstance !== instance;
    await this.#findDue(instance, isLive, isNew);
    if (isNew) {
      // Writers that did not see the registration sent no notification: claim again before sleeping.
      this.#idlePause = firstIdlePause;
      this.wake();
      return 0;
    }
    const { intervalMilliseconds } = this.#parts;
    const untilDue = Math.max(1, (this.#dueAt ?? 0) - now);
    const milliseconds = Math.min(intervalMilliseconds, untilDue, isLive ? this.#idlePause : intervalMilliseconds);
    this.#idlePause *= 2;
    this.#idleUntil = now + milliseconds;
    return milliseconds;
  }

  async #findDue(instance: string, isLive: boolean, isNew: boolean): Promise<void> {
    const { queue, intervalMilliseconds } = this.#parts;
    if (!isNew && this.#dueAt !== undefined && this.#dueAt > performance.now()) return;
    const mayWait = isLive || queue.listen === undefined;
    const seconds = mayWait ? await queue.wait(instance, [...this.#lanes.keys()]) : undefined;
    this.#waitingInstance = isLive ? instance : undefined;
    this.#dueAt = performance.now() + (seconds === undefined ? intervalMilliseconds : seconds * 1000);
  }

  async #stopWaitingWhenBusy(instance: string): Promise<void> {
    if (this.#waitingInstance === undefined || this.#productiveTakes < busyTakes) return;
    this.#waitingInstance = undefined;
    await this.#parts.queue.stopWaiting(instance);
  }

  /** Starts listening, once. After a failure, the next step tries again. */
  #listen(): void {
    const { queue } = this.#parts;
    if (this.#isListening || queue.listen === undefined) return;
    this.#isListening = true;
    queue
      .listen(() => this.wake())
      .then(
        (watch) => {
          this.#watch = watch ?? undefined;
          if (watch) this.wake();
        },
        () => {
          this.#isListening = false;
        },
      );
  }

  /** Starts as many calls as possible, taking one from each lane in turn. */
  #pump(): void {
    const instance = this.#lease.current;
    let started = true;
    while (
      started &&
      instance !== undefined &&
      !shortage.isOn &&
      !this.#isStopping &&
      this.#results.size < maxReadyCalls
    ) {
      started = false;
      for (const state of this.#lanes.values()) started = this.#startOne(state, instance) || started;
    }
  }

  #startOne(state: LaneState<Call, Of>, instance: string): boolean {
    // Calls claimed under an expired lease may belong to another instance.
    while (state.ready[0] && state.ready[0].instance !== instance) state.ready.shift();
    const [call] = state.ready;
    if (call === undefined || !this.#parts.slots.take(this.#slotOf(state.lane))) return false;
    state.ready.shift();
    this.#send(call, state);
    return true;
  }

  #send(call: Call, state: LaneState<Call, Of>): void {
    const { slots, deliver } = this.#parts;
    const { lane } = state;
    this.#inFlight.add(call);
    const ended = (result: CallResult): void => {
      this.#results.add(result);
      this.#inFlight.delete(call);
      state.ended();
      slots.give(this.#slotOf(lane));
      this.#sleep.wake();
    };
    deliver(call, lane).then(ended, (bug: unknown) => {
      this.#reportBug(bug);
      const { id, lane: name, instance } = call;
      ended({ id, lane: name, instance, state: "free", waitSeconds: unknownPause });
    });
  }

  #slotOf({ name }: Of): string {
    return JSON.stringify([this.#parts.queue.name, name]);
  }

  #free({ id, lane, instance }: Call, waitSeconds = 0): void {
    this.#results.add({ id, lane, instance, state: "free", waitSeconds });
  }

  #written(results: readonly CallResult[]): void {
    const now = performance.now();
    for (const { lane, state, waitSeconds = 0 } of results) {
      const known = this.#lanes.get(lane);
      // Released calls can be claimed immediately, and no notification announces them.
      if (known !== undefined && (known.lane.isOrdered || state === "free")) known.isDry = false;
      if (state === "free") this.#idleUntil = undefined;
      if (state === "retry") this.#dueAt = Math.min(this.#dueAt ?? Number.POSITIVE_INFINITY, now + waitSeconds * 1000);
    }
    this.#sleep.wake();
    this.#parts.onWritten?.();
  }

  /** Logs the first failure of the database, and the first step that succeeds after it. */
  #logTransition(error: EngineError | undefined): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    const { log, queue } = this.#parts;
    if (!isFailing) log.info(queue.logType, { message: "Taking calls from the queue again", queue: queue.name });
    else {
      const message = "Failed to take calls from the queue; retrying";
      log.warn(queue.logType, { message, queue: queue.name, reason: failureReason(error) });
    }
  }

  #reportBug(error: unknown): void {
    this.#parts.log.error("unhandled-internal-error", { error });
  }
}

const backlogWarning =
  "Events processor may not be keeping up with events generated in postgres, or we're working on a backlog of events. " +
  "Consider increasing ENGINE_GRAPHQL_EVENTS_HTTP_POOL_SIZE";

const backlogEnd = "It looks like the events processor is keeping up again.";

/** Minimum time in milliseconds for writing results at shutdown. */
const resultGraceMilliseconds = 1000;
