/** All subscriptions to remote servers (`docs/remote-schemas.md`). */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Subscription } from "../../ports/graphql.ts";
import { EngineError } from "../../values/errors.ts";
import { RemoteStream, type RemoteStreamParts, type RemoteStreamSettings } from "./remote-stream.ts";

/** More are refused. */
const mostAtOnce = 10_000;

/** So many are planned anew before other work gets its turn. */
const plannedAtOnce = 100;

export class RemoteStreams {
  readonly #settings: RemoteStreamSettings;
  readonly #running = new Set<RemoteStream>();

  constructor(settings: RemoteStreamSettings) {
    this.#settings = settings;
  }

  /**
   * Begins to deliver to the sink; whether the server can be reached is told there.
   * @throws EngineError where too many run
   */
  subscribe(parts: Omit<RemoteStreamParts, "onEnd">): Subscription {
    if (this.#running.size >= mostAtOnce) {
      throw new EngineError("remote-schema-error", "$", "too many subscriptions to remote servers");
    }
    const stream = new RemoteStream(this.#settings, { ...parts, onEnd: () => this.#running.delete(stream) });
    this.#running.add(stream);
    stream.start();
    return { stop: () => stream.stop() };
  }

  /** Plans everything anew; what is not valid any more ends with an error. */
  async metadataChanged(): Promise<void> {
    for (const [i, stream] of [...this.#running].entries()) {
      if (i > 0 && i % plannedAtOnce === 0) await nextTurn();
      stream.metadataChanged();
    }
  }

  close(): void {
    for (const stream of [...this.#running]) stream.stop();
  }
}
