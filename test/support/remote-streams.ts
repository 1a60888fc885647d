/**
 * A GraphQL server outside the engine with subscriptions, implemented by the protocol's library or message by message.
 */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { type WebSocket, WebSocketServer } from "ws";

export interface RemoteStreamServer {
  readonly port: number;
  /** The headers of the handshakes so far. */
  readonly handshakes: IncomingHttpHeaders[];
  /** The payload of `connection_init`, by connection. */
  readonly inits: unknown[];
  /** The operations that have started. */
  readonly begun: { readonly query: string; readonly variables?: unknown; readonly operationName?: unknown }[];
  /** The connections that are open. */
  readonly sockets: ReadonlySet<WebSocket>;
  close(): Promise<void>;
}

export interface RemoteStreamOptions {
  /** Resolvers of the root fields; those of subscriptions are async generators. */
  readonly root?: Readonly<Record<string, (args: never) => unknown>>;
  /** Handles connections instead of the library. */
  readonly onSocket?: (socket: WebSocket) => void;
  /** Returns the status with which a handshake is refused; `undefined` accepts it. */
  readonly refusal?: () => number | undefined;
}

export async function startRemoteStreams(
  sdl: string,
  { root, onSocket, refusal }: RemoteStreamOptions = {},
): Promise<RemoteStreamServer> {
  const schema = buildSchema(sdl);
  const handshakes: IncomingHttpHeaders[] = [];
  const inits: unknown[] = [];
  const begun: RemoteStreamServer["begun"] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const { query, variables } = JSON.parse(text);
      void graphql({ schema, source: query, rootValue: root, variableValues: variables }).then((answer) => {
        response.end(JSON.stringify(answer));
      });
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  const library = useServer(
    {
      schema,
      roots: { subscription: { ...root } },
      onConnect: ({ connectionParams }) => {
        inits.push(connectionParams);
      },
      onSubscribe: (_, __, payload) => {
        begun.push(payload);
      },
    },
    onSocket ? new WebSocketServer({ noServer: true }) : sockets,
  );
  if (onSocket) sockets.on("connection", onSocket);
  server.on("upgrade", (request, socket, head) => {
    handshakes.push(request.headers);
    const status = refusal?.();
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit("connection", ws, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    handshakes,
    inits,
    begun,
    sockets: sockets.clients,
    async close() {
      await library.dispose();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
