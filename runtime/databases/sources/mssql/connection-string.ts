/**
 * Connection strings, as ADO.NET and ODBC have them, and `mssql://user:password@host:port/database` → how the driver is
 * configured.
 */
import type { ConnectionPool, config as DriverConfig } from "mssql";
import { EngineError } from "../../../values/errors.ts";
import type { MssqlSettings } from "./settings.ts";

/** Milliseconds that an unused connection is kept when there is no pool. */
const atOnce = 1;

/**
 * @param parse that of the driver, for ADO.NET and ODBC
 * @throws EngineError `invalid-configuration` for a text that cannot be read; it is not repeated
 */
export function driverConfiguration(
  {
    connection,
    maxConnections,
    idleTimeoutSeconds,
  }: Pick<MssqlSettings, "connection" | "maxConnections" | "idleTimeoutSeconds">,
  parse: typeof ConnectionPool.parseConnectionString,
): DriverConfig {
  const text = connection.reveal();
  const parsed = /^(?:mssql|sqlserver):\/\//i.test(text) ? fromUrl(text) : fromString(text, parse);
  if (!parsed.server) throw unreadable("the connection string names no server");
  return {
    ...parsed,
    // The driver's own limit is 15 seconds; 0 is none.
    requestTimeout: parsed.requestTimeout ?? 0,
    // Asking the server before each use would be a round trip more.
    validateConnection: "socket",
    options: { appName: "engine", ...parsed.options, useUTC: true, abortTransactionOnError: true },
    pool: { max: maxConnections, min: 0, idleTimeoutMillis: idleTimeoutSeconds * 1000 || atOnce },
  };
}

function fromString(text: string, parse: typeof ConnectionPool.parseConnectionString): DriverConfig {
  let parsed: DriverConfig;
  try {
    parsed = parse(text);
  } catch (cause) {
    throw unreadable("the connection string cannot be read", cause);
  }
  // What the driver takes for something else: `Encrypt=Optional` and `Strict`, and the case of `ReadOnly`.
  const encrypt = encryption(valueIn(text, "encrypt"));
  const readOnly = valueIn(text, "application ?intent")?.toLowerCase() === "readonly";
  return {
    ...parsed,
    options: {
      ...parsed.options,
      ...(encrypt === undefined ? {} : { encrypt }),
      ...(readOnly ? { readOnlyIntent: true } : {}),
    },
  };
}

/** The value of a simple keyword. @param keyword a pattern */
function valueIn(text: string, keyword: string): string | undefined {
  return new RegExp(`(?:^|;)\\s*${keyword}\\s*=\\s*(\\w+)\\s*(?:;|$)`, "i").exec(text)?.[1];
}

/** `Strict` is TLS before anything else (TDS 8); `undefined`: the driver's default, which is to encrypt. */
function encryption(word: string | null | undefined): boolean | undefined | "strict" {
  switch (word?.toLowerCase()) {
    case "strict":
      return "strict";
    case "true":
    case "yes":
    case "mandatory":
      return true;
    case "false":
    case "no":
    case "optional":
      return false;
    default:
      return undefined;
  }
}

/** Options stand behind `?`; times in milliseconds. */
function fromUrl(text: string): DriverConfig {
  if (!URL.canParse(text)) throw unreadable("the connection URL cannot be read");
  const url = new URL(text);
  const options = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const encrypt = encryption(options.get("encrypt"));
  const trustServerCertificate = encryption(options.get("trustservercertificate")) === true;
  const milliseconds = (...names: readonly string[]): number | undefined => {
    const found = names.map((name) => options.get(name)).find((value) => value !== undefined && /^\d+$/.test(value));
    return found === undefined ? undefined : Number(found);
  };
  const connectionTimeout = milliseconds("connectiontimeout", "connecttimeout");
  const requestTimeout = milliseconds("requesttimeout");
  // `/database`, or `/instance/database`.
  const path = url.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  const database = path.at(-1);
  const instanceName = path.length > 1 ? path[0] : undefined;
  return {
    server: url.hostname,
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ...(database === undefined ? {} : { database }),
    ...(connectionTimeout === undefined ? {} : { connectionTimeout }),
    ...(requestTimeout === undefined ? {} : { requestTimeout }),
    options: {
      ...(encrypt === undefined ? {} : { encrypt }),
      ...(trustServerCertificate ? { trustServerCertificate } : {}),
      ...(instanceName === undefined ? {} : { instanceName }),
      ...(options.get("applicationintent")?.toLowerCase() === "readonly" ? { readOnlyIntent: true } : {}),
    },
  };
}

function unreadable(message: string, cause?: unknown): EngineError {
  return new EngineError("invalid-configuration", "$", message, { cause });
}
