/**
 * Listens for the whole server, and gives each connection to the worker that has fewest. Nothing is read of it here: a
 * connection that a worker had not taken when it was killed goes to another one.
 */
import { createServer, type Server, type Socket } from "node:net";
import { type ListenSettings, listenAt, listenOn, portOf } from "../../http/connections.ts";

/** A worker that connections can be given to. */
export interface Receiver {
  /** How many it has. */
  readonly connections: number;
  readonly isStuck: boolean;
  give(connection: Socket): void;
}

export class Distributor {
  readonly #receivers: () => readonly Receiver[];
  readonly #server: Server;
  #second: Server | null = null;
  /** They came while no worker could serve. */
  #waiting: Socket[] = [];
  #last: Receiver | undefined;

  /** @param receivers those that can serve now */
  constructor(receivers: () => readonly Receiver[]) {
    this.#receivers = receivers;
    this.#server = this.#createServer();
  }

  /** @returns the port */
  async listen(settings: ListenSettings): Promise<number> {
    this.#second = await listenOn(settings, {
      server: this.#server,
      listen: (address) => listenAt(this.#server, address),
      second: () => this.#createServer(),
    });
    return portOf(this.#server);
  }

  #createServer(): Server {
    return createServer({ pauseOnConnect: true }, (connection) => this.distribute([connection]));
  }

  distribute(connections: readonly Socket[]): void {
    for (const connection of connections) {
      const receiver = leastBusy(this.#inTurn());
      if (receiver === undefined) this.#waiting.push(connection);
      else receiver.give(connection);
      this.#last = receiver;
    }
  }

  /** The one that got the last connection comes last: those that have equally many get them by turns. */
  #inTurn(): readonly Receiver[] {
    const receivers = this.#receivers();
    const next = this.#last === undefined ? 0 : receivers.indexOf(this.#last) + 1;
    return [...receivers.slice(next), ...receivers.slice(0, next)];
  }

  /** A worker can serve that could not before. */
  retry(): void {
    this.distribute(this.#waiting.splice(0));
  }

  /** No connection comes any more; what no worker has got yet is closed. */
  close(): void {
    this.#server.close();
    this.#second?.close();
    for (const connection of this.#waiting.splice(0)) connection.destroy();
  }
}

function leastBusy(receivers: readonly Receiver[]): Receiver | undefined {
  const awake = receivers.filter(({ isStuck }) => !isStuck);
  const [first, ...others] = awake.length > 0 ? awake : receivers;
  return others.reduce((least, each) => (least && each.connections < least.connections ? each : least), first);
}
