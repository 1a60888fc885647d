/** Charts of server metrics, updated every few seconds while the tab is visible. */
import { useEffect, useState } from "preact/hooks";
import { configuration } from "../../configuration.ts";
import { areMetricsOff, type Metrics, readMetrics, sumOf } from "../../http/health-api.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Plot } from "../../parts/plot.tsx";

// Conversion of successive metric samples to chart values.

interface Sample {
  /** Unix time in seconds. */
  readonly time: number;
  readonly metrics: Metrics;
}

/** Value of a curve at one sample; `null` for a gap. */
type Measure = (now: Sample, before: Sample) => number | null;

/** Growth of a counter per second; `null` after a restart. */
const rateOf =
  (name: string, has = ""): Measure =>
  (now, before) => {
    const grown = sumOf(now.metrics, name, has) - sumOf(before.metrics, name, has);
    return grown < 0 ? null : grown / (now.time - before.time);
  };

/** Mean of the observations of a histogram since the last sample, in milliseconds; `null` without observations. */
const meanMilliseconds =
  (name: string): Measure =>
  (now, before) => {
    const count = sumOf(now.metrics, `${name}_count`) - sumOf(before.metrics, `${name}_count`);
    const seconds = sumOf(now.metrics, `${name}_sum`) - sumOf(before.metrics, `${name}_sum`);
    return count > 0 && seconds >= 0 ? (1000 * seconds) / count : null;
  };

/** @param scale factor of the value */
const sumNow =
  (name: string, scale = 1): Measure =>
  ({ metrics }) =>
    metrics.has(name) ? scale * sumOf(metrics, name) : null;

/** Returns one value per sample except the first. */
const measured = (samples: readonly Sample[], measure: Measure): readonly (number | null)[] =>
  samples.slice(1).map((sample, i) => measure(sample, samples[i] as Sample));

interface PlotDefinition {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly { readonly label: string; readonly color: string; readonly measure: Measure }[];
}

const plots: readonly PlotDefinition[] = [
  {
    title: "Operations",
    unit: "/s",
    curves: [
      { label: "Succeeded", color: "--accent", measure: rateOf("engine_graphql_requests_total", 'status="success"') },
      { label: "Failed", color: "--bad", measure: rateOf("engine_graphql_requests_total", 'status="failed"') },
    ],
  },
  {
    title: "Operation time",
    unit: "ms",
    curves: [{ label: "Mean", color: "--accent", measure: meanMilliseconds("engine_graphql_execution_time_seconds") }],
  },
  {
    title: "Database connections",
    unit: "",
    curves: [{ label: "Open", color: "--accent", measure: sumNow("engine_postgres_connections") }],
  },
  {
    title: "Connection wait time",
    unit: "ms",
    curves: [{ label: "Mean", color: "--warn", measure: meanMilliseconds("engine_postgres_pool_wait_time") }],
  },
  {
    title: "Subscriptions",
    unit: "",
    curves: [{ label: "Active", color: "--accent", measure: sumNow("engine_active_subscriptions") }],
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
      { label: "Event loop", color: "--warn", measure: sumNow("engine_event_loop_utilization_ratio", 100) },
    ],
  },
  {
    title: "Memory",
    unit: "MiB",
    curves: [
      { label: "Resident", color: "--accent", measure: sumNow("engine_process_resident_memory_bytes", 2 ** -20) },
    ],
  },
  {
    title: "Pending events",
    unit: "",
    curves: [{ label: "Backlog", color: "--warn", measure: sumNow("engine_event_backlog") }],
  },
];

const times100 = (value: number | null): number | null => (value === null ? null : 100 * value);

const pollMilliseconds = 2000;
/** Ten minutes. */
const maxSamples = 300;

export function Plots() {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
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
        if (metrics) setSamples((before) => [...before, { time: Date.now() / 1000, metrics }].slice(-maxSamples));
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
  if (samples.length < 2) return <Loading item="metrics" />;
  const times = samples.slice(1).map(({ time }) => time);
  return (
    <div class="plots">
      {plots.map(({ title, unit, curves }) => (
        <Plot
          key={title}
          title={title}
          unit={unit}
          times={times}
          curves={curves.map(({ label, color, measure }) => ({ label, color, values: measured(samples, measure) }))}
        />
      ))}
    </div>
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
