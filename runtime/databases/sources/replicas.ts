/**
 * Reads that any of several copies of a database may answer. Each goes to a random copy; one that cannot be reached is left
 * out until it answers again, and what no copy can answer is asked of the primary.
 */
import type { Caller } from "../../values/caller.ts";
import type { DatabaseSource, PreparedStatement, Reader, SqlValue, TextRow, TransactionOptions } from "./source.ts";

/**
 * What an error of a copy says: it is `gone`, or it is `unable` to run this statement now, which the primary may be able
 * to; `undefined`: the primary would fail as well.
 */
export type JudgeFailure = (error: unknown) => "gone" | "unable" | undefined;

export interface ReplicasSettings {
  readonly primary: Reader;
  /** At least one. */
  readonly copies: readonly DatabaseSource[];
  readonly judge: JudgeFailure;
  /** Whether a copy has reached a place of the log; may be rejected. */
  readonly hasReached: (copy: DatabaseSource, place: string) => Promise<boolean>;
  /** Told when a copy is left out, and when it is asked again. */
  readonly onChange: (copy: DatabaseSource, isAsked: boolean) => void;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** Milliseconds after which a copy that is left out is looked at, doubled each time that it is still away. */
const firstPause = 500;
const longestPause = 15_000;

interface Copy {
  readonly database: DatabaseSource;
  isOut: boolean;
  timer: NodeJS.Timeout | undefined;
}

interface Reading {
  readonly order: readonly Copy[];
  readonly after: string | undefined;
  readonly read: (on: Reader) => Promise<readonly TextRow[]>;
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
   * Stays with one copy as long as that can answer: what it read once is not older the next time.
   * @param after where a copy has to be before it is asked
   */
  reader(after?: string): Reader {
    const { random = Math.random } = this.#settings;
    const { length } = this.#copies;
    const first = Math.floor(random() * length);
    const order = this.#copies.map((_, i) => this.#copies[(first + i) % length] as Copy);
    return {
      query: (statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller) =>
        this.#read({ order, after, read: (on) => on.query(statement, values, caller), caller }),
      executeAlone: (options: TransactionOptions, statement: PreparedStatement, values: readonly SqlValue[]) =>
        this.#read({ order, after, read: (on) => on.executeAlone(options, statement, values), caller: options.caller }),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#copies) clearTimeout(timer);
    await Promise.all(this.#copies.map(({ database }) => database.close()));
  }

  /** A copy writes nothing, so whatever failed there may run again. */
  async #read({ order, after, read, caller }: Reading): Promise<readonly TextRow[]> {
    for (const copy of order) {
      if (copy.isOut) continue;
      try {
        if (after !== undefined && !(await this.#settings.hasReached(copy.database, after))) continue;
        return await read(copy.database);
      } catch (error) {
        const failure = caller?.aborted ? undefined : this.#settings.judge(error);
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
    this.#lookAfter(copy, firstPause);
  }

  #lookAfter(copy: Copy, pause: number): void {
    copy.timer = setTimeout(() => void this.#look(copy, pause), pause).unref();
  }

  async #look(copy: Copy, pause: number): Promise<void> {
    try {
      await copy.database.ping?.();
    } catch {
      if (!this.#isClosed) this.#lookAfter(copy, Math.min(2 * pause, longestPause));
      return;
    }
    if (this.#isClosed) return;
    copy.isOut = false;
    this.#settings.onChange(copy.database, true);
  }
}
