/**
 * Serializes changes of the metadata in the whole server. A turn ends when every worker serves the stored metadata. A
 * worker that fails to do so is killed, so that no two versions are served after a change has been acknowledged.
 */
import { messageOf } from "../../values/message-of.ts";
import { within } from "../../values/timer.ts";

/** A worker that applies changes of other workers. */
export interface Follower {
  /** Time at which the worker became ready; `null` if it does not serve. */
  readonly readySince: number | null;
  /** Serves the stored metadata and resolves to its version. Rejects if the worker has ended or fails. */
  follow(handed: object | null): Promise<number>;
  kill(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
}

export interface ChangeTurnsSettings {
  readonly followers: () => readonly Follower[];
  /** Called with the reason when a worker is killed because it did not follow. */
  readonly failed: (follower: Follower, reason: string) => void;
  /** Timeout in milliseconds for a worker to follow. */
  readonly timeout?: number;
}

interface Turn {
  readonly follower: Follower;
  readonly begin: () => void;
}

/** Exceeds the time for compiling large metadata. */
const defaultTimeout = 30_000;

export class ChangeTurns {
  readonly #settings: ChangeTurnsSettings;
  readonly #waiting: Turn[] = [];
  #current: Follower | undefined;
  /**
   * The version that all workers serve or are about to serve. After a restore of the metadata database it may be lower
   * than before.
   */
  #version = 0;

  constructor(settings: ChangeTurnsSettings) {
    this.#settings = settings;
  }

  /** Resolves when it is the worker's turn. */
  begin(follower: Follower): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ follower, begin });
      this.#next();
    });
  }

  /**
   * Ends a turn. Resolves when all workers serve the stored metadata.
   * @param version version that the worker serves after its turn
   * @param handed data that the worker has read for the change
   */
  async end(follower: Follower, version: number, handed: object | null): Promise<void> {
    try {
      if (version !== this.#version) {
        this.#version = version;
        await this.#allFollow(follower, handed);
      }
    } finally {
      this.#finish(follower);
    }
  }

  /**
   * Brings a starting worker with `version` up to date, because other workers may have changed the metadata in the
   * meantime. If the starting worker is ahead of the other workers, a turn is in progress, and the other workers follow
   * when that turn ends.
   */
  async enter(follower: Follower, version: number): Promise<void> {
    if (version !== this.#version) await follower.follow(null);
  }

  /** Removes an ended worker. It may have stored a change without announcing it, so the remaining workers reload. */
  async remove(follower: Follower): Promise<void> {
    const index = this.#waiting.findIndex((turn) => turn.follower === follower);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (this.#current !== follower) return;
    await this.#allFollow(follower, null);
    this.#finish(follower);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const turn = this.#waiting.shift();
    this.#current = turn?.follower;
    turn?.begin();
  }

  #finish(follower: Follower): void {
    if (this.#current !== follower) return;
    this.#current = undefined;
    this.#next();
  }

  async #allFollow(changed: Follower, handed: object | null): Promise<void> {
    const others = this.#settings.followers().filter((each) => each !== changed && each.readySince !== null);
    await Promise.all(others.map((each) => this.#follows(each, handed)));
  }

  /** Resolves when the worker serves the stored metadata or has ended. */
  async #follows(follower: Follower, handed: object | null): Promise<void> {
    const { timeout = defaultTimeout, failed } = this.#settings;
    const failure = follower.follow(handed).then(
      (version) => (version < this.#version ? `it serves version ${version} of ${this.#version}` : undefined),
      (error: unknown) => messageOf(error),
    );
    const reason = await within(failure, timeout, `it did not respond within ${timeout / 1000} seconds`);
    if (reason === undefined) return;
    failed(follower, reason);
    follower.kill();
    await follower.ended;
  }
}
