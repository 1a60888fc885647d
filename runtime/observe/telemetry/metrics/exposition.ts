/** Formats metrics in the Prometheus text format, version 0.0.4. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SeriesReading } from "../../../ports/metric-reading.ts";
import type { ReadFamily } from "./readings.ts";

/** Prefix of all metric names. */
export const metricPrefix = "engine_";

/** Number of lines written before yielding to other work: about half a millisecond. */
const linesPerTurn = 250;

export async function exposition(families: readonly ReadFamily[]): Promise<string> {
  let text = "";
  let lines = 0;
  for (const family of families) {
    const { help, kind } = family.row;
    const name = metricPrefix + family.row.name;
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${kind}\n`;
    for (const series of family.all()) {
      text +=
        kind === "histogram"
          ? histogramLines(name, family, series)
          : line(name, labelText(family, series), series.value);
      lines += kind === "histogram" ? family.bounds.length + 3 : 1;
      if (lines < linesPerTurn) continue;
      lines = 0;
      await nextTurn();
    }
  }
  return text;
}

function histogramLines(name: string, { labels, bounds }: ReadFamily, series: SeriesReading): string {
  const own = pairs(labels, series.labels);
  const before = own === "" ? "" : `${own},`;
  let sum = 0;
  let text = "";
  for (const [i, count] of series.buckets.entries()) {
    sum += count;
    text += line(`${name}_bucket`, `{${before}le="${bounds[i] ?? "+Inf"}"}`, sum);
  }
  const braces = own === "" ? "" : `{${own}}`;
  return `${text}${line(`${name}_sum`, braces, series.value)}${line(`${name}_count`, braces, series.count)}`;
}

function labelText({ labels }: ReadFamily, series: SeriesReading): string {
  const own = pairs(labels, series.labels);
  return own === "" ? "" : `{${own}}`;
}

function pairs(names: readonly string[], values: readonly string[]): string {
  return names.map((name, i) => `${name}="${escapeLabel(values[i] ?? "")}"`).join(",");
}

const line = (name: string, labels: string, value: number): string => `${name}${labels} ${value}\n`;

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n") : value;
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
}
