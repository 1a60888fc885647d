/** Metrics of the server as plots, read every few seconds while they are looked at. */
import { useEffect, useState } from "preact/hooks";
import { readMetrics } from "../../http/health-api.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Plot } from "../../parts/plot.tsx";
import { type Measure, meanMilliseconds, measured, rateOf, type Sample, sumNow } from "./samples.ts";

interface PlotDefinition {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly { readonly label: string; readonly colour: string; readonly measure: Measure }[];
}

const plots: readonly PlotDefinition[] = [
  {
    title: "Operations",
    unit: "/s",
    curves: [
      { label: "succeeded", colour: "--accent", measure: rateOf("engine_graphql_requests_total", 'status="success"') },
      { label: "failed", colour: "--bad", measure: rateOf("engine_graphql_requests_total", 'status="failed"') },
    ],
  },
  {
    title: "Time of an operation",
    unit: "ms",
    curves: [{ label: "mean", colour: "--accent", measure: meanMilliseconds("engine_graphql_execution_time_seconds") }],
  },
  {
    title: "Database connections",
    unit: "",
    curves: [{ label: "open", colour: "--accent", measure: sumNow("engine_postgres_connections") }],
  },
  {
    title: "Wait for a connection",
    unit: "ms",
    curves: [{ label: "mean", colour: "--warn", measure: meanMilliseconds("engine_postgres_pool_wait_time") }],
  },
  {
    title: "Subscriptions",
    unit: "",
    curves: [{ label: "active", colour: "--accent", measure: sumNow("engine_active_subscriptions") }],
  },
  {
    title: "Processor and event loop",
    unit: "%",
    curves: [
      {
        label: "processor",
        colour: "--accent",
        measure: (now, before) => times100(rateOf("engine_process_cpu_seconds_total")(now, before)),
      },
      { label: "event loop", colour: "--warn", measure: sumNow("engine_event_loop_utilization_ratio", 100) },
    ],
  },
  {
    title: "Memory",
    unit: "MiB",
    curves: [
      { label: "resident", colour: "--accent", measure: sumNow("engine_process_resident_memory_bytes", 2 ** -20) },
    ],
  },
  {
    title: "Waiting events",
    unit: "",
    curves: [{ label: "backlog", colour: "--warn", measure: sumNow("engine_event_backlog") }],
  },
];

const times100 = (value: number | null): number | null => (value === null ? null : 100 * value);

const pauseMilliseconds = 2000;
/** Ten minutes. */
const mostSamples = 300;

export function Plots() {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [isOff, setOff] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const read = async (): Promise<void> => {
      try {
        const metrics = document.hidden ? undefined : await readMetrics();
        if (isGone) return;
        setError(null);
        setOff(metrics === null);
        if (metrics) setSamples((before) => [...before, { time: Date.now() / 1000, metrics }].slice(-mostSamples));
        if (metrics === null) return;
      } catch (thrown) {
        if (!isGone) setError(thrown);
      }
      if (!isGone) timer = setTimeout(() => void read(), pauseMilliseconds);
    };
    void read();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  if (isOff) return <Off />;
  if (error !== null) return <ErrorBox error={error} />;
  if (samples.length < 2) return <Loading what="the metrics" />;
  const times = samples.slice(1).map(({ time }) => time);
  return (
    <div class="plots">
      {plots.map(({ title, unit, curves }) => (
        <Plot
          key={title}
          title={title}
          unit={unit}
          times={times}
          curves={curves.map(({ label, colour, measure }) => ({ label, colour, values: measured(samples, measure) }))}
        />
      ))}
    </div>
  );
}

function Off() {
  return (
    <Empty title="Metrics cannot be read here.">
      <p>
        Start the server with <code>--enabled-apis metadata,graphql,config,metrics</code> and without a secret of their
        own: the console reads them with the admin secret.
      </p>
    </Empty>
  );
}
