/** Watches a source for changes of the tables that a statement reads, so that polls can be less frequent. */
import type { ChangeWatch, SourceChange } from "../../databases/sources/source.ts";
import type { LiveQuery, LiveStatement } from "./live-query.ts";

export class SourceWatch {
  readonly #statement: LiveStatement;
  readonly #isPossible: boolean;
  readonly #onChange: (change: SourceChange) => void;
  #watch: "not started" | "starting" | ChangeWatch | null = "not started";
  #isStopped = false;

  /**
   * @param watchedSources names of the sources to watch
   * @param onChange called after a change, and once the watch has started or failed
   */
  constructor(statement: LiveStatement, watchedSources: ReadonlySet<string>, onChange: (change: SourceChange) => void) {
    const { source, user } = statement;
    this.#statement = statement;
    // The tables that a function reads are unknown.
    this.#isPossible = watchedSources.has(source.name) && source.watch !== undefined && user === undefined;
    this.#onChange = onChange;
  }

  get isLive(): boolean {
    return typeof this.#watch === "object" && this.#watch?.isLive === true;
  }

  /** Starts the watch on the first call. */
  begin(values: LiveQuery["values"]): void {
    if (this.#watch === "not started" && this.#isPossible) void this.#start(values);
  }

  stop(): void {
    this.#isStopped = true;
    if (typeof this.#watch === "object") this.#watch?.stop();
  }

  async #start(values: LiveQuery["values"]): Promise<void> {
    this.#watch = "starting";
    const { source, multiplexed } = this.#statement;
    const set = this.#statement.multiplexedValues([values]);
    const watch = await source.watch?.(multiplexed, set, this.#onChange).catch(() => null);
    this.#watch = watch ?? null;
    if (this.#isStopped) watch?.stop();
    else this.#onChange("possible");
  }
}
