/** The maximum delay of a timer, about 24 days. */
const maxDelay = 2 ** 31 - 1;

/**
 * Calls a function once, at `time` or soon if it has passed. Does not keep the process alive.
 * @param time time in milliseconds since 1970; may exceed the maximum delay of a timer
 * @returns a function that cancels the call
 */
export function callAt(time: number, call: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const remaining = time - Date.now();
    timer = remaining > maxDelay ? setTimeout(wait, maxDelay) : setTimeout(call, Math.max(remaining, 0));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}

/** Races a promise against a timeout. Returns `late` after the timeout, without cancelling the work. */
export async function within<T, L>(work: Promise<T>, milliseconds: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  return await Promise.race([work, end]).finally(() => clearTimeout(timer));
}
