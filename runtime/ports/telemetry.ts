/** What hot paths tell of themselves, and who may read it. Of a server that tells nobody all of it does nothing. */
import { noSpan, type Span, type SpanAttributes, type SpanKind } from "../values/span.ts";
import type { RequestHeaders } from "./headers.ts";
import { type Meters, noMeters } from "./metrics.ts";

export interface Tracer {
  /** Whether traces are made at all. */
  readonly isOn: boolean;
  /**
   * Begins a trace, or goes on with that of a caller.
   * @param headers of the caller
   */
  begin(name: string, kind: SpanKind, headers: RequestHeaders, attributes?: SpanAttributes): Span;
}

/** What is counted of the contents of requests and answers; it costs a look at each of them. */
export interface MetricsAnalysis {
  /** Which variables operations get a value for. */
  readonly variables: boolean;
  /** Which root fields are answered with nothing. */
  readonly answers: boolean;
}

export const noAnalysis: MetricsAnalysis = { variables: false, answers: false };

export interface Telemetry {
  readonly meters: Meters;
  /** As the metadata says now. */
  readonly analysis: MetricsAnalysis;
  readonly tracer: Tracer;
  /** The metrics in the text format of Prometheus; `undefined`: they are off. */
  readonly metricsText: (() => Promise<string>) | undefined;
}

export const noTracer: Tracer = { isOn: false, begin: () => noSpan };

export const noTelemetry: Telemetry = {
  meters: noMeters,
  analysis: noAnalysis,
  tracer: noTracer,
  metricsText: undefined,
};
