/**
 * Formats a log line for terminals: `12:31:05 POST /v1/graphql 200 3 ms 1.2 kB user`. Omits details; `--log-format
 * json` contains everything.
 */
import { createColors } from "picocolors";
import { parseOptions } from "../../config/options.ts";
import { isObject } from "../../values/is-object.ts";
import { type StartupKind, shownOptions } from "./startup-log.ts";

export interface ReadableSettings {
  readonly isColored: boolean;
  /** Omits lines with the content of the banner that `engine start` prints. */
  readonly hasBanner?: boolean;
}

type Detail = Readonly<Record<string, unknown>>;
type Colors = ReturnType<typeof createColors>;

/** Maximum length of a displayed value. */
const maxValueLength = 160;

/** Start-up steps that are not displayed. */
const hiddenKinds: ReadonlySet<unknown> = new Set<StartupKind>([
  "catalog_migrate",
  "schema-sync",
  "event_triggers",
  "scheduled_triggers",
  "async_actions",
  "telemetry",
  "worker",
]);

/** Start-up lines with the content of the banner. */
const bannerKinds: ReadonlySet<unknown> = new Set<StartupKind>([
  "server_configuration",
  "postgres_connection",
  "unauthorized_role",
  "no_admin_secret",
  "open_server",
  "unknown_variable",
  "option_without_effect",
  "server",
]);

/**
 * Formats a line.
 * @param line a JSON object as written by the log, with its line break
 * @returns an empty string for lines that are not displayed
 */
export function readableLine(line: string, { isColored: colored, hasBanner }: ReadableSettings): string {
  const colors = createColors(colored);
  const { timestamp, level, type, detail } = objectOf(JSON.parse(line));
  if (type === "startup") {
    const { kind } = objectOf(detail);
    if ((level === "info" && hiddenKinds.has(kind)) || (hasBanner && bannerKinds.has(kind))) return "";
  }
  const time = colors.dim(String(timestamp).slice(11, 19));
  const text = escapeControls(summary(String(type), objectOf(detail)));
  return `${time} ${painter(colors, String(level))(text)}\n`;
}

function painter(colors: Colors, level: string): (text: string) => string {
  if (level === "warn") return (text) => colors.yellow(`warning: ${text}`);
  if (level === "error" || level === "critical") return (text) => colors.red(`error: ${text}`);
  return level === "debug" ? colors.dim : (text) => text;
}

function summary(type: string, detail: Detail): string {
  if (type === "startup") return startup(detail);
  if (type === "http-log") return request(detail);
  if (type === "websocket-log") return websocket(detail);
  return `${type} ${members(detail)}`;
}

function startup({ kind, info }: Detail): string {
  if (kind === "server_configuration") return `options: ${members(changed(objectOf(info))) || "all defaults"}`;
  if (kind === "no_admin_secret") return "no admin secret is set";
  const { message } = objectOf(info);
  if (kind === "server") return `ready after ${Number(objectOf(info).time_taken).toFixed(1)} s`;
  if (typeof message === "string") return message;
  return `${String(kind)}: ${isObject(info) ? members(info) : shown(info)}`;
}

/** Returns the options that differ from their defaults. */
function changed(options: Detail): Detail {
  const defaults = shownOptions(parseOptions({}, {}));
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  );
}

function request({ operation, http_info }: Detail): string {
  const { method, url, status } = objectOf(http_info);
  const { query_execution_time: seconds, response_size: size, user_vars, error, query } = objectOf(operation);
  const { operationName, type } = objectOf(query);
  const parts = [
    `${String(method)} ${String(url)} ${String(status)}`,
    milliseconds(Number(seconds)),
    bytes(Number(size)),
    objectOf(user_vars)["x-engine-role"],
    operationName ?? type,
    errorText(objectOf(error)),
  ];
  return parts.filter((part) => typeof part === "string").join("  ");
}

/** Formats an error, which is logged in the form of the REST endpoints. */
function errorText({ error, code, path }: Detail): string | undefined {
  return typeof error === "string" ? `${String(code)}: ${error} at ${String(path)}` : undefined;
}

function websocket({ event, connection_info, user_vars }: Detail): string {
  const { type, detail } = objectOf(event);
  const { operation_name, operation_type, operation_id } = objectOf(detail);
  const { type: step, detail: problem } = objectOf(operation_type);
  const parts = [
    `WebSocket ${String(objectOf(connection_info).websocket_id).slice(0, 8)} ${String(type)}`,
    objectOf(user_vars)["x-engine-role"],
    type === "operation" ? `${String(step)} ${String(operation_name ?? operation_id)}` : undefined,
    isObject(problem) ? errorText(problem) : undefined,
  ];
  return parts.filter((part) => typeof part === "string").join("  ");
}

function members({ message, ...others }: Detail): string {
  const texts = Object.entries(others)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${shown(value)}`);
  return [...(typeof message === "string" ? [message] : []), ...texts].join(" ");
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

function milliseconds(seconds: number): string {
  const time = seconds * 1000;
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

function bytes(size: number): string {
  return size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} kB`;
}

/**
 * Escapes control characters. Some displayed values come from clients, and must not move the cursor, hide text or begin
 * a line.
 */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

function objectOf(value: unknown): Detail {
  return isObject(value) ? value : {};
}
