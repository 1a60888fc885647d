/**
 * One step of a request, as traces tell it. Whoever does something for a request takes its span along, explicitly: what
 * would carry it along by itself costs every promise of the process something.
 */

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type SpanValue = string | number | boolean | readonly string[];

export type SpanAttributes = Readonly<Record<string, SpanValue | undefined>>;

/** Where a trace stands, in hexadecimal digits: 32 of the trace, 16 of the span. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** What tools on the way noted (`tracestate`). */
  readonly state?: string | undefined;
}

export interface Span {
  /** Whether it is going to be told; spares the work of describing it. */
  readonly isRecording: boolean;
  /** Whether the texts of operations and statements belong into it. */
  readonly withTexts: boolean;
  /** For what is done on behalf of the request elsewhere; `undefined`: it is part of no trace. */
  readonly context: TraceContext | undefined;
  /** The context as headers of a call; `undefined`: it is part of no trace. */
  headers(): Readonly<Record<string, string>> | undefined;
  /** Begins a step of it, to be ended before it. */
  child(name: string, kind?: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /**
   * @param error an `EngineError`, the status of a reply, or anything else: what it says is left out, it may hold values
   * of users
   */
  fail(error: unknown): void;
  end(): void;
}

/** Of what is not traced. */
export const noSpan: Span = {
  isRecording: false,
  withTexts: false,
  context: undefined,
  headers: () => undefined,
  child: () => noSpan,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

/** Does something in a step of its own. */
export function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  return span.isRecording ? inRecordedSpan(span, work) : work();
}

async function inRecordedSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
