/** The event streams that are open, and what ends all of them at once. */
import type { ServerResponse } from "node:http";
import type { Options } from "../../config/option-table.ts";
import type { Events } from "../../ports/request.ts";
import { callAt } from "../../values/call-at.ts";
import { EventStream } from "./event-stream.ts";
import { keepAlive } from "./event-text.ts";

export type EventStreamSettings = Pick<Options, "websocketKeepaliveSeconds" | "closeWebsocketsOnMetadataChange">;

export class EventStreams {
  readonly #settings: EventStreamSettings;
  readonly #open = new Set<EventStream>();

  constructor(settings: EventStreamSettings) {
    this.#settings = settings;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream on an answer whose head is written.
   * @param onSent told of the bytes of each event
   */
  open(reply: ServerResponse, { expiresAt }: Pick<Events, "expiresAt">, onSent: (bytes: number) => void): EventStream {
    const stream = new EventStream(reply, this.#settings.websocketKeepaliveSeconds, onSent);
    this.#open.add(stream);
    const forgetExpiry = expiresAt === undefined ? () => {} : callAt(expiresAt, () => stream.end());
    void stream.closed.then(() => {
      forgetExpiry();
      this.#open.delete(stream);
    });
    stream.send(keepAlive);
    return stream;
  }

  /** What streams were authenticated and planned for is no longer so: their clients come again. */
  metadataChanged(): void {
    if (this.#settings.closeWebsocketsOnMetadataChange) this.endAll();
  }

  /** Ends all, without `complete`: clients take it for a broken connection, and ask again. */
  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}
