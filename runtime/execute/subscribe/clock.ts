/** Time, as far as polling depends on it: tests turn their own clock. */

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /**
   * Calls once, after so many milliseconds.
   * @returns cancels the call
   */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    // Whoever waits for a result holds a socket, which keeps the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
