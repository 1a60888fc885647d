/** One line in the log where a store stops answering, not one for each request. */

const betweenLines = 60_000;

/** Calls `write` with the first error, and with those that come a minute after the last one that it was called with. */
export function atMostOncePerMinute(write: (error: unknown) => void): (error: unknown) => void {
  let last = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now - last < betweenLines) return;
    last = now;
    write(error);
  };
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
