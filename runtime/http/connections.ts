/** Opens ports and handles connections, independently of routing. */
import { IncomingMessage, type Server, type ServerOptions } from "node:http";
import { createServer as createNetServer, type Server as NetServer, type Socket } from "node:net";
import type { Options } from "../config/option-table.ts";
import { renderError } from "../values/error-body.ts";
import { EngineError, invariant } from "../values/errors.ts";
import { writeBareResponse } from "./responses.ts";

export type ConnectionSettings = Pick<
  Options,
  "serverPort" | "serverHost" | "serverTimeoutSeconds" | "maxTotalHeaderLength"
>;

export type ListenSettings = Pick<Options, "serverPort" | "serverHost">;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Exceeds the usual keep-alive of load balancers, so that they never reuse a connection that this server is closing. */
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
    // By default, Node keeps only the first of several headers with one name; a proxy may have checked another one.
    joinDuplicateHeaders: true,
  } satisfies ServerOptions<typeof UpgradableRequest>;
}

/** Delays `100 Continue` for requests with `Expect: 100-continue` until the body is read. */
export function continueOnRead(server: Server<typeof UpgradableRequest>): void {
  server.on("checkContinue", (request, reply) => server.emit("request", request, reply));
}

export interface Listener {
  readonly server: Pick<NetServer, "address" | "close">;
  readonly listen: (address: Address) => Promise<unknown>;
  /** Creates the server of the second address, which passes its connections to the first. */
  readonly second: () => NetServer;
}

/**
 * Listens on the configured host: `*` is every address, `localhost` is 127.0.0.1 and ::1; IPv6 is optional.
 * Rejects if an address is not available.
 * @returns the server of the second address, if any
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
      // If the system chose the port for IPv4, another program may already use it on IPv6.
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
    // On most systems, `::` includes IPv4.
    await listen({ host: "::", port });
  } catch (error) {
    if (!lacksAddress(error)) throw error;
    await listen({ host: "0.0.0.0", port });
  }
  return null;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

/** Returns true if the system has no address of this kind, for example no IPv6 address. */
function lacksAddress(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL";
}

/** Creates a server whose connections are served by `server`. */
export function secondServer(server: Server<typeof UpgradableRequest>): NetServer {
  return createNetServer({ allowHalfOpen: true, noDelay: true }, (connection) => {
    server.emit("connection", connection);
  });
}

/** Listens at an address. Rejects if the address is not available. */
export function listenAt(server: NetServer, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Returns a function that makes `server` serve a connection accepted by another process. */
export function adopter(server: Server<typeof UpgradableRequest>): (connection: Socket) => void {
  // This event starts Node's check for incomplete requests (`headersTimeout`).
  server.emit("listening");
  return (connection) => {
    // Node applies these settings to connections that it accepts itself.
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

/** Responds on the bare socket to bytes that are not a valid request. */
export function respondToClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = clientErrors[error.code ?? ""] ?? [400, "malformed HTTP request"];
  const body = renderError(new EngineError("bad-request", "$", message, { status }), false);
  writeBareResponse(socket, status, { "content-type": "application/json; charset=utf-8" }, body);
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the headers of the request are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request did not arrive in time"],
};

/**
 * Restricts upgrades to WebSockets. Once a server listens for `upgrade`, Node emits it instead of `request` for every
 * request with an `Upgrade` header. Some clients (curl, Java's) offer HTTP/2 in every request; such requests must be
 * served as usual.
 */
export class UpgradableRequest extends IncomingMessage {
  // Not initialised: the parser sets `upgrade` before the initialisers of this class run.
  declare private hasUpgrade: boolean | null;

  /** `node:http` reads this after the last header. */
  get upgrade(): boolean {
    return this.hasUpgrade === true && this.headers.upgrade?.toLowerCase() === "websocket";
  }

  set upgrade(value: boolean | null) {
    this.hasUpgrade = value;
  }
}
