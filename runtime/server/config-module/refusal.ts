/**
 * Refusals thrown by the configuration. The bundle of a configuration has its own copy of the class, so refusals are
 * recognized by a symbol.
 */
import { EngineError } from "../../values/errors.ts";

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
export function refusalOf(thrown: unknown): EngineError | undefined {
  if (!(thrown instanceof Error) || !(mark in thrown)) return undefined;
  const { code, status }: Partial<Record<"code" | "status", unknown>> & Error = thrown;
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  return new EngineError(typeof code === "string" && code !== "" ? code : "access-denied", "$", thrown.message, {
    status: isStatus ? Number(status) : 403,
  });
}
