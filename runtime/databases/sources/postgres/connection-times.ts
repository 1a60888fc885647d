/** Timeouts and intervals of connections in milliseconds, shortened in tests. */

export interface ConnectionTimes {
  /** Connection timeout if the connection string has no `connect_timeout`. */
  readonly connect: number;
  /** Idle time after which the operating system sends keep-alive probes. */
  readonly keepAlive: number;
  /** Interval between checks of running statements and waiting requests. */
  readonly tick: number;
  /** Time without received data after which the watch checks a running statement on the server. */
  readonly silence: number;
  /** Timeout of a check of a silent statement. Two consecutive failures mean that the server is unreachable. */
  readonly check: number;
  /** `silence` and `check` for health pings, which need a quick result. */
  readonly pingSilence: number;
  readonly pingCheck: number;
  /** Timeout of a cancel request, and of a statement after a cancel request or its time limit. */
  readonly cancel: number;
  /** Interval between pings of a connection that listens for notifications. */
  readonly ping: number;
  /** Time for the server to close an unused connection. */
  readonly close: number;
  /** Delay before another connection is tried after the server rejected one; doubled each time. */
  readonly regrow: number;
}

export const connectionTimes: ConnectionTimes = {
  connect: 10_000,
  keepAlive: 30_000,
  tick: 100,
  silence: 10_000,
  check: 3000,
  pingSilence: 500,
  pingCheck: 1500,
  cancel: 5000,
  ping: 10_000,
  close: 1000,
  regrow: 1000,
};
