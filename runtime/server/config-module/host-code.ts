/** Calls of a configuration's code, which may do anything: throw, hang, return what it should not. */
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { refusalOf } from "./refusal.ts";

/** Where the code is written. */
export interface HostSource {
  /** As messages name it: `engine.config.ts`. */
  readonly file: string;
  /** File and line where a member is set, as far as they are known. */
  readonly placeOf: (name: string) => string;
  /** File and line of the code that threw something, where that can be told. */
  readonly locate: (thrown: unknown) => string | undefined;
}

export interface HostCode extends Pick<HostSource, "file" | "locate"> {
  readonly log: Log;
  readonly timeoutMilliseconds: number;
}

/**
 * What a function of the configuration returns.
 * @param name of the function
 * @throws EngineError its refusal; whatever else goes wrong is logged, and the client is told nothing of it
 */
export async function callHost<T>(code: HostCode, name: string, call: (signal: AbortSignal) => T): Promise<Awaited<T>> {
  const { timeoutMilliseconds } = code;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${timeoutMilliseconds} ms`)), timeoutMilliseconds);
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

/** Logs what is wrong with a function of the code. */
export function hostFault(code: HostCode, name: string, thrown: unknown): EngineError {
  logHostFault(code, name, thrown);
  return new EngineError("unexpected", "$", "Internal Server Error", { status: 500 });
}

export function logHostFault({ log, file, locate }: HostCode, name: string, thrown: unknown): void {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  log.error("unhandled-internal-error", { message: `${locate(thrown) ?? file}: ${name}: ${message}` });
}
