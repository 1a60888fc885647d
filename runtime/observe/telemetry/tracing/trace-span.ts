/** Spans of traces: those that are told, and those that only carry their trace on. */
import { EngineError } from "../../../values/errors.ts";
import { randomHex } from "../../../values/random-hex.ts";
import type { Span, SpanAttributes, SpanKind, SpanValue, TraceContext } from "../../../values/span.ts";
import { contextHeaders } from "../../../values/trace-context.ts";

/** A span that has ended, as it is exported. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly parent: string | undefined;
  /** The parent is of a caller. */
  readonly isParentRemote: boolean;
  /** In milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly hasFailed: boolean;
}

/** What the spans of one trace share. */
export interface Trace {
  readonly traceId: string;
  /** `tracestate` of the caller. */
  readonly state: string | undefined;
  readonly traceparent: boolean;
  readonly withTexts: boolean;
  /** Takes what has ended. */
  readonly sink: (span: EndedSpan) => void;
  /** How many spans it may still have: a request may ask for as many fields as it likes. */
  spansLeft: number;
}

/** In characters of one value. */
const longestValue = 8192;
/** From the clock of `performance.now` to milliseconds since 1970, as of now: the process may have been asleep. */
const epoch = (): number => Date.now() - performance.now();

export interface SpanBeginning {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent?: string | undefined;
  readonly isParentRemote?: boolean;
  readonly epoch?: number;
}

export class TraceSpan implements Span {
  readonly isRecording = true;
  readonly context: TraceContext;
  readonly #trace: Trace;
  readonly #beginning: SpanBeginning;
  readonly #epoch: number;
  readonly #start = performance.now();
  readonly #attributes: Record<string, SpanValue> = {};
  #hasFailed = false;
  #hasEnded = false;

  constructor(trace: Trace, beginning: SpanBeginning) {
    this.#trace = trace;
    this.#beginning = beginning;
    this.#epoch = beginning.epoch ?? epoch();
    this.context = { traceId: trace.traceId, spanId: randomHex(8), isSampled: true, state: trace.state };
  }

  get withTexts(): boolean {
    return this.#trace.withTexts;
  }

  headers(): Readonly<Record<string, string>> {
    return contextHeaders(this.context, this.#trace.traceparent);
  }

  child(name: string, kind: SpanKind = "internal", attributes?: SpanAttributes): Span {
    if (this.#trace.spansLeft <= 0) return new CarriedSpan(this.context, this.#trace.traceparent);
    this.#trace.spansLeft--;
    const span = new TraceSpan(this.#trace, { name, kind, parent: this.context.spanId, epoch: this.#epoch });
    if (attributes) span.set(attributes);
    return span;
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) continue;
      this.#attributes[name] = typeof value === "string" ? value.slice(0, longestValue) : value;
    }
  }

  fail(error: unknown): void {
    this.#hasFailed = true;
    this.set({ "error.type": errorType(error) });
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { name, kind, parent, isParentRemote = false } = this.#beginning;
    this.#trace.sink({
      name,
      kind,
      context: this.context,
      parent,
      isParentRemote,
      start: this.#epoch + this.#start,
      end: this.#epoch + performance.now(),
      attributes: this.#attributes,
      hasFailed: this.#hasFailed,
    });
  }
}

function errorType(error: unknown): string {
  if (typeof error === "number") return String(error);
  return error instanceof EngineError ? error.code : "unexpected";
}

/** Of a trace that is not told from here: calls carry on where it stands. */
export class CarriedSpan implements Span {
  readonly isRecording = false;
  readonly withTexts = false;
  readonly context: TraceContext;
  readonly #traceparent: boolean;

  constructor(context: TraceContext, traceparent: boolean) {
    this.context = context;
    this.#traceparent = traceparent;
  }

  headers(): Readonly<Record<string, string>> {
    return contextHeaders(this.context, this.#traceparent);
  }

  child(): Span {
    return this;
  }

  set(): void {}

  fail(): void {}

  end(): void {}
}
