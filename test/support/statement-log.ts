/** A TCP proxy without TLS in front of a PostgreSQL server that records the statements of clients. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface StatementLog {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Text of each executed statement, including repetitions. */
  readonly statements: string[];
  /** Ends all connections. */
  close(): Promise<void>;
}

export async function startStatementLog(databaseUrl: string): Promise<StatementLog> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("data", (chunk: Buffer) => to.write(chunk));
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const read = statementReader((text) => statements.push(text));
    client.on("data", read);
    pass(client, database);
    pass(database, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address !== null && typeof address === "object" ? address.port : 0);
  return {
    url: url.href,
    statements,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const protocol3 = 196_608;

/** Reads the messages of one client: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function statementReader(note: (text: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  const portals = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;
  const message = (type: string, body: Buffer): void => {
    const [first = "", second = ""] = body.toString("utf8").split("\0");
    if (type === "Q") note(first);
    else if (type === "P") prepared.set(first, second);
    else if (type === "B") portals.set(first, prepared.get(second) ?? "");
    else if (type === "E") note(portals.get(first) ?? "");
  };
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first messages, for encryption and protocol, have no type.
      const type = isStarted ? 1 : 0;
      if (rest.length < type + 4) return;
      const length = type + rest.readUInt32BE(type);
      if (rest.length < length) return;
      const body = rest.subarray(type + 4, length);
      if (isStarted) message(String.fromCharCode(rest[0] ?? 0), body);
      else isStarted = body.readUInt32BE(0) === protocol3;
      rest = rest.subarray(length);
    }
  };
}
