/**
 * Detects that the process was suspended, by the time since the last clock check, and applies metadata changes of other
 * instances before requests continue. After a suspension, timers and sockets fire in any order. Code that uses the
 * metadata therefore checks for suspensions first (`Continuity`), and the timer only covers idle times.
 */

import type { Log } from "../observe/logs/log.ts";
import type { Continuity } from "../ports/continuity.ts";
import { type Clocks, systemClocks } from "../values/clocks.ts";
import { messageOf } from "../values/message-of.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { MetadataStore } from "./store.ts";

/**
 * Maximum time between two checks in milliseconds; a longer time is a suspension. Changes of other instances normally
 * arrive in about that time.
 */
const maxPause = 1000;
/** Interval between checks of an idle process. */
const checkMilliseconds = 250;
/** Time limit for the metadata database, in milliseconds. After it, requests run as during an outage of that database. */
const catchUpTimeout = 5000;
/** Maximum number of attempts to catch up, for a process that is suspended repeatedly. */
const maxRounds = 3;

export interface StandstillParts {
  readonly control: Pick<ControlPlane, "synchronise">;
  readonly store: Pick<MetadataStore, "ping">;
  readonly log: Log;
  readonly clocks?: Clocks;
}

export class SuspensionWatch implements Continuity {
  readonly #parts: StandstillParts;
  readonly #clocks: Clocks;
  readonly #timer: NodeJS.Timeout;
  #monotonic: number;
  #wall: number;
  #standstills = 0;
  #settling: Promise<void> | undefined;

  constructor(parts: StandstillParts) {
    this.#parts = parts;
    this.#clocks = parts.clocks ?? systemClocks;
    this.#monotonic = this.#clocks.monotonic();
    this.#wall = this.#clocks.wall();
    this.#timer = setInterval(() => this.#check(), checkMilliseconds);
    this.#timer.unref();
  }

  get standstills(): number {
    return this.#standstills;
  }

  settled(): Promise<void> | undefined {
    this.#check();
    return this.#settling;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const monotonic = this.#clocks.monotonic();
    const wall = this.#clocks.wall();
    const pause = Math.max(monotonic - this.#monotonic, wall - this.#wall);
    this.#monotonic = monotonic;
    this.#wall = wall;
    if (pause <= maxPause) return;
    this.#standstills++;
    this.#report(`The process was suspended for ${(pause / 1000).toFixed(1)} s; checking for metadata changes`);
    this.#settling ??= this.#settle();
  }

  /** Applies metadata changes of other instances, and repeats this if the process is suspended in between. */
  async #settle(): Promise<void> {
    for (let round = 1; round <= maxRounds; round++) {
      const before = this.#standstills;
      await this.#catchUp();
      this.#check();
      if (this.#standstills === before) break;
    }
    this.#settling = undefined;
  }

  async #catchUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = new Error(`no response within ${catchUpTimeout / 1000} s`);
      timer = setTimeout(() => reject(error), catchUpTimeout);
    });
    try {
      await Promise.race([this.#synchronise(), timeout]);
    } catch (error) {
      const reason = messageOf(error);
      const message = `Failed to check for metadata changes after a suspension; serving the previous metadata: ${reason}`;
      this.#parts.log.error("schema-sync", { thread_type: "processor", error: message });
    } finally {
      clearTimeout(timer);
    }
  }

  async #synchronise(): Promise<void> {
    const { store, control } = this.#parts;
    // Old connections may be dead: a failing ping replaces them.
    await store.ping().catch(() => undefined);
    await control.synchronise();
  }

  #report(info: string): void {
    this.#parts.log.info("schema-sync", { thread_type: "processor", info });
  }
}
