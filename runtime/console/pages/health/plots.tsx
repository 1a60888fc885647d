/** Charts of server metrics, updated every few seconds while the tab is visible. */
import { useEffect, useState } from "preact/hooks";
import { configuration } from "../../configuration.ts";
import { areMetricsOff, labelOf, type Metrics, readMetrics } from "../../http/health-api.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Plot } from "../../parts/plot.tsx";

// Conversion of successive metric samples to chart values.

/** Metrics of the charts, each with the label that its values are grouped by. */
const groups: Readonly<Record<string, string | null>> = {
  engine_graphql_requests_total: "response_status",
  engine_graphql_execution_time_seconds_count: null,
  engine_graphql_execution_time_seconds_sum: null,
  engine_cache_request_count: "status",
  engine_postgres_connections: "source_name",
  engine_postgres_pool_wait_time_count: null,
  engine_postgres_pool_wait_time_sum: null,
  engine_active_subscriptions: "operation_name",
  engine_process_cpu_seconds_total: null,
  engine_event_loop_utilization_ratio: null,
  engine_process_resident_memory_bytes: null,
  engine_subscription_lag_seconds_count: null,
  engine_subscription_lag_seconds_sum: null,
  engine_event_lag_seconds_count: null,
  engine_event_lag_seconds_sum: null,
  engine_metadata_lag_seconds_count: null,
  engine_metadata_lag_seconds_sum: null,
  engine_event_backlog: "trigger_name",
  engine_event_oldest_pending_seconds: "trigger_name",
};

