/** Metrics as they were read one after the other → what is drawn. */
import { type Metrics, sumOf } from "../../http/health-api.ts";

export interface Sample {
  /** Seconds since 1970. */
  readonly time: number;
  readonly metrics: Metrics;
}

/** What one of the plots shows. */
export type Measure = (now: Sample, before: Sample) => number | null;

/** How much a counter grows in a second; `null` after a restart. */
export const rateOf =
  (name: string, has = ""): Measure =>
  (now, before) => {
    const grown = sumOf(now.metrics, name, has) - sumOf(before.metrics, name, has);
    return grown < 0 ? null : grown / (now.time - before.time);
  };

/** The mean of what a histogram of seconds took up meanwhile, in milliseconds; `null`: nothing. */
export const meanMilliseconds =
  (name: string): Measure =>
  (now, before) => {
    const count = sumOf(now.metrics, `${name}_count`) - sumOf(before.metrics, `${name}_count`);
    const seconds = sumOf(now.metrics, `${name}_sum`) - sumOf(before.metrics, `${name}_sum`);
    return count > 0 && seconds >= 0 ? (1000 * seconds) / count : null;
  };

/** @param scale what the value is multiplied by */
export const sumNow =
  (name: string, scale = 1): Measure =>
  ({ metrics }) =>
    metrics.has(name) ? scale * sumOf(metrics, name) : null;

/** One value for each sample but the first. */
export const measured = (samples: readonly Sample[], measure: Measure): readonly (number | null)[] =>
  samples.slice(1).map((sample, i) => measure(sample, samples[i] as Sample));
