/** Calls functions of the configuration, which may throw, hang, or return invalid values. */

import type { Log } from "../../observe/logs/log.ts";
import { EngineError, foreignCode } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";

/** The location of the configuration. */
export interface HostSource {
  /** File name in messages, such as `engine.config.ts`. */
  readonly file: string;
  /** Returns the location of a member: the file and, if known, the line. */
  readonly placeOf: (name: string) => string;
  /** Returns the file and line of the code that threw a value, if known. */
  readonly locate: (thrown: unknown) => string | undefined;
}

export interface HostCode extends Pick<HostSource, "file" | "locate"> {
  readonly log: Log;
  readonly timeoutMilliseconds: number;
}

/**
 * Calls a function of the configuration and returns its result.
 * @param name name of the function
 * @throws EngineError the function's refusal; other failures are logged, and the client gets a generic error
 */
export async function callHost<T>(code: HostCode, name: string, call: (signal: AbortSignal) => T): Promise<Awaited<T>> {
  const { timeoutMilliseconds } = code;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${timeoutMilliseconds} ms`)), timeoutMilliseconds);
  });
  try {
    return await Promise.race([call(ending.signal), late]);
  } catch (thrown) {
    throw refusalOf(thrown) ?? hostFault(code, name, thrown);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Logs a failure of a function of the configuration. Returns the generic error for the client. */
export function hostFault(code: HostCode, name: string, thrown: unknown): EngineError {
  logHostFault(code, name, thrown);
  return new EngineError("unexpected", "$", "Internal Server Error", { status: 500 });
}

export function logHostFault({ log, file, locate }: HostCode, name: string, thrown: unknown): void {
  const message = messageOf(thrown);
  log.error("unhandled-internal-error", { message: `${locate(thrown) ?? file}: ${name}: ${message}` });
}

/**
 * Refusals thrown by the configuration. The bundle of a configuration has its own copy of the class, so refusals are
 * recognized by a symbol.
 */
const mark: unique symbol = Symbol.for("engine.refusal");

export class Refusal extends Error {
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly [mark] = true;

  constructor(message: string, { code, status }: { readonly code?: string; readonly status?: number }) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.status = status;
  }
}

/** Returns the error of a refusal, or `undefined` for other exceptions. */
function refusalOf(thrown: unknown): EngineError | undefined {
  if (!(thrown instanceof Error) || !(mark in thrown)) return undefined;
  const { code, status }: Partial<Record<"code" | "status", unknown>> & Error = thrown;
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  const ownCode = typeof code === "string" && code !== "" ? foreignCode(code) : "access-denied";
  return new EngineError(ownCode, "$", thrown.message, { status: isStatus ? Number(status) : 403 });
}
