/** Seconds → what a column shows. */
export function shortTime(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const milliseconds = seconds * 1000;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
