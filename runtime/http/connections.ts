/** What every kind of server does with its connections, whatever finds its routes. */
import type { Server, ServerOptions } from "node:http";
import { createServer as createNetServer, type Server as NetServer, type Socket } from "node:net";
import type { Options } from "../config/option-table.ts";
import { renderError } from "../values/error-body.ts";
import { EngineError, invariant } from "../values/errors.ts";
import { answerBare } from "./bare-answer.ts";
import { UpgradableRequest } from "./websocket/upgradable-request.ts";

export type ConnectionSettings = Pick<
  Options,
  "serverPort" | "serverHost" | "serverTimeoutSeconds" | "maxTotalHeaderLength"
>;

export type ListenSettings = Pick<Options, "serverPort" | "serverHost">;

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Longer than load balancers usually keep connections, so that they do not send a request to one that is closed. */
const keepAliveMilliseconds = 72_000;

export function httpOptions({ serverTimeoutSeconds, maxTotalHeaderLength }: ConnectionSettings) {
  return {
    IncomingMessage: UpgradableRequest,
    maxHeaderSize: maxTotalHeaderLength,
    headersTimeout: serverTimeoutSeconds * 1000,
    keepAliveTimeout: keepAliveMilliseconds,
    // Bodies have a deadline that depends on their length (`request-body.ts`).
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Node would take the first of several; a proxy in front may have looked at another one.
    joinDuplicateHeaders: true,
  } satisfies ServerOptions<typeof UpgradableRequest>;
}

/** A client that waits for a sign to send its body (`Expect: 100-continue`) gets it when the body is read. */
export function continueOnRead(server: Server<typeof UpgradableRequest>): void {
  server.on("checkContinue", (request, reply) => server.emit("request", request, reply));
}

/** A server that can have a second address. */
export interface Listener {
  readonly server: Pick<NetServer, "address" | "close">;
  readonly listen: (address: Address) => Promise<unknown>;
  /** Makes the server of the second address, which hands its connections to the first. */
  readonly second: () => NetServer;
}

/**
 * Listens where the settings say; `*`: everywhere, `localhost`: on 127.0.0.1 and ::1, each on systems without IPv6 too.
 * Rejects where an address cannot be listened on.
 * @returns the server of the second address; `null`: there is none
 */
export async function listenOn(
  { serverHost, serverPort: port }: ListenSettings,
  { server, listen, second }: Listener,
): Promise<NetServer | null> {
  if (serverHost.toLowerCase() === "localhost") {
    await listen({ host: "127.0.0.1", port });
    const other = second();
    try {
      await listenAt(other, { host: "::1", port: portOf(server) });
      return other;
    } catch (error) {
      // Of a port that the system chose, another program may have the IPv6 side.
      if (lacksAddress(error) || (port === 0 && codeOf(error) === "EADDRINUSE")) return null;
      server.close();
      throw error;
    }
  }
  if (serverHost !== "*") {
    await listen({ host: serverHost, port });
    return null;
  }
  try {
    // IPv4 too, on every usual system.
    await listen({ host: "::", port });
  } catch (error) {
    if (!lacksAddress(error)) throw error;
    await listen({ host: "0.0.0.0", port });
  }
  return null;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

/** Whether the system has no such address, as one without IPv6. */
function lacksAddress(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL";
}

/** Makes a server whose connections `server` serves, as if they had come through its own port. */
export function secondServer(server: Server<typeof UpgradableRequest>): NetServer {
  return createNetServer({ allowHalfOpen: true, noDelay: true }, (connection) => {
    server.emit("connection", connection);
  });
}

/** Rejects where the address cannot be listened on. */
export function listenAt(server: NetServer, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** @returns what takes connections that another process accepted, as if they had come through the server's own port */
export function adopter(server: Server<typeof UpgradableRequest>): (connection: Socket) => void {
  // From then on Node looks for clients that do not send what they began (`headersTimeout`).
  server.emit("listening");
  return (connection) => {
    // As Node has those that it accepts itself.
    connection.allowHalfOpen = true;
    connection.setNoDelay(true);
    server.emit("connection", connection);
    connection.resume();
  };
}

export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  invariant(address !== null && typeof address === "object", "a server that listens on a port has an address");
  return address.port;
}

/** What cannot be read as a request has no handler; the client is told on the bare socket. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = clientErrors[error.code ?? ""] ?? [400, "malformed HTTP request"];
  const body = renderError(new EngineError("bad-request", "$", message, { status }), false);
  answerBare(socket, status, { "content-type": "application/json; charset=utf-8" }, body);
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the headers of the request are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request did not arrive in time"],
};
