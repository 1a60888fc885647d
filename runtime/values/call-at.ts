/** Calls at a time, which may be further away than a timer can wait. */

/** What timers take, about 24 days. */
const longestTimer = 2 ** 31 - 1;

/**
 * Calls once, at that time or, where it has passed, soon. The process may end before.
 * @param time in milliseconds since 1970
 * @returns cancels the call
 */
export function callAt(time: number, call: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = time - Date.now();
    timer = left > longestTimer ? setTimeout(wait, longestTimer) : setTimeout(call, Math.max(left, 0));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}
