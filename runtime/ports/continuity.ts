/**
 * Detects interruptions of the process. While the process was suspended (by a signal, a paused container, a suspended
 * machine), other instances may have changed its state, and their notifications may not have been read yet. Code that
 * depends on such state checks for interruptions before it starts and again before it sends the response.
 */
export interface Continuity {
  /** Number of interruptions detected so far. */
  readonly standstills: number;
  /**
   * Checks for an interruption. Resolves when changes of other instances have been applied or are unavailable; never
   * rejects.
   * @returns `undefined` if there is nothing to wait for, which is nearly always
   */
  settled(): Promise<void> | undefined;
}

/** For components that do not depend on state that other instances change. */
export const uninterrupted: Continuity = { standstills: 0, settled: () => undefined };
