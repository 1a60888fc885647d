/**
 * Takes calls from one queue and delivers them, as fast as slots become free. Where nothing is left, it sleeps until it
 * is notified, until the next retry is due, or for the interval.
 */

import type { ChangeWatch } from "../../databases/sources/source.ts";
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { shortage } from "../../values/shortage.ts";
import type { Lane } from "./deliver.ts";
import { LaneState } from "./lane-state.ts";
import { Lease, type LeaseParts } from "./lease.ts";
import type { CallResult, Queue, QueuedCall, Share, Taken } from "./queue.ts";
import { ResultWriter } from "./result-writer.ts";
import { atMost, Sleep } from "./sleep.ts";
import type { Slots } from "./slots.ts";

export interface DeliveryLoopParts<Call extends QueuedCall, Of extends Lane> {
  readonly queue: Queue<Call>;
  /** Shared with other queues. */
  readonly slots: Slots;
  /** Makes one call. Rejects only with bugs. */
  readonly deliver: (call: Call, lane: Of) => Promise<CallResult>;
  /** Most calls that are taken at once. */
  readonly batchSize: number;
  readonly intervalMilliseconds: number;
  readonly log: Log;
  /** Told of every look at the queue, and how many seconds it took; `undefined`: the database did not answer. */
  readonly onTaken?: (calls: number | undefined, seconds: number) => void;
  /** Told when results have been written. */
  readonly onWritten?: () => void;
  /** Nobody is warned that calls wait. */
  readonly isBacklogUsual?: boolean;
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

/** In milliseconds: how soon to look again for what waits for others' transactions, and at most. */
const heldPause = 25;
const longestHeldPause = 250;
/** In milliseconds: from one look to the next where the last found nothing, but has not looked everywhere. */
const unfinishedPause = 20;
/** In milliseconds: after an error of the database. */
const failurePause = 500;
/** In milliseconds: those who wrote before it was said that somebody waits tell nobody; they are looked for so soon. */
const firstIdlePause = 50;
/** In milliseconds: from one look at whether the shortage of the process is over to the next. */
const shortagePause = 500;
/** Full looks in a row, after which it does not want to be notified. */
const busyLooks = 3;
/** In milliseconds: from one attempt to free what was taken without knowing to the next. Looks go on meanwhile. */
const releasePause = 1000;
/** In calls, of all lanes: what is held in memory. */
const mostReady = 1000;
/** A lane that the metadata does not have is looked for again after so many seconds (`docs/event-triggers.md`). */
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
  /** The name under which the database has been told that this instance waits. */
  #waitsAs: string | undefined;
  /** When to look again, by `performance.now`; `undefined`: it is not idle. */
  #idleUntil: number | undefined;
  #idlePause = firstIdlePause;
  #heldPause = heldPause;
  /** In a row that found something. */
  #looks = 0;
  /** By looks in a row that found all that they asked for. */
  #takenInFull = 0;
  #isBehind = false;
  /** When the next retry is due, by `performance.now`; `undefined`: unknown. */
  #dueAt: number | undefined;
  #firstLane = 0;
  /** A look has failed: what it may have taken all the same is held under this name, and nobody delivers it. */
  #mayHoldMore = false;
  /** Not before, by `performance.now`. */
  #releaseAt = 0;
  /** What is told during a look may be too late for it. */
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

  /** How calls are delivered from now on; those that are under way end as they began. */
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

