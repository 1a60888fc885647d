/** Asks a source to tell when what a statement reads has changed, so that polls are not needed to find out. */
import type { ChangeWatch } from "../../databases/sources/source.ts";
import type { LiveQuery, LiveStatement } from "./live-query.ts";

export class SourceWatch {
  readonly #statement: LiveStatement;
  readonly #isPossible: boolean;
  readonly #onChange: () => void;
  #watch: "not yet" | "asked" | ChangeWatch | null = "not yet";
  #isStopped = false;

  /**
   * @param watchedSources names of the sources that are asked
   * @param onChange called when something has changed, and when the source has answered whether it will tell
   */
  constructor(statement: LiveStatement, watchedSources: ReadonlySet<string>, onChange: () => void) {
    const { source, user } = statement;
    this.#statement = statement;
    // Functions read what nobody knows.
    this.#isPossible = watchedSources.has(source.name) && source.watch !== undefined && user === undefined;
    this.#onChange = onChange;
  }

  /** The source tells of changes now. */
  get isLive(): boolean {
    return typeof this.#watch === "object" && this.#watch?.isLive === true;
  }

  /** Asks the source, unless it has been asked before. */
  begin(values: LiveQuery["values"]): void {
    if (this.#watch === "not yet" && this.#isPossible) void this.#ask(values);
  }

  stop(): void {
    this.#isStopped = true;
    if (typeof this.#watch === "object") this.#watch?.stop();
  }

  async #ask(values: LiveQuery["values"]): Promise<void> {
    this.#watch = "asked";
    const { source, multiplexed } = this.#statement;
    const set = this.#statement.multiplexedValues([values]);
    const watch = await source.watch?.(multiplexed, set, this.#onChange).catch(() => null);
    this.#watch = watch ?? null;
    if (this.#isStopped) watch?.stop();
    else this.#onChange();
  }
}
