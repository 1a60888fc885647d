/**
 * Does work for each item, for so many at a time at most, in their order. After a failure nothing more is begun.
 * @throws what the work throws that fails first
 */
export async function forEachAtOnce<T>(
  items: readonly T[],
  most: number,
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
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}
