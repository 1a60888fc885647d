/**
 * Values of connection settings that refer to something outside the metadata: environment variables, `{{NAME}}`
 * templates. The environment is an argument; what is resolved prints without its password.
 */
import { inspect } from "node:util";
import type { AnswerMemory } from "../../values/answer-memory.ts";
import { EngineError } from "../../values/errors.ts";
import type { ConnectionMeter, ConnectionRole } from "./source.ts";

export interface SourceEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX`; absent: `dynamic_from_file` is refused. */
  readonly dynamicSecretsPrefix?: string;
  /** Another setting that gets the session variables beside `engine.user`, for SQL that reads it there; absent: none. */
  readonly otherUserSetting?: string;
  /** Nothing may be written to any source (`ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE`). */
  readonly readOnly?: boolean;
  /** What all sources and the answers made of their rows share. */
  readonly answerMemory?: AnswerMemory;
  /** How many processes of a server share the connections that a pool may have; absent: this one has them alone. */
  readonly sharedBy?: number;
  /** What measures the connections of a source, by its name and that of its server; absent: nothing does. */
  readonly meterOf?: (source: string, server: string, role: ConnectionRole) => ConnectionMeter;
}

/** A value, which may contain `{{NAME}}`, or the name of the environment variable that holds it. */
export type EnvironmentValue = string | { readonly from_env: string };

/** A connection string that shows without its password wherever it is printed or serialised by accident. */
export class ConnectionString {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole text, password included: for the driver only. */
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

/** How many of a pool's connections this process may open. @param most of all processes of the server together */
export function ownShare(most: number, { sharedBy = 1 }: SourceEnvironment): number {
  return Math.ceil(most / sharedBy);
}

/**
 * @throws EngineError `not-found` for an unset variable named by `from_env`, `unexpected` for unset ones in templates
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

/** A connection string for logs: passwords replaced, also in malformed text. May hide more than it needs to. */
export function redactUrl(text: string): string {
  return (
    withoutUserPassword(text)
      // scheme://user:password with the @ forgotten: what follows the colon is no port
      .replace(/:\/\/(\[[^\]/@]*\]|(?!\[)[^:@/]*):(?!\d*(?:[/?,]|$)|<REDACTED>@)[^@]*/, `://$1:${redacted}`)
      // ?password=… and the keyword form host=… password='…'
      .replace(/(password\s*=\s*)(?:'(?:[^'\\]|\\.)*'?|[^&\s]*)/gi, `$1${redacted}`)
  );
}

/** `scheme://user:password@` – up to the last @, in case the password contains one. */
function withoutUserPassword(text: string): string {
  const at = text.lastIndexOf("@");
  const user = /:\/\/[^:@]*:/.exec(text.slice(0, Math.max(0, at)));
  return user === null ? text : `${text.slice(0, user.index + user[0].length)}${redacted}${text.slice(at)}`;
}
