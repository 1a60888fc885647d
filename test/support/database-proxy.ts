/** A TCP proxy in front of a database that can drop all packets and be closed. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface DatabaseProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Drops all traffic in both directions, silently. */
  freeze(): void;
  /** Drops all traffic of existing connections; new ones work. */
  freezeOld(): void;
  thaw(): void;
  /** Routes new connections to another server, like a load balancer. */
  leadTo(databaseUrl: string): void;
  /** Ends all connections. */
  cut(): void;
  /**
   * Drops the messages of NOTIFY, like a pooler that moves clients between connections; for connections without TLS.
   */
  holdMessages(held: boolean): void;
  /** Ends all connections, and refuses new ones. */
  close(): Promise<void>;
}

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isHolding = false;
  const apply = (socket: Socket, frozen = isFrozen): unknown => (frozen ? socket.pause() : socket.resume());
  const pass = (from: Socket, to: Socket, filter = (chunk: Buffer): Buffer => chunk): void => {
    sockets.add(from);
    from.on("data", (chunk: Buffer) => to.write(filter(chunk)));
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    apply(from);
  };
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    pass(client, database);
    pass(
      database,
      client,
      messageFilter(() => isHolding),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address !== null && typeof address === "object" ? address.port : 0);
  const set = (frozen: boolean): void => {
    isFrozen = frozen;
    for (const socket of sockets) apply(socket);
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    freeze: () => set(true),
    freezeOld: () => {
      for (const socket of sockets) apply(socket, true);
    },
    thaw: () => set(false),
    leadTo: (other) => {
      target = new URL(other);
    },
    holdMessages: (held) => {
      isHolding = held;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

const notification = "A".charCodeAt(0);

/** Splits the server's messages: a letter, a length in four bytes that includes itself, and the content. */
function messageFilter(isHolding: () => boolean): (chunk: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const passed: Buffer[] = [];
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      if (!isHolding() || rest[0] !== notification) passed.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(passed);
  };
}
