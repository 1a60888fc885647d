/** Starts traces: decides on sampling and continues traces of callers. */
import type { RequestHeaders } from "../../../ports/headers.ts";
import type { Tracer } from "../../../ports/telemetry.ts";
import { randomHex } from "../../../values/random-hex.ts";
import { noSpan, type Span, type SpanAttributes, type SpanKind, type TraceContext } from "../../../values/span.ts";
import { readContext } from "../../../values/trace-context.ts";
import { PropagatedSpan, type Trace, TraceSpan } from "./trace-span.ts";

export interface TraceSettings extends Pick<Trace, "traceparent" | "withTexts" | "withOldNames" | "sink"> {
  /** Fraction of new traces that are sampled. */
  readonly sampleRatio: number;
}

/** Maximum number of spans per trace. */
const maxSpans = 1000;

export class TraceMaker implements Tracer {
  #settings: TraceSettings | undefined;

  get isOn(): boolean {
    return this.#settings !== undefined;
  }

  /**
   * Sets the tracing configuration.
   * @param settings `undefined` disables tracing
   */
  configure(settings: TraceSettings | undefined): void {
    this.#settings = settings;
  }

  begin(name: string, kind: SpanKind, headers: RequestHeaders, attributes?: SpanAttributes): Span {
    const settings = this.#settings;
    if (settings === undefined) return noSpan;
    const { sampleRatio, traceparent, withTexts, withOldNames, sink } = settings;
    const caller = readContext(headers);
    // The caller's sampling decision applies, so that traces are complete.
    const isSampled = caller?.isSampled ?? Math.random() < sampleRatio;
    if (!isSampled) return new PropagatedSpan(caller ? { ...caller, isSampled } : new UnsampledContext(), traceparent);
    const trace: Trace = {
      traceId: caller?.traceId ?? randomHex(16),
      state: caller?.state,
      traceparent,
      withTexts,
      withOldNames,
      sink,
      spansLeft: maxSpans,
    };
    const span = new TraceSpan(trace, { name, kind, parent: caller?.spanId, isParentRemote: caller !== undefined });
    if (attributes) span.set(attributes);
    return span;
  }
}

/** An unsampled trace context. Ids are generated on demand, because most requests make no calls. */
class UnsampledContext implements TraceContext {
  readonly isSampled = false;
  #traceId: string | undefined;
  #spanId: string | undefined;

  get traceId(): string {
    this.#traceId ??= randomHex(16);
    return this.#traceId;
  }

  get spanId(): string {
    this.#spanId ??= randomHex(8);
    return this.#spanId;
  }
}
