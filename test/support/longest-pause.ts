/**
 * How long work holds the event loop.
 * @returns what the work returns, and the processor time in milliseconds of its longest part between two turns of the
 * event loop: other processes on the machine do not count
 */
export async function longestPause<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly pause: number }> {
  let pause = 0;
  let last = performance.now();
  let before = process.cpuUsage();
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(before);
    // Threads of the garbage collector count as processor time, too.
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
