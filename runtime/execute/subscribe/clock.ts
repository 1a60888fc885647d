/** The clock that polling uses, replaceable in tests. */

export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /**
   * Calls once after a delay.
   * @returns a function that cancels the call
   */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    // Clients with subscriptions have open sockets, which keep the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
