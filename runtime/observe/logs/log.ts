/**
 * The log: one JSON object per line, `{"level", "timestamp", "type", "detail"}`. Lines of a disabled type or level cost
 * one lookup.
 */
import { pino } from "pino";
import {
  type ConfigurableLogType,
  configurableLogTypes,
  internalLogTypes,
  type LogLevel,
  type LogType,
  logLevels,
} from "../../config/log-types.ts";
import { EngineError } from "../../values/errors.ts";
import type { TraceContext } from "../../values/span.ts";
import { RecentLines } from "./recent-lines.ts";
import { redactSecrets } from "./redact.ts";

type LogDetail = Readonly<Record<string, unknown>>;

export interface Log {
  debug(type: LogType, detail: LogDetail): void;
  info(type: LogType, detail: LogDetail): void;
  warn(type: LogType, detail: LogDetail): void;
  error(type: LogType, detail: LogDetail): void;
  /** Logs at a level above `error`, enabled whenever `error` is. The operator has to act. */
  critical(type: LogType, detail: LogDetail): void;
  /** Logs a detail that is JSON text and contains no secrets. */
  text(type: LogType, level: LogLevel, detail: string, context?: TraceContext): void;
  /** Sets the listener for all following lines, replacing the previous one; `undefined` removes it. */
  listen?(listener: LogListener | undefined): void;
  /** The last lines as they were written; absent if the log keeps none. */
  readonly recent?: RecentLines;
  /** Returns true if a line would be written, so that the caller can avoid building its detail. */
  isEnabled(type: LogType, level: LogLevel): boolean;
}

/**
 * Receives a log line.
 * @param line the complete line with its line break
 */
export type LogListener = (line: string) => void;

export interface LogSettings {
  readonly logLevel: LogLevel;
  readonly enabledLogTypes: ReadonlySet<ConfigurableLogType>;
  /** Number of the worker process; absent for a single process. */
  readonly worker?: number | undefined;
}

/**
 * Creates a log.
 * @param destination receives whole lines
 */
export function createLog(settings: LogSettings, destination: { write(line: string): void }): Log {
  let listener: LogListener | undefined;
  const recent = new RecentLines();
  const output = {
    write(line: string): void {
      destination.write(line);
      recent.add(line);
      listener?.(line);
    },
  };
  const now = timestampMember();
  const worker = settings.worker === undefined ? "" : `,"worker":${settings.worker}`;
  const root = pino(
    {
      base: settings.worker === undefined ? null : { worker: settings.worker },
      level: settings.logLevel,
      timestamp: now,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { detail: redactSecrets },
    },
    output,
  );
  const enabled: readonly LogType[] = [
    ...internalLogTypes,
    ...configurableLogTypes.filter((type) => settings.enabledLogTypes.has(type)),
  ];
  const loggers = new Map(enabled.map((type) => [type, root.child({ type })]));
  const levels = new Set<LogLevel>(logLevels.slice(logLevels.indexOf(settings.logLevel)));
  const isEnabled: Log["isEnabled"] = (type, level) => levels.has(level) && loggers.has(type);
  const line = (type: LogType, level: string, detail: string, context?: TraceContext): string =>
    `{"level":"${level}"${now()}${worker},"type":"${type}"${traceText(context)},"detail":${detail}}\n`;
  return {
    debug: (type, detail) => loggers.get(type)?.debug({ detail }),
    info: (type, detail) => loggers.get(type)?.info({ detail }),
    warn: (type, detail) => loggers.get(type)?.warn({ detail }),
    error: (type, detail) => loggers.get(type)?.error({ detail }),
    critical(type, detail) {
      if (isEnabled(type, "error")) output.write(line(type, "critical", JSON.stringify(redactSecrets(detail))));
    },
    text(type, level, detail, context) {
      if (isEnabled(type, level)) output.write(line(type, level, detail, context));
    },
    recent,
    isEnabled,
    listen(to) {
      listener = to;
    },
  };
}

function traceText(context: TraceContext | undefined): string {
  return context?.isSampled ? `,"trace_id":"${context.traceId}","span_id":"${context.spanId}"` : "";
}

/**
 * Returns a function that formats `,"timestamp":"2019-06-03T13:25:10.915+0530"`. All parts except the milliseconds are
 * computed once a second.
 */
export function timestampMember(): () => string {
  let second = Number.NaN;
  let start = "";
  let end = "";
  return () => {
    const now = Date.now();
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      const zone = -new Date(now).getTimezoneOffset();
      const local = new Date(now + zone * 60_000).toISOString();
      start = `,"timestamp":"${local.slice(0, 20)}`;
      end = `${zone < 0 ? "-" : "+"}${twoDigits(Math.abs(zone) / 60)}${twoDigits(Math.abs(zone) % 60)}"`;
    }
    return `${start}${String(now % 1000).padStart(3, "0")}${end}`;
  };
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

/** Reports unexpected exceptions: the log gets the stack, and the client a generic error. */
export function bugReporter(log: Log): (error: unknown, requestId: string) => EngineError {
  return (error, requestId) => {
    log.error("unhandled-internal-error", { request_id: requestId, error });
    return new EngineError("unexpected", "$", "Internal Server Error", { status: 500, cause: error });
  };
}
