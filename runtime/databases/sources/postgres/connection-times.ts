/** How long connections may take for what, in milliseconds; tests make it less. */

export interface ConnectionTimes {
  /** For a connection to be made, where the connection string has no `connect_timeout`. */
  readonly connect: number;
  /** A connection that is silent for so long is probed by the operating system. */
  readonly keepAlive: number;
  /** Statements that run and requests that wait are looked at so often. */
  readonly look: number;
  /** A statement without a sign of life for so long has its server asked about it. */
  readonly silence: number;
  /** For the server to answer that; two failures in a row mean that it cannot be reached. */
  readonly check: number;
  /** The same two for a ping, which is asked by somebody who wants to know soon, and takes no time. */
  readonly pingSilence: number;
  readonly pingCheck: number;
  /** For the server to take a cancel request, and for a statement to end after one or after its time limit. */
  readonly cancel: number;
  /** A connection that waits for notifications is tried so often. */
  readonly ping: number;
  /** For the server to close a connection that is not needed any more. */
  readonly farewell: number;
  /** After the server has refused a connection too many, the first wait before another one is tried; doubled. */
  readonly regrow: number;
}

export const connectionTimes: ConnectionTimes = {
  connect: 10_000,
  keepAlive: 30_000,
  look: 100,
  silence: 10_000,
  check: 3000,
  pingSilence: 500,
  pingCheck: 1500,
  cancel: 5000,
  ping: 10_000,
  farewell: 1000,
  regrow: 1000,
};
