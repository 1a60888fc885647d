/**
 * Runs `work` in the background between requests, one step per turn of the event loop, until it ends or `isWanted` returns
 * false.
 * @param onError receives an error of a step, which ends the work
 */
export function inBackground(
  work: Iterable<unknown>,
  { isWanted, onError }: { readonly isWanted: () => boolean; readonly onError: (error: unknown) => void },
): void {
  const steps = work[Symbol.iterator]();
  const next = (): void => {
    if (!isWanted()) return;
    try {
      if (steps.next().done === true) return;
    } catch (error) {
      onError(error);
      return;
    }
    setImmediate(next).unref();
  };
  setImmediate(next).unref();
}
