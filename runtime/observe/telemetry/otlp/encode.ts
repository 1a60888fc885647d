/**
 * Encodes spans, metrics and log lines as OTLP requests in protobuf. Loaded only when telemetry is exported, because
 * the library is large.
 */
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import { isObject } from "../../../values/is-object.ts";
import type { SpanKind } from "../../../values/span.ts";
import { metricPrefix } from "../metrics/exposition.ts";
import type { Family, Series } from "../metrics/series.ts";
import type { EndedSpan } from "../tracing/trace-span.ts";

/** The exporting server. */
export interface Exporter {
  /** Attributes of the resource. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Product version. */
  readonly version: string;
}

type SdkSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];
/** The library's type of trace states. Only its serialization is used. */
type SdkTraceState = NonNullable<ReturnType<SdkSpan["spanContext"]>["traceState"]>;
type SdkLog = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0][number];
type SdkMetrics = Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0];
type SdkMetric = SdkMetrics["scopeMetrics"][number]["metrics"][number];
type Time = [number, number];

const kinds: Readonly<Record<SpanKind, number>> = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 };
const failed = { code: 2 } as const;
const unset = { code: 0 } as const;
const none: never[] = [];
/** Placeholder for the duration, which is not exported because it follows from start and end. */
const noTime: Time = [0, 0];

export function encodeSpans(spans: readonly EndedSpan[], exporter: Exporter): Uint8Array {
  const { resource, instrumentationScope } = sharedParts(exporter);
  return defined(
    ProtobufTraceSerializer.serializeRequest(
      spans.map((span): SdkSpan => {
        const { traceId, spanId, state } = span.context;
        const traceState = state === undefined ? undefined : ({ serialize: () => state } as SdkTraceState);
        const context = { traceId, spanId, traceFlags: 1, traceState };
        // Listed member by member: spreading, or an additional member, is several times slower.
        return {
          resource,
          instrumentationScope,
          name: span.name,
          kind: kinds[span.kind],
          spanContext: () => context,
          parentSpanContext: parentOf(span),
          startTime: timeOf(span.start),
          endTime: timeOf(span.end),
          duration: noTime,
          ended: true,
          status: span.hasFailed ? failed : unset,
          attributes: mutable(span.attributes),
          links: none,
          events: none,
          droppedAttributesCount: 0,
          droppedEventsCount: 0,
          droppedLinksCount: 0,
        } as SdkSpan;
      }),
    ),
  );
}

function parentOf({ parent, context, isParentRemote }: EndedSpan): SdkSpan["parentSpanContext"] {
  if (parent === undefined) return undefined;
  return { traceId: context.traceId, spanId: parent, traceFlags: 1, isRemote: isParentRemote };
}

const severities: Readonly<Record<string, number>> = { debug: 5, info: 9, warn: 13, error: 17, critical: 21 };

export function encodeLogs(lines: readonly LogLine[], exporter: Exporter): Uint8Array {
  const { resource, instrumentationScope } = sharedParts(exporter);
  return defined(
    ProtobufLogsSerializer.serializeRequest(
      lines.map(({ time, level, detail, type, context }): SdkLog => {
        const hrTime = timeOf(time);
        return {
          resource,
          instrumentationScope,
          hrTime,
          hrTimeObserved: hrTime,
          severityNumber: severities[level] ?? 0,
          severityText: level,
          body: detail,
          attributes: { type },
          droppedAttributesCount: 0,
          spanContext: context && { traceId: context.traceId, spanId: context.spanId, traceFlags: 1 },
        } as SdkLog;
      }),
    ),
  );
}

/**
 * Encodes the cumulative values of all metrics.
 * @param start start of the process in milliseconds since 1970
 */
export function encodeMetrics(families: readonly Family[], start: number, exporter: Exporter): Uint8Array {
  const { resource, instrumentationScope: scope } = sharedParts(exporter);
  const times = { startTime: timeOf(start), endTime: timeOf(Date.now()) };
  const metrics = families.filter(({ size }) => size > 0).map((family) => metricOf(family, times));
  return defined(ProtobufMetricsSerializer.serializeRequest({ resource, scopeMetrics: [{ scope, metrics }] }));
}

type Times = { readonly startTime: Time; readonly endTime: Time };

const cumulative = 1;
const pointTypes = { histogram: 0, gauge: 2, counter: 3 } as const;
const isDouble = 1;

function metricOf(family: Family, times: Times): SdkMetric {
  const { name, kind, help } = family.row;
  const descriptor = { name: metricPrefix + name, description: help, unit: unitOf(name), valueType: isDouble };
  const dataPoints = [...family.all()].map((series) => ({
    ...times,
    attributes: Object.fromEntries(family.labels.map((label, i) => [label, series.labels[i] ?? ""])),
    value: kind === "histogram" ? histogramOf(family, series) : series.value,
  }));
  return {
    descriptor,
    dataPointType: pointTypes[kind],
    dataPoints,
    aggregationTemporality: cumulative,
    ...(kind === "counter" && { isMonotonic: true }),
  } as SdkMetric;
}

function histogramOf({ bounds }: Family, { buckets, count, value }: Series) {
  return { buckets: { boundaries: [...bounds], counts: [...buckets] }, count, sum: value };
}

function unitOf(name: string): string {
  if (/_seconds|_time$/.test(name)) return "s";
  return name.includes("_bytes") ? "By" : "1";
}

/** Returns the objects that serializers use for grouping. All items of a request share them. */
function sharedParts({ attributes, version }: Exporter): Pick<SdkSpan, "resource" | "instrumentationScope"> {
  const own = { "service.name": "engine", "service.version": version, ...attributes };
  const resource: SdkSpan["resource"] = {
    attributes: own,
    merge: () => resource,
    getRawAttributes: () => Object.entries(own),
  };
  return { resource, instrumentationScope: { name: "engine", version } };
}

/** Adapts the attributes to the library's type, which requires mutable arrays but does not modify them. */
function mutable(attributes: EndedSpan["attributes"]): SdkSpan["attributes"] {
  return attributes as SdkSpan["attributes"];
}

function timeOf(milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}

function defined(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error("invariant: what is exported can be encoded");
  return bytes;
}

// Parses log lines for export. Lines contain no secrets, because they have been written to the log.

interface LogLine {
  readonly type: string;
  readonly level: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** JSON text. */
  readonly detail: string;
  readonly context?: { readonly traceId: string; readonly spanId: string };
}

/**
 * Parses a line.
 * @param line the line as written
 * @returns `undefined` for a line in another format
 */
export function readLogLine(line: string, time: number): LogLine | undefined {
  const json: unknown = JSON.parse(line);
  if (!isObject(json)) return undefined;
  const { type, level, detail, trace_id: traceId, span_id: spanId } = json;
  if (typeof type !== "string" || typeof level !== "string") return undefined;
  const context = typeof traceId === "string" && typeof spanId === "string" ? { traceId, spanId } : undefined;
  return { type, level, time, detail: JSON.stringify(detail ?? null), ...(context && { context }) };
}
