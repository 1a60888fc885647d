/**
 * Changes of the metadata, one at a time in the whole server. A turn is over when every worker serves what is stored: a
 * worker that does not get that far is ended, so that no two versions are served after a change was answered.
 */
import { within } from "../../values/within.ts";

/** A worker that follows the changes of others. */
export interface Follower {
  /** Since when it can serve; `null`: it does not serve. */
  readonly readySince: number | null;
  /** Resolves with the version that it serves, when it is the stored one. Rejects where it is gone or fails. */
  follow(handed: object | null): Promise<number>;
  kill(): void;
  /** Resolves when its process has ended. */
  readonly ended: Promise<unknown>;
}

export interface ChangeTurnsSettings {
  readonly followers: () => readonly Follower[];
  /** Told of a worker that was ended because it did not follow, and why. */
  readonly failed: (follower: Follower, reason: string) => void;
  /** In milliseconds: so long a worker may take to follow. */
  readonly patience?: number;
}

interface Turn {
  readonly follower: Follower;
  readonly begin: () => void;
}

/** Longer than large metadata takes to compile. */
const usualPatience = 30_000;

export class ChangeTurns {
  readonly #settings: ChangeTurnsSettings;
  readonly #waiting: Turn[] = [];
  #current: Follower | undefined;
  /** The version that all serve, or are to serve. A metadata database that was restored may go back to a lower one. */
  #version = 0;

  constructor(settings: ChangeTurnsSettings) {
    this.#settings = settings;
  }

  /** Resolves when it is this worker's turn. */
  begin(follower: Follower): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ follower, begin });
      this.#next();
    });
  }

  /**
   * Resolves when all serve what is stored.
   * @param version that the worker serves after its turn
   * @param handed what it has read for it
   */
  async end(follower: Follower, version: number, handed: object | null): Promise<void> {
    try {
      if (version !== this.#version) {
        this.#version = version;
        await this.#allFollow(follower, handed);
      }
    } finally {
      this.#over(follower);
    }
  }

  /**
   * A worker that is about to serve has `version`: the others may have gone on meanwhile. Where it is ahead of them, the
   * change is somebody's turn, whose end has the others follow.
   */
  async enter(follower: Follower, version: number): Promise<void> {
    if (version !== this.#version) await follower.follow(null);
  }

  /** Its process is gone. What it was changing may be stored, with nobody told of it. */
  async gone(follower: Follower): Promise<void> {
    const place = this.#waiting.findIndex((turn) => turn.follower === follower);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (this.#current !== follower) return;
    await this.#allFollow(follower, null);
    this.#over(follower);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const turn = this.#waiting.shift();
    this.#current = turn?.follower;
    turn?.begin();
  }

  #over(follower: Follower): void {
    if (this.#current !== follower) return;
    this.#current = undefined;
    this.#next();
  }

  async #allFollow(changed: Follower, handed: object | null): Promise<void> {
    const others = this.#settings.followers().filter((each) => each !== changed && each.readySince !== null);
    await Promise.all(others.map((each) => this.#follows(each, handed)));
  }

  /** Resolves when it serves what is stored, or nothing any more. */
  async #follows(follower: Follower, handed: object | null): Promise<void> {
    const { patience = usualPatience, failed } = this.#settings;
    const answer = follower.follow(handed).then(
      (version) => (version < this.#version ? `it serves version ${version} of ${this.#version}` : undefined),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const reason = await within(answer, patience, `it did not follow within ${patience / 1000} seconds`);
    if (reason === undefined) return;
    failed(follower, reason);
    follower.kill();
    await follower.ended;
  }
}
