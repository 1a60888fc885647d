/**
 * The log: one JSON object per line, `{"level", "timestamp", "type", "detail"}` (`operations.md` 9). Lines of a type
 * or level that is switched off cost a look-up.
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
import type { TraceContext } from "../../values/span.ts";
import { redactSecrets } from "./redact.ts";

type LogDetail = Readonly<Record<string, unknown>>;

export interface Log {
  debug(type: LogType, detail: LogDetail): void;
  info(type: LogType, detail: LogDetail): void;
  warn(type: LogType, detail: LogDetail): void;
  error(type: LogType, detail: LogDetail): void;
  /** Above `error`, and written wherever that is: somebody has to act. */
  critical(type: LogType, detail: LogDetail): void;
  /** Writes a detail that is JSON text already and known to hold no secrets. */
  text(type: LogType, level: LogLevel, detail: string, context?: TraceContext): void;
  /** Calls with every line from now on, in place of whoever was called before; `undefined`: nobody. */
  listen?(listener: LogListener | undefined): void;
  /** Whether a line would be written; spares the work of making its detail. */
  isEnabled(type: LogType, level: LogLevel): boolean;
}

/** @param line as it was written, with its end */
export type LogListener = (line: string) => void;

export interface LogSettings {
  readonly logLevel: LogLevel;
  readonly enabledLogTypes: ReadonlySet<ConfigurableLogType>;
  /** Which of several processes writes; absent: there is one. */
  readonly worker?: number | undefined;
}

/** @param destination takes whole lines */
export function createLog(settings: LogSettings, destination: { write(line: string): void }): Log {
  let listener: LogListener | undefined;
  const output = {
    write(line: string): void {
      destination.write(line);
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
    isEnabled,
    listen(to) {
      listener = to;
    },
  };
}

function traceText(context: TraceContext | undefined): string {
  return context?.isSampled ? `,"trace_id":"${context.traceId}","span_id":"${context.spanId}"` : "";
}

/** `,"timestamp":"2019-06-03T13:25:10.915+0530"`; everything but the milliseconds is made once a second. */
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
