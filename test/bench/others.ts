/** Latencies of requests that run beside other work. */

/**
 * Lets callers send requests one after the other until the work is done.
 * @param ask sends one request; its number differs each time
 * @returns the 99th percentile of the latencies in milliseconds, and the number of requests
 */
export async function othersDuring(
  callers: number,
  ask: (request: number) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<{ readonly p99: number; readonly requests: number }> {
  let isDone = false;
  let sent = 0;
  const times: number[] = [];
  const call = async (): Promise<void> => {
    while (!isDone) {
      const request = sent++;
      times.push((await seconds(() => ask(request))) * 1000);
    }
  };
  const calls = Array.from({ length: callers }, call);
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(calls);
  return { p99: percentile(times, 0.99), requests: times.length };
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

export const delay = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
