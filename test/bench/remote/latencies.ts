/** Measures the latencies of small requests, sent one after the other. */
import { askText } from "../pairs.ts";

const small = { query: "{ __typename }" };

/** Returns the latencies in milliseconds, in ascending order. */
export async function latencies(port: number, seconds: number): Promise<readonly number[]> {
  const found: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begin = performance.now();
    const answer = await askText(port, small);
    found.push(performance.now() - begin);
    if (!answer.includes("query_root")) throw new Error(`the small request failed: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return found.sort((a, b) => a - b);
}

/** Returns the quantile of sorted values. */
export const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

export function shown(sorted: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(sorted, part).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`;
}
