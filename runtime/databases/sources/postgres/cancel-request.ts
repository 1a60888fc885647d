/**
 * Asks a server to cancel what one of its connections runs: on a connection of its own, as the protocol wants it, which
 * carries nothing else. Resolves when the server has closed it: by then the signal has reached the other session, so
 * that it cannot hit a later statement.
 */
import { Connection } from "pg";
import type { Transport } from "./tls.ts";

export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  /** `false`: not encrypted. */
  readonly tls: Transport;
  readonly processId: number;
  readonly secretKey: number;
}

/** What the driver's connection has beyond its published types. */
type RawConnection = Connection & {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
};

/** @throws Error when the server did not take the request in time */
export function requestCancel(target: CancelTarget, milliseconds: number): Promise<void> {
  const { host, port, tls, processId, secretKey } = target;
  const connection = new Connection({ ssl: tls }) as RawConnection;
  return new Promise((resolve, reject) => {
    let isSent = false;
    const end = (error?: Error): void => {
      clearTimeout(timer);
      connection.stream.destroy();
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(() => end(new Error("the server did not take a cancel request in time")), milliseconds);
    const send = (): void => {
      isSent = true;
      connection.cancel(processId, secretKey);
    };
    connection.on("connect", () => (tls ? connection.requestSsl() : send()));
    connection.on("sslconnect", send);
    connection.on("error", end);
    connection.on("end", () => end(isSent ? undefined : new Error("the server closed the connection")));
    if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
