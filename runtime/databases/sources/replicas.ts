/**
 * Distributes reads over replicas of a database. Each reader gets a random replica. An unreachable replica is skipped
 * until it responds again. Reads that no replica can serve go to the primary.
 */
import type { Caller } from "../../values/caller.ts";
import { byteReads } from "./byte-reads.ts";
import type { DatabaseSource, PreparedStatement, Reader, Reads, SqlValue, TransactionOptions } from "./source.ts";

/**
 * Classifies an error of a replica: `gone` if it is unreachable; `unable` if it cannot run this statement now, but the
 * primary may; `undefined` if the primary would also fail.
 */
export type ClassifyReplicaFailure = (error: unknown) => "gone" | "unable" | undefined;

export interface ReplicasSettings {
  readonly primary: Reader;
  /** At least one. */
  readonly copies: readonly DatabaseSource[];
  readonly classify: ClassifyReplicaFailure;
  /** Returns true if a replica has reached a position of the log. May reject. */
  readonly hasReached: (copy: DatabaseSource, place: string) => Promise<boolean>;
  /** Called when a replica is removed from use, and when it is used again. */
  readonly onChange: (copy: DatabaseSource, isInUse: boolean) => void;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
}

/** Delay in milliseconds before a removed replica is pinged, doubled after each failure. */
const firstPause = 500;
const maxPause = 15_000;

interface Copy {
  readonly database: DatabaseSource;
  isOut: boolean;
  timer: NodeJS.Timeout | undefined;
}

interface Reading<T> {
  readonly order: readonly Copy[];
  readonly after: string | undefined;
  readonly read: (on: Reader) => Promise<T>;
  readonly caller: Caller | undefined;
}

export class Replicas {
  readonly #settings: ReplicasSettings;
  readonly #copies: readonly Copy[];
  #isClosed = false;

  constructor(settings: ReplicasSettings) {
    this.#settings = settings;
    this.#copies = settings.copies.map((database) => ({ database, isOut: false, timer: undefined }));
  }

  /**
   * Returns a reader that uses one replica for as long as that replica can serve it, so that later reads never return
   * older data.
   * @param after log position that a replica must have reached
   */
  reader(after?: string): Reader {
    const { random = Math.random } = this.#settings;
    const { length } = this.#copies;
    const first = Math.floor(random() * length);
    const order = this.#copies.map((_, i) => this.#copies[(first + i) % length] as Copy);
    const reads = <Row>(form: (on: Reader) => Reads<Row>): Reads<Row> => ({
      query: (statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller) =>
        this.#read({ order, after, read: (on) => form(on).query(statement, values, caller), caller }),
      executeAlone: (options: TransactionOptions, statement: PreparedStatement, values: readonly SqlValue[]) => {
        const { caller } = options;
        return this.#read({ order, after, read: (on) => form(on).executeAlone(options, statement, values), caller });
      },
    });
    return { ...reads((on) => on), bytes: reads(byteReads) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#copies) clearTimeout(timer);
    await Promise.all(this.#copies.map(({ database }) => database.close()));
  }

  /** Runs a read. A failed read may be retried, because a replica cannot write. */
  async #read<T>({ order, after, read, caller }: Reading<T>): Promise<T> {
    for (const copy of order) {
      if (copy.isOut) continue;
      try {
        if (after !== undefined && !(await this.#settings.hasReached(copy.database, after))) continue;
        return await read(copy.database);
      } catch (error) {
        const failure = caller?.aborted ? undefined : this.#settings.classify(error);
        if (failure === undefined) throw error;
        if (failure === "unable") break;
        this.#leaveOut(copy);
      }
    }
    return read(this.#settings.primary);
  }

  #leaveOut(copy: Copy): void {
    if (copy.isOut || this.#isClosed) return;
    copy.isOut = true;
    this.#settings.onChange(copy.database, false);
    this.#schedulePing(copy, firstPause);
  }

  #schedulePing(copy: Copy, pause: number): void {
    copy.timer = setTimeout(() => void this.#ping(copy, pause), pause).unref();
  }

  async #ping(copy: Copy, pause: number): Promise<void> {
    try {
      await copy.database.ping?.();
    } catch {
      if (!this.#isClosed) this.#schedulePing(copy, Math.min(2 * pause, maxPause));
      return;
    }
    if (this.#isClosed) return;
    copy.isOut = false;
    this.#settings.onChange(copy.database, true);
  }
}
