/**
 * The lease under which an instance delivers the calls that it has claimed from a queue. The lease lasts as long as the
 * instance renews its row in the database. When an instance dies, other instances remove its row and release its calls.
 * A process that was suspended detects by its own clocks, before it sends a request, that its lease may have expired.
 *
 * - A lease is valid for five seconds (`leaseTimes.lease`) after the instance sent a renewal that the database has
 *   committed.
 * - Other instances remove a row by the clock of the database, which was read later than the clock of the instance.
 *   When a row is removed, the lease has already expired.
 * - After the removal of its row, an instance continues under a new id, so that no earlier result is stored.
 * - An instance removes the rows of other instances only after it has held its own lease without a gap for the length
 *   of a lease: after an outage of the database, all rows are old.
 */

import { randomUUID } from "node:crypto";
import type { Log } from "../../observe/logs/log.ts";
import { type Clocks, type Moment, millisecondsSince, momentOf, systemClocks } from "../../values/clocks.ts";
import { failureReason } from "./failure-reason.ts";
import type { Instances, ProcessLogType } from "./queue.ts";
import { waitAtMost } from "./sleep.ts";

/** In milliseconds. */
export interface LeaseTimes {
  readonly renewal: number;
  readonly lease: number;
  /** Interval between checks for calls that have been locked for more than 30 minutes. */
  readonly staleCheck: number;
}

export const leaseTimes: LeaseTimes = { renewal: 2000, lease: 5000, staleCheck: 600_000 };

export interface LeaseParts {
  readonly instances: Instances;
  readonly log: Log;
  /** Name of the queue, for the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  /** Called when the lease becomes valid or gets a new id, and when calls of other instances have been released. */
  readonly onChange: () => void;
  readonly clocks?: Clocks;
  readonly times?: LeaseTimes;
}

export class Lease {
  readonly #parts: LeaseParts;
  readonly #clocks: Clocks;
  readonly #times: LeaseTimes;
  #instance: string | undefined;
  /** When the last committed renewal was sent. */
  #renewed: Moment | undefined;
  /** Start of the current period during which the lease was held without a gap. */
  #heldSince: Moment | undefined;
  #staleCheckedAt: Moment | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The renewal in flight and its start time. A renewal that hangs is replaced after the length of a lease. */
  #renewing: { readonly work: Promise<void>; readonly since: Moment } | undefined;
  /** Sequence numbers of the last renewal sent and of the last one committed. */
  #sent = 0;
  #committed = 0;
  #isFailing = false;
  #isStopped = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#clocks = parts.clocks ?? systemClocks;
    this.#times = parts.times ?? leaseTimes;
  }

  /** The id of the instance while the lease is valid, else `undefined`. */
  get current(): string | undefined {
    return this.#isValid() ? this.#instance : undefined;
  }

  start(): void {
    this.#timer = setInterval(() => void this.renew(), this.#times.renewal);
    void this.renew();
  }

  /** Renews the lease now. Called by a timer and by tests. Never rejects. */
  renew(): Promise<void> {
    const under = this.#renewing;
    if (under && millisecondsSince(under.since, this.#clocks) < this.#times.lease) return under.work;
    const since = momentOf(this.#clocks);
    const work = this.#renewOnce(since)
      .then(
        () => this.#logTransition(undefined),
        (error: unknown) => this.#logTransition(error),
      )
      .finally(() => {
        if (this.#renewing?.since === since) this.#renewing = undefined;
      });
    this.#renewing = { work, since };
    return work;
  }

  /** Releases all calls of the instance within `milliseconds`. Never rejects: after a failure, the lease expires. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#renewed = undefined;
    await waitAtMost(milliseconds, this.#leave());
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
    // Responses may arrive out of order.
    if (number > this.#committed) [this.#committed, this.#renewed] = [number, sent];
    if (!lives || !wasValid) {
      this.#heldSince = sent;
      onChange();
    }
    await this.#expelOthers();
  }

  async #enter(): Promise<void> {
    const instance = randomUUID();
    this.#renewed = undefined;
    this.#instance = instance;
    await this.#parts.instances.enter(instance);
  }

  async #expelOthers(): Promise<void> {
    const { instances, onChange } = this.#parts;
    const { lease, staleCheck } = this.#times;
    const instance = this.current;
    if (instance === undefined || this.#heldSince === undefined) return;
    if (millisecondsSince(this.#heldSince, this.#clocks) < lease) return;
    if ((await instances.expel(instance, lease / 1000)) > 0) onChange();
    if (this.#staleCheckedAt && millisecondsSince(this.#staleCheckedAt, this.#clocks) < staleCheck) return;
    this.#staleCheckedAt = momentOf(this.#clocks);
    await instances.freeStale();
  }

  /** Logs the first failure and the first success after failures. */
  #logTransition(error: unknown): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing || this.#isStopped) return;
    this.#isFailing = isFailing;
    const { log, name, logType } = this.#parts;
    if (!isFailing) log.info(logType, { message: "Renewed the lease; taking calls from the queue again", queue: name });
    else {
      const message = "Failed to renew the lease; no calls are taken from the queue";
      log.warn(logType, { message, queue: name, reason: failureReason(error) });
    }
  }
}
