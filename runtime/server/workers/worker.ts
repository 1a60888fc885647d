/** The worker's end of the channel: its calls to the primary and its handlers for the primary's calls. */
import type { Socket } from "node:net";
import type { MetadataFollower, Siblings } from "../../ports/siblings.ts";
import type { PrimaryCalls, WorkerCalls, WorkerStart } from "./calls.ts";
import { type Channel, Link } from "./link.ts";

/** Environment variable that the primary sets for its workers. */
export const workerVariable = "ENGINE_WORKER_PROCESS";

/** Returns true if this process was started as a worker. */
export function isWorker(): boolean {
  return process.env[workerVariable] !== undefined && process.send !== undefined;
}

export interface Worker<Settings> {
  readonly siblings: Siblings;
  /** Settings that the program passes to each worker. */
  readonly settings: Settings;
}

/** Resolves when the primary has sent the start message. */
export function becomeWorker<Settings>(): Promise<Worker<Settings>> {
  // Child processes of this worker are not workers.
  delete process.env[workerVariable];
  return new Promise((resolve) => {
    const member = new Member<Settings>(process as Channel, (start) =>
      resolve({ siblings: new WorkerSiblings(member, start), settings: start.settings }),
    );
    // Signals of a terminal or control group reach every process, but the primary decides when to stop.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => void member.leave());
    process.once("disconnect", () => member.stop());
  });
}

/** Registered handlers for calls of the primary. Defaults apply until the worker is ready. */
class Member<Settings> {
  readonly link: Link<PrimaryCalls, WorkerCalls<Settings>>;
  readonly stopped: Promise<void>;
  readonly stop: () => void;
  /** `undefined` for an artifact, which never changes. */
  follower: MetadataFollower | undefined;
  read: WorkerCalls<Settings>["read"] = () => ({});
  clear: WorkerCalls<Settings>["clear"] = async () => undefined;
  take: (connection: Socket) => void = (connection) => connection.destroy();

  constructor(channel: Channel, start: (start: WorkerStart<Settings>) => void) {
    const { promise, resolve } = withResolvers();
    this.stopped = promise;
    this.stop = resolve;
    const own: WorkerCalls<Settings> = {
      start,
      follow: async (handed) => {
        await this.follower?.follow(handed);
        return this.follower?.version() ?? 0;
      },
      hand: () => this.follower?.hand() ?? null,
      read: () => this.read(),
      clear: (cleared) => this.clear(cleared),
      stop: () => this.stop(),
    };
    this.link = new Link(channel, own, { connection: (connection) => this.#receive(connection) });
  }

  /** Stops only this worker, after the primary has stopped sending connections. */
  async leave(): Promise<void> {
    await this.link.call("leave").catch(() => undefined);
    this.stop();
  }

  #receive(connection: Socket): void {
    // Sent before anything is read, because a connection that was not accepted can go to another worker.
    this.link.notify("taken");
    connection.once("close", () => this.link.notify("closed"));
    this.take(connection);
  }
}

class WorkerSiblings<Settings> implements Siblings {
  readonly instance: string;
  readonly worker: number;
  readonly workers: number;
  readonly delivers: boolean;
  readonly stopped: Promise<void>;
  readonly #member: Member<Settings>;

  constructor(member: Member<Settings>, { instance, worker, workers, delivers }: WorkerStart<Settings>) {
    this.instance = instance;
    this.worker = worker;
    this.workers = workers;
    this.delivers = delivers;
    this.stopped = member.stopped;
    this.#member = member;
  }

  async open(take: (connection: Socket) => void): Promise<void> {
    const member = this.#member;
    member.take = take;
    await member.link.call("ready", member.follower?.version() ?? null);
  }

  async changing<T>(work: () => Promise<T>, handed: () => object | null): Promise<T> {
    const { link, follower } = this.#member;
    await link.call("beginChange");
    try {
      return await work();
    } finally {
      await link.call("endChange", { version: follower?.version() ?? 0, handed: handed() });
    }
  }

  onFollow(follower: MetadataFollower): void {
    this.#member.follower = follower;
  }

  handed(): Promise<object | null> {
    return this.#member.link.call("handed");
  }

  take(client: string, operations: number, perMinute: number): Promise<boolean> {
    return this.#member.link.call("takeRate", { client, operations, perMinute });
  }

  onRead(read: Member<Settings>["read"]): void {
    this.#member.read = read;
  }

  readAll(): ReturnType<Siblings["readAll"]> {
    return this.#member.link.call("readAll");
  }

  onClear(clear: Member<Settings>["clear"]): void {
    this.#member.clear = clear;
  }

  clearAll(cleared: Parameters<Siblings["clearAll"]>[0]): Promise<void> {
    return this.#member.link.call("clearAll", cleared);
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
