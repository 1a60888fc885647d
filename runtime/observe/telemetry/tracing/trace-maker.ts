/** Begins traces: decides which are told, and goes on with those of callers. */
import type { RequestHeaders } from "../../../ports/headers.ts";
import type { Tracer } from "../../../ports/telemetry.ts";
import { randomHex } from "../../../values/random-hex.ts";
import { noSpan, type Span, type SpanAttributes, type SpanKind, type TraceContext } from "../../../values/span.ts";
import { readContext } from "../../../values/trace-context.ts";
import { CarriedSpan, type Trace, TraceSpan } from "./trace-span.ts";

export interface TraceSettings extends Pick<Trace, "traceparent" | "withTexts" | "sink"> {
  /** Share of the traces begun here that are told. */
  readonly sampleRatio: number;
}

/** Of one trace. */
const mostSpans = 1000;

export class TraceMaker implements Tracer {
  #settings: TraceSettings | undefined;

  get isOn(): boolean {
    return this.#settings !== undefined;
  }

  /** @param settings `undefined`: nothing is traced */
  configure(settings: TraceSettings | undefined): void {
    this.#settings = settings;
  }

  begin(name: string, kind: SpanKind, headers: RequestHeaders, attributes?: SpanAttributes): Span {
    const settings = this.#settings;
    if (settings === undefined) return noSpan;
    const { sampleRatio, traceparent, withTexts, sink } = settings;
    const caller = readContext(headers);
    // Clients decide for their traces: half a trace helps nobody.
    const isSampled = caller?.isSampled ?? Math.random() < sampleRatio;
    if (!isSampled) return new CarriedSpan(caller ? { ...caller, isSampled } : new UntoldContext(), traceparent);
    const trace: Trace = {
      traceId: caller?.traceId ?? randomHex(16),
      state: caller?.state,
      traceparent,
      withTexts,
      sink,
      spansLeft: mostSpans,
    };
    const span = new TraceSpan(trace, { name, kind, parent: caller?.spanId, isParentRemote: caller !== undefined });
    if (attributes) span.set(attributes);
    return span;
  }
}

/** Most requests call nobody: the ids of a trace that is not told are drawn when they are asked for. */
class UntoldContext implements TraceContext {
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
