/**
 * Measures how long work blocks the event loop.
 * @returns the result of the work, and the processor time in milliseconds of its longest uninterrupted part; other
 *   processes on the machine do not count
 */
export async function longestPause<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly pause: number }> {
  let pause = 0;
  let last = performance.now();
  let before = process.cpuUsage();
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(before);
    // Garbage collector threads count as processor time, too.
    pause = Math.max(pause, Math.min(now - last, (user + system) / 1000));
    last = now;
    before = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  turn();
  return { result, pause };
}