interface Sample {
  /** Unix time in seconds. */
  readonly time: number;
  /** Sums by metric and value of its label, which is empty for metrics without one. */
  readonly sums: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Keeps only the sums, because a server has thousands of series. */
function sampleOf(metrics: Metrics): Sample {
  const sums = Object.entries(groups).flatMap(([name, label]) => {
    const series = metrics.get(name);
    return series ? [[name, largest(sumsBy(series, label))] as const] : [];
  });
  return { time: Date.now() / 1000, sums: new Map(sums) };
}

function sumsBy(series: ReadonlyMap<string, number>, label: string | null): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [labels, value] of series) {
    const key = label === null ? "" : labelOf(labels, label);
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

/** Returns the largest sums. */
const largest = (sums: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  sums.size <= colors.length ? sums : new Map([...sums].sort(([, a], [, b]) => b - a).slice(0, colors.length));

/** Value of a curve at one sample; `null` for a gap. */
type Measure = (now: Sample, before: Sample) => number | null;

const sumOf = ({ sums }: Sample, name: string, key = ""): number => sums.get(name)?.get(key) ?? 0;

/** Growth of a counter per second; `null` after a restart. */
const rateOf =
  (name: string, key = ""): Measure =>
  (now, before) => {
    const grown = sumOf(now, name, key) - sumOf(before, name, key);
    return grown < 0 ? null : grown / (now.time - before.time);
  };

/** Mean of the observations of a histogram since the last sample, in milliseconds; `null` without observations. */
const meanMilliseconds =
  (name: string): Measure =>
  (now, before) => {
    const count = sumOf(now, `${name}_count`) - sumOf(before, `${name}_count`);
    const seconds = sumOf(now, `${name}_sum`) - sumOf(before, `${name}_sum`);
    return count > 0 && seconds >= 0 ? (1000 * seconds) / count : null;
  };

interface SumOptions {
  readonly key?: string;
  /** Factor of the value. */
  readonly scale?: number;
}

const sumNow =
  (name: string, { key = "", scale = 1 }: SumOptions = {}): Measure =>
  ({ sums }) => {
    const sum = sums.get(name)?.get(key);
    return sum === undefined ? null : scale * sum;
  };

/** Returns one value per sample except the first. */
const measured = (samples: readonly Sample[], measure: Measure): readonly (number | null)[] =>
  samples.slice(1).map((sample, i) => measure(sample, samples[i] as Sample));

interface Curve {
  readonly label: string;
  readonly color: string;
  readonly measure: Measure;
}

interface PlotDefinition {
  readonly title: string;
  readonly unit: string;
  /** A list, or a function of the latest sample. */
  readonly curves: readonly Curve[] | ((latest: Sample) => readonly Curve[]);
}

const colors = ["--accent", "--warn", "--good", "--bad", "--code-keyword"] as const;

/** Returns a curve for each value of the label of a metric. @param unnamed text for an empty value */
const byLabel =
  (name: string, unnamed: string) =>
  ({ sums }: Sample): readonly Curve[] => {
    const keys = [...(sums.get(name)?.keys() ?? [])].sort();
    if (keys.length === 0) return [{ label: "None", color: "--muted", measure: () => null }];
    return keys.map((key, index) => ({
      label: key === "" ? unnamed : key,
      color: colors[index] ?? "--muted",
      measure: sumNow(name, { key }),
    }));
  };

const plots: readonly PlotDefinition[] = [
  {
    title: "Operations",
    unit: "/s",
    curves: [
      { label: "Succeeded", color: "--accent", measure: rateOf("engine_graphql_requests_total", "success") },
      { label: "Failed", color: "--bad", measure: rateOf("engine_graphql_requests_total", "failed") },
    ],
  },
  {
    title: "Operation time",
    unit: "ms",
    curves: [{ label: "Mean", color: "--accent", measure: meanMilliseconds("engine_graphql_execution_time_seconds") }],
  },
  {
    title: "Cached responses",
    unit: "/s",
    curves: [
      { label: "Hits", color: "--good", measure: rateOf("engine_cache_request_count", "hit") },
      { label: "Misses", color: "--warn", measure: rateOf("engine_cache_request_count", "miss") },
    ],
  },
  {
    title: "Connections by database",
    unit: "",
    curves: byLabel("engine_postgres_connections", "Unnamed"),
  },
  {
    title: "Connection wait time",
    unit: "ms",
    curves: [{ label: "Mean", color: "--warn", measure: meanMilliseconds("engine_postgres_pool_wait_time") }],
  },
  {
    title: "Subscriptions by operation",
    unit: "",
    curves: byLabel("engine_active_subscriptions", "Unnamed"),
  },
  {
    title: "Lag after changes",
    unit: "ms",
    curves: [
      { label: "Subscriptions", color: "--accent", measure: meanMilliseconds("engine_subscription_lag_seconds") },
      { label: "Events", color: "--warn", measure: meanMilliseconds("engine_event_lag_seconds") },
      { label: "Metadata", color: "--good", measure: meanMilliseconds("engine_metadata_lag_seconds") },
    ],
  },
  {
    title: "CPU and event loop",
    unit: "%",
    curves: [
      {
        label: "CPU",
        color: "--accent",
        measure: (now, before) => times100(rateOf("engine_process_cpu_seconds_total")(now, before)),
      },
      {
        label: "Event loop",
        color: "--warn",
        measure: sumNow("engine_event_loop_utilization_ratio", { scale: 100 }),
      },
    ],
  },
  {
    title: "Memory",
    unit: "MiB",
    curves: [
      {
        label: "Resident",
        color: "--accent",
        measure: sumNow("engine_process_resident_memory_bytes", { scale: 2 ** -20 }),
      },
    ],
  },
  {
    title: "Pending events by trigger",
    unit: "",
    curves: byLabel("engine_event_backlog", "All triggers"),
  },
  {
    title: "Age of the oldest pending event",
    unit: "s",
    curves: byLabel("engine_event_oldest_pending_seconds", "All triggers"),
  },
];

const times100 = (value: number | null): number | null => (value === null ? null : 100 * value);

const pollMilliseconds = 2000;

/** Ranges in seconds. */
const ranges = [
  { value: "300", label: "Last 5 minutes" },
  { value: "900", label: "Last 15 minutes" },
  { value: "3600", label: "Last hour" },
] as const;

type Range = (typeof ranges)[number]["value"];

/** One hour. */
const maxSamples = 1800;

/** Samples of this tab, which the page continues when it opens again. */
let kept: readonly Sample[] = [];

export function Plots() {
  const [samples, setSamples] = useState(kept);
  const [range, setRange] = useState<Range>("300");
  const [isOff, setOff] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnmounted = false;
    const read = async (): Promise<void> => {
      try {
        const metrics = document.hidden ? undefined : await readMetrics();
        if (isUnmounted) return;
        setError(null);
        setOff(metrics === null);
        if (metrics) {
          kept = [...kept, sampleOf(metrics)].slice(-maxSamples);
          setSamples(kept);
        }
        if (metrics === null) return;
      } catch (thrown) {
        if (!isUnmounted) setError(thrown);
      }
      if (!isUnmounted) timer = setTimeout(() => void read(), pollMilliseconds);
    };
    void read();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, []);
  if (isOff) return <Off />;
  if (error !== null) return <ErrorBox error={error} />;
  const latest = samples.at(-1);
  const [first] = samples;
  const shown = samples.filter(({ time }) => time >= (latest?.time ?? 0) - Number(range));
  if (!first || !latest || shown.length < 2) return <Loading item="metrics" />;
  const times = shown.slice(1).map(({ time }) => time);
  return (
    <>
      <div class="row">
        <SelectField<Range> label="Time range" isBare value={range} choices={ranges} onChange={setRange} />
        <span class="muted">
          {`Collected in this tab while this page is open, since ${new Date(first.time * 1000).toLocaleTimeString()}`}
        </span>
      </div>
      <div class="plots">
        {plots.map(({ title, unit, curves }) => (
          <Plot
            key={title}
            title={title}
            unit={unit}
            times={times}
            curves={(typeof curves === "function" ? curves(latest) : curves).map(({ label, color, measure }) => ({
              label,
              color,
              values: measured(shown, measure),
            }))}
          />
        ))}
      </div>
    </>
  );
}

/** The APIs that the server enables by default, for a server whose APIs are unknown. */
const defaultApis: readonly string[] = ["metadata", "graphql", "pgdump", "config"];

function Off() {
  if (!areMetricsOff() && configuration.enabledApis.includes("metrics")) {
    return (
      <Empty title="Metrics unavailable">
        <p>The server has a metrics secret. The console reads metrics with the admin secret only.</p>
      </Empty>
    );
  }
  const { enabledApis } = configuration;
  const apis = [...(enabledApis.length > 0 ? enabledApis : defaultApis), "metrics"].join(",");
  return (
    <Empty title="Metrics unavailable">
      <p>
        Start the server with <code>{`--enabled-apis ${apis}`}</code> and without a metrics secret. The console reads
        metrics with the admin secret.
      </p>
    </Empty>
  );
}
