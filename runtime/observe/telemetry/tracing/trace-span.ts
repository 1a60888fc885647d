/** Spans of traces: recorded spans, and spans that only propagate their context. */
import { EngineError } from "../../../values/errors.ts";
import { randomHex } from "../../../values/random-hex.ts";
import type { Span, SpanAttributes, SpanKind, SpanValue, TraceContext } from "../../../values/span.ts";
import { oldAttributeNames } from "../../../values/span-attributes.ts";
import { contextHeaders } from "../../../values/trace-context.ts";

/** A finished span as exported. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly parent: string | undefined;
  /** True if the parent is a span of the caller. */
  readonly isParentRemote: boolean;
  /** Milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly hasFailed: boolean;
}

/** The shared state of the spans of one trace. */
export interface Trace {
  readonly traceId: string;
  /** `tracestate` of the caller. */
  readonly state: string | undefined;
  readonly traceparent: boolean;
  readonly withTexts: boolean;
  /** True if attributes are also exported under their old names. */
  readonly withOldNames: boolean;
  /** Receives finished spans. */
  readonly sink: (span: EndedSpan) => void;
  /** Number of further spans allowed. Limited, because a request may contain any number of fields. */
  spansLeft: number;
}

/** Maximum length of an attribute value in characters. */
const maxValueLength = 8192;
/**
 * Returns the time from 1970 to the origin of `performance.now` in milliseconds. Computed per span, because the
 * process may have been suspended.
 */
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
    if (this.#trace.spansLeft <= 0) return new PropagatedSpan(this.context, this.#trace.traceparent);
    this.#trace.spansLeft--;
    const span = new TraceSpan(this.#trace, { name, kind, parent: this.context.spanId, epoch: this.#epoch });
    if (attributes) span.set(attributes);
    return span;
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) continue;
      const shown = typeof value === "string" ? value.slice(0, maxValueLength) : value;
      this.#attributes[name] = shown;
      const old = this.#trace.withOldNames ? oldAttributeNames.get(name) : undefined;
      if (old !== undefined) this.#attributes[old] = oldValue(shown);
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

/** Returns the only element of a list, because attributes with an old name had a single value. */
const oldValue = (value: SpanValue): SpanValue => (typeof value === "object" ? (value[0] ?? "") : value);

function errorType(error: unknown): string {
  if (typeof error === "number") return String(error);
  return error instanceof EngineError ? error.code : "unexpected";
}

/** A span of a trace that is not recorded here. Calls propagate its context. */
export class PropagatedSpan implements Span {
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
