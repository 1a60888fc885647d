/** A line of the log as it is exported. Lines hold no secrets: they have been written already. */
import { isObject } from "../../../values/is-object.ts";

export interface LogLine {
  readonly type: string;
  readonly level: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** JSON text. */
  readonly detail: string;
  readonly context?: { readonly traceId: string; readonly spanId: string };
}

/** @param line as it was written @returns `undefined` where it is none of ours */
export function readLogLine(line: string, time: number): LogLine | undefined {
  const json: unknown = JSON.parse(line);
  if (!isObject(json)) return undefined;
  const { type, level, detail, trace_id: traceId, span_id: spanId } = json;
  if (typeof type !== "string" || typeof level !== "string") return undefined;
  const context = typeof traceId === "string" && typeof spanId === "string" ? { traceId, spanId } : undefined;
  return { type, level, time, detail: JSON.stringify(detail ?? null), ...(context && { context }) };
}
