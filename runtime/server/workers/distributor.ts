/**
 * Listens for the whole server and passes each connection to the worker with the fewest connections. Nothing is read
 * from a connection here, so that a connection not accepted by a killed worker can go to another worker.
 */
import { createServer, type Server, type Socket } from "node:net";
import { type ListenSettings, listenAt, listenOn, portOf } from "../../http/connections.ts";

/** A worker that can receive connections. */
export interface Receiver {
  /** Number of its connections. */
  readonly connections: number;
  readonly isStuck: boolean;
  give(connection: Socket): void;
}

export class Distributor {
  readonly #receivers: () => readonly Receiver[];
  readonly #server: Server;
  #second: Server | null = null;
  /** Connections that arrived while no worker could serve. */
  #waiting: Socket[] = [];
  #last: Receiver | undefined;

  /**
   * Creates the distributor.
   * @param receivers returns the workers that can serve now
   */
  constructor(receivers: () => readonly Receiver[]) {
    this.#receivers = receivers;
    this.#server = this.#createServer();
  }

  /** Starts listening. Returns the port. */
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

  /**
   * Returns the workers with the receiver of the last connection at the end, so that workers with equal numbers of
   * connections alternate.
   */
  #inTurn(): readonly Receiver[] {
    const receivers = this.#receivers();
    const next = this.#last === undefined ? 0 : receivers.indexOf(this.#last) + 1;
    return [...receivers.slice(next), ...receivers.slice(0, next)];
  }

  /** Distributes waiting connections after a worker has become ready. */
  retry(): void {
    this.distribute(this.#waiting.splice(0));
  }

  /** Stops listening and closes connections that no worker has received. */
  close(): void {
    this.#server.close();
    this.#second?.close();
    for (const connection of this.#waiting.splice(0)) connection.destroy();
  }
}

function leastBusy(receivers: readonly Receiver[]): Receiver | undefined {
  const awake = receivers.filter(({ isStuck }) => !isStuck);
  const [first, ...others] = awake.length > 0 ? awake : receivers;
  return others.reduce((best, each) => (best && each.connections < best.connections ? each : best), first);
}
