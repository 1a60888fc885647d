/**
 * Calls between the primary and one worker, over the channel that Node opens between a process and its child. Both are
 * the same program of the same user: what comes through it is not checked, and nothing of it is written to the log.
 */
import type { Serializable } from "node:child_process";
import type { Socket } from "node:net";

/** What one end may be asked, by name: calls with one argument at most. */
export type Calls<Names extends object> = {
  readonly [Name in keyof Names]: (...given: never[]) => unknown;
};

type Message =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly message: string }
  | { readonly kind: "connection" }
  /** The connections that were taken, in the order in which they were given. */
  | { readonly kind: "taken" }
  | { readonly kind: "closed" };

/** `process` of a worker, or the child process of the primary. */
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
  /** A connection for this end. */
  readonly connection?: (connection: Socket) => void;
  /** The other end has taken the oldest connection that it has not taken yet. */
  readonly taken?: () => void;
  /** The other end has closed one that it had taken. */
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

/** One end. `Theirs`: what the other end answers; `Own`: what this one does. */
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

  /** @throws LinkClosed where the other end is gone before it answers; Error with its message where it fails */
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

  /** Gives a connection to the other end. It stays open here until it is closed here as well. */
  give(connection: Socket): void {
    this.#send({ kind: "connection" }, connection);
  }

  tell(kind: "taken" | "closed"): void {
    this.#send({ kind });
  }

  /**
   * The other end is gone: who waits for its answers is told. Node tells of that by `disconnect`, but not while it waits
   * for the receipt of a connection that was given to a process which was killed meanwhile.
   */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new LinkClosed());
    this.#waiting.clear();
  }

  #send(message: Message, connection?: Socket): void {
    // What cannot be sent has no receiver any more: `disconnect` follows.
    this.#channel.send?.(message as Serializable, connection, { keepOpen: true }, () => undefined);
  }

  #receive(message: Message, handle: Socket | undefined): void {
    switch (message.kind) {
      case "call":
        void this.#answer(message);
        break;
      case "answer":
        this.#settle(message.id)?.resolve(message.value);
        break;
      case "failure":
        this.#settle(message.id)?.reject(new Error(message.message));
        break;
      case "connection":
        // The client may have gone meanwhile.
        if (handle === undefined) {
          this.tell("taken");
          this.tell("closed");
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

  async #answer({ id, name, argument }: Message & { readonly kind: "call" }): Promise<void> {
    try {
      const call: (...given: never[]) => unknown = this.#own[name as keyof Own];
      this.#send({ kind: "answer", id, value: await call(argument as never) });
    } catch (error) {
      this.#send({ kind: "failure", id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
