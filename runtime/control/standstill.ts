/**
 * Notices that the process stood still, by the time since somebody last looked at the clock, and takes over what other
 * instances changed meanwhile before anything goes on. After a standstill timers and sockets are served in any order:
 * so it is those who go by the metadata who look (`Continuity`), the timer is only there to look in idle times.
 */
import type { Log } from "../observe/logs/log.ts";
import type { Continuity } from "../ports/continuity.ts";
import { type Clocks, systemClocks } from "../values/clocks.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { MetadataStore } from "./store.ts";

/** A longer time between two looks is a standstill: an instance learns of the changes of others in about that time. */
const longestPause = 1000;
/** An idle process looks so often. */
const lookMilliseconds = 250;
/** So long everybody waits for the metadata database at most; then requests are answered as while it is away. */
const patience = 5000;
/** A process that stands still again and again while it catches up does not wait for ever. */
const mostRounds = 3;

export interface StandstillParts {
  readonly control: Pick<ControlPlane, "synchronise">;
  readonly store: Pick<MetadataStore, "ping">;
  readonly log: Log;
  readonly clocks?: Clocks;
}

export class StandstillWatch implements Continuity {
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
    this.#timer = setInterval(() => this.#look(), lookMilliseconds);
    this.#timer.unref();
  }

  get standstills(): number {
    return this.#standstills;
  }

  settled(): Promise<void> | undefined {
    this.#look();
    return this.#settling;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const monotonic = this.#clocks.monotonic();
    const wall = this.#clocks.wall();
    const pause = Math.max(monotonic - this.#monotonic, wall - this.#wall);
    this.#monotonic = monotonic;
    this.#wall = wall;
    if (pause <= longestPause) return;
    this.#standstills++;
    this.#report(`The process stood still for ${(pause / 1000).toFixed(1)} s: asks for changes of the metadata.`);
    this.#settling ??= this.#settle();
  }

  /** What is heard before another standstill says nothing of the time afterwards. */
  async #settle(): Promise<void> {
    for (let round = 1; round <= mostRounds; round++) {
      const before = this.#standstills;
      await this.#catchUp();
      this.#look();
      if (this.#standstills === before) break;
    }
    this.#settling = undefined;
  }

  async #catchUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<never>((_, reject) => {
      const error = new Error(`no answer within ${patience / 1000} s`);
      timer = setTimeout(() => reject(error), patience);
    });
    try {
      await Promise.race([this.#synchronise(), outOfTime]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `What was changed during a standstill is not known, requests are answered as before: ${reason}`;
      this.#parts.log.error("schema-sync", { thread_type: "processor", error: message });
    } finally {
      clearTimeout(timer);
    }
  }

  async #synchronise(): Promise<void> {
    const { store, control } = this.#parts;
    // Connections from before may lead nowhere: a ping that gets no answer has them replaced.
    await store.ping().catch(() => undefined);
    await control.synchronise();
  }

  #report(info: string): void {
    this.#parts.log.info("schema-sync", { thread_type: "processor", info });
  }
}
