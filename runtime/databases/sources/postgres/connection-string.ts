/**
 * Parses a PostgreSQL connection string, as a URL or as `key=value` pairs. Its errors never repeat the text, because a
 * typing mistake can make the password look like the host.
 */
import { EngineError } from "../../../values/errors.ts";

export interface ServerAddress {
  /** Absent parts are left to the driver, which reads them from `PG*` variables as libpq does. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** Other parameters, such as `sslmode`, `application_name`, `connect_timeout`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses a connection string.
 * @throws EngineError `invalid-configuration`
 */
export function parseConnectionString(text: string): ServerAddress {
  const trimmed = text.trim();
  if (/^postgres(ql)?:\/\//i.test(trimmed)) return address(urlParts(trimmed));
  if (/^[a-z_]+\s*=/i.test(trimmed)) return address(keywordParts(trimmed));
  throw invalid("it begins neither with postgresql:// nor with a keyword such as host=");
}

/** Formats a connection string, the inverse of `parseConnectionString` for these parts. */
export function formatConnectionString(parts: {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string;
  readonly database: string;
}): string {
  const password = parts.password === undefined ? "" : `:${encodeURIComponent(parts.password)}`;
  const host = parts.host.includes(":") ? `[${parts.host}]` : encodeURIComponent(parts.host);
  const user = encodeURIComponent(parts.username);
  return `postgresql://${user}${password}@${host}:${parts.port}/${encodeURIComponent(parts.database)}`;
}

function invalid(reason: string): EngineError {
  return new EngineError("invalid-configuration", "$", `invalid connection string: ${reason}`);
}

type Parts = Map<string, string>;

function urlParts(text: string): Parts {
  const parts: Parts = new Map();
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") parts.set(key, decode(value));
  };
  let rest = text.slice(text.indexOf("://") + 3);
  const firstSlash = rest.indexOf("/");
  const authorityEnd = firstSlash === -1 ? rest.length : firstSlash;
  const at = rest.lastIndexOf("@", authorityEnd);
  if (at !== -1) {
    const [user, ...password] = rest.slice(0, at).split(":");
    set("user", user);
    set("password", password.join(":"));
    rest = rest.slice(at + 1);
  }
  const match = /^(\[[^\]]*\]|[^:/?[\]]*)(?::([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/s.exec(rest);
  if (!match) throw invalid("the part after the host is malformed");
  const [, host = "", port, database, query] = match;
  if (at === -1 && database?.includes("@")) {
    throw invalid("special characters in the user name and the password must be percent-encoded");
  }
  set("host", host.startsWith("[") ? host.slice(1, -1) : host);
  set("port", port);
  set("dbname", database);
  for (const pair of query?.split("&") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0) set(decode(pair.slice(0, equals)), pair.slice(equals + 1));
  }
  return parts;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("a percent sign must be followed by two hexadecimal digits");
  }
}

function keywordParts(text: string): Parts {
  const parts: Parts = new Map();
  const pair = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/gisy;
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text);
    if (!match) throw invalid("the list of keywords and values is malformed");
    const value = (match[2] ?? match[3] ?? "").replace(/\\(.)/gs, "$1");
    if (match[1] !== undefined && value !== "") parts.set(match[1], value);
  }
  return parts;
}

function address(parts: Parts): ServerAddress {
  const take = (key: string): string | undefined => {
    const value = parts.get(key);
    parts.delete(key);
    return value;
  };
  const host = take("host");
  const port = take("port");
  const user = take("user");
  const password = take("password");
  const database = take("dbname");
  if (host?.includes(",")) throw invalid("it names several hosts; name one, and read_replicas for the others");
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: portNumber(port) }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    parameters: parts,
  };
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw invalid("the port is not a number from 1 to 65535");
  return port;
}
