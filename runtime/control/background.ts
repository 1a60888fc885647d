/** Work that nobody waits for, a piece at a time between the requests. */

/**
 * Does the pieces one after the other, each in a turn of its own, until there are none or they are not wanted any more.
 * @param failed is told of an error, which ends the work
 */
export function inBackground(
  work: Iterable<unknown>,
  { isWanted, failed }: { readonly isWanted: () => boolean; readonly failed: (error: unknown) => void },
): void {
  const pieces = work[Symbol.iterator]();
  const next = (): void => {
    if (!isWanted()) return;
    try {
      if (pieces.next().done === true) return;
    } catch (error) {
      failed(error);
      return;
    }
    setImmediate(next).unref();
  };
  setImmediate(next).unref();
}
