/**
 * One step of a traced request. Spans are passed explicitly, because asynchronous context tracking slows every promise of
 * the process.
 */

import type { SpanAttributeName } from "./span-attributes.ts";

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type SpanValue = string | number | boolean | readonly string[];

export type SpanAttributes = { readonly [Name in SpanAttributeName]?: SpanValue | undefined };

/** Ids in hexadecimal digits: 32 for the trace, 16 for the span. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** The header `tracestate`. */
  readonly state?: string | undefined;
}

export interface Span {
  /** False if the span is not exported, so that its attributes need not be computed. */
  readonly isRecording: boolean;
  /** True if the span includes the texts of operations and statements. */
  readonly withTexts: boolean;
  /** The context to propagate; `undefined` if the request is not traced. */
  readonly context: TraceContext | undefined;
  /** Returns the context as headers of a call; `undefined` if the request is not traced. */
  headers(): Readonly<Record<string, string>> | undefined;
  /** Begins a child span, which must end before its parent. */
  child(name: string, kind?: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /**
   * Marks the span as failed.
   * @param error an `EngineError`, the status of a response, or any other value, whose message is omitted because it may
   *   contain user data
   */
  fail(error: unknown): void;
  end(): void;
}

/** The span of untraced work. */
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

/** Runs work in a span, which it ends. */
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
