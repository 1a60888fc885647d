/**
 * Parses connection strings in the forms of ADO.NET and ODBC, and URLs `mssql://user:password@host:port/database`, into
 * the configuration of the driver.
 */
import type { ConnectionPool, config as DriverConfig } from "mssql";
import { EngineError } from "../../../values/errors.ts";
import type { MssqlSettings } from "./settings.ts";

/** Idle time in milliseconds of a connection when pooling is disabled. */
const minIdleMilliseconds = 1;

/**
 * Returns the configuration of the driver.
 * @param parse the driver's parser for ADO.NET and ODBC
 * @throws EngineError `invalid-configuration` for an invalid text, which the message does not repeat
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
    // Overrides the driver's default of 15 seconds; 0 means no limit.
    requestTimeout: parsed.requestTimeout ?? 0,
    // A server-side check before each use would cost a round trip.
    validateConnection: "socket",
    options: { appName: "engine", ...parsed.options, useUTC: true, abortTransactionOnError: true },
    pool: { max: maxConnections, min: 0, idleTimeoutMillis: idleTimeoutSeconds * 1000 || minIdleMilliseconds },
  };
}

function fromString(text: string, parse: typeof ConnectionPool.parseConnectionString): DriverConfig {
  let parsed: DriverConfig;
  try {
    parsed = parse(text);
  } catch (cause) {
    throw unreadable("the connection string cannot be read", cause);
  }
  // The driver misreads `Encrypt=Optional` and `Strict`, and the case of `ReadOnly`.
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

/**
 * Returns the value of a simple keyword.
 * @param keyword regular expression
 */
function valueIn(text: string, keyword: string): string | undefined {
  return new RegExp(`(?:^|;)\\s*${keyword}\\s*=\\s*(\\w+)\\s*(?:;|$)`, "i").exec(text)?.[1];
}

/**
 * Parses an encryption mode. `strict` means TLS from the first byte (TDS 8); `undefined` means the driver's default,
 * which is to encrypt.
 */
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

/** Parses a URL. Options follow `?`; times are in milliseconds. */
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
  // The path is `/database` or `/instance/database`.
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
