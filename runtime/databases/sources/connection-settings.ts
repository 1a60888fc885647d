/**
 * Resolves values of connection settings that reference environment variables by name or with `{{NAME}}` templates.
 * Resolved connection strings are printed without their passwords.
 */
import { inspect } from "node:util";
import { EngineError } from "../../values/errors.ts";
import type { ResponseMemory } from "../../values/response-memory.ts";
import type { ConnectionMeter, ConnectionRole } from "./source.ts";

export interface SourceEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX`. Absent: `dynamic_from_file` is rejected. */
  readonly dynamicSecretsPrefix?: string;
  /**
   * Second database setting that receives the session variables, in addition to `engine.user`, for SQL that reads it.
   */
  readonly otherUserSetting?: string;
  /** Rejects writes to all sources (`ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE`). */
  readonly readOnly?: boolean;
  /** Memory budget shared by all sources and the responses built from their rows. */
  readonly responseMemory?: ResponseMemory;
  /** Minimum length in bytes of rows that stay bytes; tests set it to compare both forms. */
  readonly minByteRow?: number;
  /** Number of server processes that share the connection limit of a pool. Default: 1. */
  readonly sharedBy?: number;
  /** Returns the connection meter of a source, by the names of the source and its server. Absent without metrics. */
  readonly meterOf?: (source: string, server: string, role: ConnectionRole) => ConnectionMeter;
}

/** A value with optional `{{NAME}}` templates, or the name of the environment variable that holds it. */
export type EnvironmentValue = string | { readonly from_env: string };

/** A connection string that is printed and serialized without its password. */
export class ConnectionString {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the full text including the password. For the driver only. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return redactUrl(this.#text);
  }

  toJSON(): string {
    return redactUrl(this.#text);
  }

  [inspect.custom](): string {
    return redactUrl(this.#text);
  }
}

/**
 * Returns the number of connections that this process may open.
 * @param limit limit over all processes of the server
 */
export function ownShare(limit: number, { sharedBy = 1 }: SourceEnvironment): number {
  return Math.ceil(limit / sharedBy);
}

/**
 * Resolves a value.
 * @throws EngineError `not-found` for an unset variable in `from_env`, `unexpected` for unset variables in templates
 */
export function resolveEnvironmentValue(value: EnvironmentValue, environment: SourceEnvironment): string {
  const { variables } = environment;
  if (typeof value !== "string") {
    const found = variables[value.from_env];
    if (found === undefined)
      throw new EngineError("not-found", "$", `environment variable '${value.from_env}' not set`);
    return found;
  }
  const missing: string[] = [];
  const resolved = value.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
    const found = variables[inner.trim()];
    if (found === undefined) missing.push(inner.trim());
    return found ?? "";
  });
  if (missing.length > 0) {
    throw new EngineError("unexpected", "$", `Value for environment variables not found: ${missing.join(", ")}`);
  }
  return resolved;
}

const redacted = "<REDACTED>";

/** Redacts passwords in a connection string for logs, including malformed ones. May redact more than necessary. */
export function redactUrl(text: string): string {
  return (
    withoutUserPassword(text)
      // scheme://user:password without the @: the text after the colon is not a port
      .replace(/:\/\/(\[[^\]/@]*\]|(?!\[)[^:@/]*):(?!\d*(?:[/?,]|$)|<REDACTED>@)[^@]*/, `://$1:${redacted}`)
      // ?password=… and the keyword form host=… password='…'
      .replace(/(password\s*=\s*)(?:'(?:[^'\\]|\\.)*'?|[^&\s]*)/gi, `$1${redacted}`)
  );
}

/** Redacts `scheme://user:password@` up to the last @, because the password may contain one. */
function withoutUserPassword(text: string): string {
  const at = text.lastIndexOf("@");
  const user = /:\/\/[^:@]*:/.exec(text.slice(0, Math.max(0, at)));
  return user === null ? text : `${text.slice(0, user.index + user[0].length)}${redacted}${text.slice(at)}`;
}
