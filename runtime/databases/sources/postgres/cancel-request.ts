/**
 * Sends a cancel request on a separate connection, as the PostgreSQL protocol requires. Resolves when the server has
 * closed that connection: the signal has then reached the session and cannot hit a later statement.
 */
import { Connection } from "pg";
import type { Transport } from "./tls.ts";

export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  /** `false` for an unencrypted connection. */
  readonly tls: Transport;
  readonly processId: number;
  readonly secretKey: number;
}

/** Members of the driver's connection that its types omit. */
type RawConnection = Connection & {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
};

/**
 * Sends a cancel request.
 * @throws Error if the server did not accept the request in time
 */
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
    const timer = setTimeout(() => end(new Error("the server did not accept a cancel request in time")), milliseconds);
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
