/**
 * Runs `work` for each item in order, with bounded concurrency. After a failure, no further items are started.
 * @throws the first error of `work`
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  maxConcurrent: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const pending = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [i, item] of pending) {
      if (hasFailed) return;
      try {
        await work(item, i);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, worker));
}
