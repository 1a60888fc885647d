/**
 * Calls between the primary and one worker over Node's IPC channel. Both run the same program as the same user, so
 * messages are not validated, and their content is never logged.
 */

import type { Serializable } from "node:child_process";
import type { Socket } from "node:net";
import { messageOf } from "../../values/message-of.ts";

/** The calls that one end handles, by name, with at most one argument. */
export type Calls<Names extends object> = {
  readonly [Name in keyof Names]: (...args: never[]) => unknown;
};

type Message =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly message: string }
  | { readonly kind: "connection" }
  /** Acknowledges accepted connections, in the order in which they were sent. */
  | { readonly kind: "taken" }
  | { readonly kind: "closed" };

/** `process` in a worker, or the child process in the primary. */
export interface Channel {
  send?(
    message: Serializable,
    handle?: Socket,
    options?: { readonly keepOpen?: boolean },
    callback?: (error: Error | null) => void,
  ): boolean;
  on(event: "message", listener: (message: unknown, handle?: unknown) => void): unknown;
  once(event: "disconnect", listener: () => void): unknown;
}

export interface LinkEvents {
  /** Receives a connection. */
  readonly connection?: (connection: Socket) => void;
  /** Called when the other end has accepted the oldest pending connection. */
  readonly taken?: () => void;
  /** Called when the other end has closed an accepted connection. */
  readonly closed?: () => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class LinkClosed extends Error {
  constructor() {
    super("the process at the other end is gone");
    this.name = "LinkClosed";
  }
}

/** One end of the channel. `Theirs`: calls handled by the other end; `Own`: calls handled by this one. */
export class Link<Theirs extends Calls<Theirs>, Own extends Calls<Own>> {
  readonly #channel: Channel;
  readonly #own: Own;
  readonly #events: LinkEvents;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isClosed = false;

  constructor(channel: Channel, own: Own, events: LinkEvents = {}) {
    this.#channel = channel;
    this.#own = own;
    this.#events = events;
    channel.on("message", (message, handle) => this.#receive(message as Message, handle as Socket | undefined));
    channel.once("disconnect", () => this.close());
  }

  /**
   * Calls the other end.
   * @throws LinkClosed if the other end exits before it responds; Error with its message if the call fails
   */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...[argument]: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new LinkClosed());
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ kind: "call", id, name, argument });
    });
  }

  /** Sends a connection to the other end. It stays open until both ends have closed it. */
  give(connection: Socket): void {
    this.#send({ kind: "connection" }, connection);
  }

  notify(kind: "taken" | "closed"): void {
    this.#send({ kind });
  }

  /**
   * Rejects pending calls after the other end has exited. Needed in addition to `disconnect`, which Node does not emit
   * while it waits for the receipt of a connection sent to a killed process.
   */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new LinkClosed());
    this.#waiting.clear();
  }

  #send(message: Message, connection?: Socket): void {
    // If a message cannot be sent, the other end has exited, and `disconnect` follows.
    this.#channel.send?.(message as Serializable, connection, { keepOpen: true }, () => undefined);
  }

  #receive(message: Message, handle: Socket | undefined): void {
    switch (message.kind) {
      case "call":
        void this.#handle(message);
        break;
      case "result":
        this.#settle(message.id)?.resolve(message.value);
        break;
      case "failure":
        this.#settle(message.id)?.reject(new Error(message.message));
        break;
      case "connection":
        // The client may have disconnected in the meantime.
        if (handle === undefined) {
          this.notify("taken");
          this.notify("closed");
        } else this.#events.connection?.(handle);
        break;
      case "taken":
        this.#events.taken?.();
        break;
      case "closed":
        this.#events.closed?.();
        break;
    }
  }

  async #handle({ id, name, argument }: Message & { readonly kind: "call" }): Promise<void> {
    try {
      const call: (...args: never[]) => unknown = this.#own[name as keyof Own];
      this.#send({ kind: "result", id, value: await call(argument as never) });
    } catch (error) {
      this.#send({ kind: "failure", id, message: messageOf(error) });
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