  /** There may be something new. */
  wake(): void {
    this.#wakes++;
    for (const state of this.#lanes.values()) state.isDry = false;
    this.#idleUntil = undefined;
    this.#pump();
    this.#sleep.wake();
  }

  /** Takes nothing more, waits so long for what is under way, and gives the rest back. Never rejects. */
  async stop(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    this.#isStopping = true;
    this.#sleep.wake();
    const rest = (): number => Math.max(end - performance.now(), farewell);
    await atMost(rest(), this.#running ?? Promise.resolve());
    for (const { ready } of this.#lanes.values()) for (const call of ready.splice(0)) this.#free(call);
    while (this.#inFlight.size > 0 && performance.now() < end) await this.#sleep.sleep(end - performance.now());
    await atMost(rest(), this.#results.drained());
    this.#stopListening();
    this.#watch?.stop();
    await this.#lease.stop(rest());
    this.#results.giveUp();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const milliseconds = await this.#step().catch((error: unknown) => {
        if (!(error instanceof EngineError)) this.#bug(error);
        return failurePause;
      });
      const most = this.#mayHoldMore ? Math.min(milliseconds, releasePause) : milliseconds;
      if (most > 0 && !this.#isStopping) await this.#sleep.sleep(most);
    }
  }

  /** @returns how long to sleep, in milliseconds */
  async #step(): Promise<number> {
    const { intervalMilliseconds } = this.#parts;
    const instance = this.#lease.current;
    if (shortage.isOn) return this.#leaveToOthers();
    if (instance === undefined || this.#lanes.size === 0) return intervalMilliseconds;
    this.#listen();
    if (this.#mayHoldMore && performance.now() >= this.#releaseAt) await this.#release(instance);
    await this.#stopWaitingWhenBusy(instance);
    const shares = this.#shares();
    if (shares.length > 0) return await this.#take(instance, shares);
    const isDry = [...this.#lanes.values()].every((state) => state.isDry);
    return isDry ? await this.#idle(instance) : intervalMilliseconds;
  }

  /** Gives back what has not been sent. @returns how long to sleep, in milliseconds */
  #leaveToOthers(): number {
    for (const { ready } of this.#lanes.values()) for (const call of ready.splice(0)) this.#free(call);
    for (const state of this.#lanes.values()) state.isDry = false;
    this.#idleUntil = undefined;
    return shortagePause;
  }

  #shares(): readonly Share[] {
    const { slots } = this.#parts;
    const states = [...this.#lanes.values()];
    if (this.#results.size > mostReady || this.#readyCalls() > mostReady) return [];
    const shares = states.map((state) => ({
      lane: state.lane.name,
      count: state.wanted(slots.room(this.#slotOf(state.lane))),
    }));
    // Where there is not enough for all, another one is first the next time.
    this.#firstLane = (this.#firstLane + 1) % states.length;
    return [...shares.slice(this.#firstLane), ...shares.slice(0, this.#firstLane)].filter(({ count }) => count > 0);
  }

  #readyCalls(): number {
    return [...this.#lanes.values()].reduce((sum, { ready }) => sum + ready.length, 0);
  }

  async #take(instance: string, shares: readonly Share[]): Promise<number> {
    const { queue, batchSize, onTaken } = this.#parts;
    for (const { lane } of shares) this.#lanes.get(lane)?.look();
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
    if (taken.calls.length < batchSize && wakes === this.#wakes) this.#noteDry(shares, taken);
    const asked = shares.reduce((sum, { count }) => sum + count, 0);
    this.#noteBacklog(taken.calls.length, taken.calls.length >= Math.min(asked, batchSize));
    this.#looks = taken.calls.length > 0 ? this.#looks + 1 : 0;
    this.#pump();
    if (taken.held.size > 0 && taken.calls.length === 0) return this.#holdBack();
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

  #noteDry(shares: readonly Share[], { calls, held, unfinished }: Taken<Call>): void {
    const counts = new Map<string, number>();
    for (const { lane } of calls) counts.set(lane, (counts.get(lane) ?? 0) + 1);
    for (const { lane, count } of shares) {
      const state = this.#lanes.get(lane);
      const isPartial = held.has(lane) || unfinished.has(lane);
      if (state && !isPartial && (counts.get(lane) ?? 0) < count) state.isDry = true;
    }
  }

  #holdBack(): number {
    const milliseconds = this.#heldPause;
    this.#heldPause = Math.min(longestHeldPause, milliseconds * 2);
    return milliseconds;
  }

  /** Behind: as much as three full batches was taken, and no look found less than it asked for. */
  #noteBacklog(calls: number, isFull: boolean): void {
    const { batchSize, log, queue, isBacklogUsual } = this.#parts;
    if (isBacklogUsual) return;
    this.#takenInFull = isFull ? this.#takenInFull + calls : 0;
    const isBehind = this.#takenInFull >= 3 * batchSize || (this.#isBehind && isFull);
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    log.warn("unstructured", { message: isBehind ? backlogWarning : backlogEnd, source: queue.name });
  }

  /** Nothing is left of any lane. @returns how long to sleep, in milliseconds */
  async #idle(instance: string): Promise<number> {
    const now = performance.now();
    if (this.#idleUntil !== undefined) {
      // Something else has ended the sleep.
      if (now < this.#idleUntil) return this.#idleUntil - now;
      this.wake();
      return 0;
    }
    const isLive = this.#watch?.isLive === true;
    const isNew = isLive && this.#waitsAs !== instance;
    await this.#findDue(instance, isLive, isNew);
    if (isNew) {
      // Whoever wrote before that was known has told nobody: one look more before the sleep.
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
    const isAsked = isLive || queue.listen === undefined;
    const seconds = isAsked ? await queue.wait(instance, [...this.#lanes.keys()]) : undefined;
    this.#waitsAs = isLive ? instance : undefined;
    this.#dueAt = performance.now() + (seconds === undefined ? intervalMilliseconds : seconds * 1000);
  }

  async #stopWaitingWhenBusy(instance: string): Promise<void> {
    if (this.#waitsAs === undefined || this.#looks < busyLooks) return;
    this.#waitsAs = undefined;
    await this.#parts.queue.stopWaiting(instance);
  }

  /** Begins to listen, once; where that fails, the next step tries again. */
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

  /** Starts what may start, one of each lane in turn. */
  #pump(): void {
    const instance = this.#lease.current;
    let started = true;
    while (started && instance !== undefined && !shortage.isOn && !this.#isStopping && this.#results.size < mostReady) {
      started = false;
      for (const state of this.#lanes.values()) started = this.#startOne(state, instance) || started;
    }
  }

  #startOne(state: LaneState<Call, Of>, instance: string): boolean {
    // Others may have what was taken under another name.
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
      this.#bug(bug);
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
      // What was given back can be taken at once, and nothing notifies of it.
      if (known !== undefined && (known.lane.isOrdered || state === "free")) known.isDry = false;
      if (state === "free") this.#idleUntil = undefined;
      if (state === "retry") this.#dueAt = Math.min(this.#dueAt ?? Number.POSITIVE_INFINITY, now + waitSeconds * 1000);
    }
    this.#sleep.wake();
    this.#parts.onWritten?.();
  }

  #bug(error: unknown): void {
    this.#parts.log.error("unhandled-internal-error", { error });
  }
}

const backlogWarning =
  "Events processor may not be keeping up with events generated in postgres, or we're working on a backlog of events. " +
  "Consider increasing ENGINE_GRAPHQL_EVENTS_HTTP_POOL_SIZE";

const backlogEnd = "It looks like the events processor is keeping up again.";

/** In milliseconds: so long results have at the end, whatever else took its time. */
const farewell = 1000;
