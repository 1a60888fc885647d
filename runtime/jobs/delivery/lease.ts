/**
 * The right of an instance to deliver what it has taken from a queue. It lives as long as the instance renews its row in
 * the database; when it dies, others remove the row and free what it held. A process that stood still finds out by its
 * own clocks, before it sends anything, that its right may be gone.
 *
 * - A lease is valid for `leaseMilliseconds` after a renewal was sent that the database has committed.
 * - Others remove a row by the database's clock, which looked at it later than the instance looked at its own: whenever a
 *   row is removed, the lease is void.
 * - After its row was removed the instance goes on under another name, so that nothing that it took before counts.
 * - Nobody removes rows before it has held its own lease without a gap for the time of one lease: after an outage of the
 *   database all of them are old.
 */
import { randomUUID } from "node:crypto";
import type { Log } from "../../observe/logs/log.ts";
import { type Clocks, type Moment, millisecondsSince, momentOf, systemClocks } from "../../values/clocks.ts";
import { EngineError } from "../../values/errors.ts";
import type { Instances, ProcessLogType } from "./queue.ts";
import { atMost } from "./sleep.ts";

/** In milliseconds. */
export interface LeaseTimes {
  readonly renewal: number;
  readonly lease: number;
  /** From one look at what is locked for more than half an hour to the next. */
  readonly forgotten: number;
}

const leaseTimes: LeaseTimes = { renewal: 2000, lease: 5000, forgotten: 600_000 };

export interface LeaseParts {
  readonly instances: Instances;
  readonly log: Log;
  /** Of the queue, for the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  /** The lease is valid again, or was taken anew; or others' calls became free. */
  readonly onChange: () => void;
  readonly clocks?: Clocks;
  readonly times?: LeaseTimes;
}

export class Lease {
  readonly #parts: LeaseParts;
  readonly #clocks: Clocks;
  readonly #times: LeaseTimes;
  #instance: string | undefined;
  /** When the last renewal that was committed was sent. */
  #renewed: Moment | undefined;
  /** Since when there was no gap. */
  #heldSince: Moment | undefined;
  #forgottenSince: Moment | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The renewal under way, and when it began: one that hangs is not waited for. */
  #renewing: { readonly work: Promise<void>; readonly since: Moment } | undefined;
  /** Of the renewals that were sent, and the last of them that was committed. */
  #sent = 0;
  #committed = 0;
  #isFailing = false;
  #isStopped = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#clocks = parts.clocks ?? systemClocks;
    this.#times = parts.times ?? leaseTimes;
  }

  /** What the instance is called, while it may take and send; `undefined`: it may not. */
  get current(): string | undefined {
    return this.#isValid() ? this.#instance : undefined;
  }

  start(): void {
    this.#timer = setInterval(() => void this.renew(), this.#times.renewal);
    void this.renew();
  }

  /** Looks for itself now; in the ordinary course a timer does. Never rejects. */
  renew(): Promise<void> {
    const under = this.#renewing;
    if (under && millisecondsSince(under.since, this.#clocks) < this.#times.lease) return under.work;
    const since = momentOf(this.#clocks);
    const work = this.#renewOnce(since)
      .then(
        () => this.#note(undefined),
        (error: unknown) => this.#note(error),
      )
      .finally(() => {
        if (this.#renewing?.since === since) this.#renewing = undefined;
      });
    this.#renewing = { work, since };
    return work;
  }

  /** Gives back everything that is still held, within so many milliseconds. Never rejects: others find out. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#renewed = undefined;
    await atMost(milliseconds, this.#leave());
  }

  async #leave(): Promise<void> {
    await this.#renewing?.work;
    if (this.#instance !== undefined) await this.#parts.instances.leave([this.#instance]).catch(() => undefined);
  }

  #isValid(): boolean {
    return this.#renewed !== undefined && millisecondsSince(this.#renewed, this.#clocks) < this.#times.lease;
  }

  async #renewOnce(sent: Moment): Promise<void> {
    const { instances, onChange } = this.#parts;
    const known = this.#instance;
    const number = ++this.#sent;
    const wasValid = this.#isValid();
    const lives = known !== undefined && (await instances.renew(known));
    if (this.#isStopped) return;
    if (!lives) await this.#enter();
    if (this.#isStopped) return;
    // An answer to an older question may come after that to a newer one.
    if (number > this.#committed) [this.#committed, this.#renewed] = [number, sent];
    if (!lives || !wasValid) {
      this.#heldSince = sent;
      onChange();
    }
    await this.#lookAfterOthers();
  }

  async #enter(): Promise<void> {
    const instance = randomUUID();
    this.#renewed = undefined;
    this.#instance = instance;
    await this.#parts.instances.enter(instance);
  }

  async #lookAfterOthers(): Promise<void> {
    const { instances, onChange } = this.#parts;
    const { lease, forgotten } = this.#times;
    const instance = this.current;
    if (instance === undefined || this.#heldSince === undefined) return;
    if (millisecondsSince(this.#heldSince, this.#clocks) < lease) return;
    if ((await instances.expel(instance, lease / 1000)) > 0) onChange();
    if (this.#forgottenSince && millisecondsSince(this.#forgottenSince, this.#clocks) < forgotten) return;
    this.#forgottenSince = momentOf(this.#clocks);
    await instances.freeForgotten();
  }

  /** The log says once that it fails, and once that it succeeds again. */
  #note(error: unknown): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing || this.#isStopped) return;
    this.#isFailing = isFailing;
    const { log, name, logType } = this.#parts;
    if (!isFailing) log.info(logType, { message: "Calls are taken from the queue again", queue: name });
    else {
      const reason = error instanceof EngineError ? { code: error.code, message: error.message } : error;
      log.warn(logType, { message: "No calls are taken from the queue", queue: name, reason });
    }
  }
}
