/** Telemetry of hot paths. Without telemetry, its implementations have no effect. */
import { noSpan, type Span, type SpanAttributes, type SpanKind } from "../values/span.ts";
import type { RequestHeaders } from "./headers.ts";
import { type Meters, noMeters } from "./metrics.ts";

export interface Tracer {
  /** True if tracing is enabled. */
  readonly isOn: boolean;
  /**
   * Starts a trace, or continues the caller's trace.
   * @param headers headers of the caller
   */
  begin(name: string, kind: SpanKind, headers: RequestHeaders, attributes?: SpanAttributes): Span;
}

/** Optional analyses for metrics, which examine every request or response. */
export interface MetricsAnalysis {
  /** Counts the variables of operations by state. */
  readonly variables: boolean;
  /** Counts root fields by result. */
  readonly answers: boolean;
}

export const noAnalysis: MetricsAnalysis = { variables: false, answers: false };

export interface Telemetry {
  readonly meters: Meters;
  /** Current setting of the metadata. */
  readonly analysis: MetricsAnalysis;
  readonly tracer: Tracer;
  /** Returns the metrics in the Prometheus text format; `undefined` if metrics are disabled. */
  readonly metricsText: (() => Promise<string>) | undefined;
}

export const noTracer: Tracer = { isOn: false, begin: () => noSpan };

export const noTelemetry: Telemetry = {
  meters: noMeters,
  analysis: noAnalysis,
  tracer: noTracer,
  metricsText: undefined,
};
