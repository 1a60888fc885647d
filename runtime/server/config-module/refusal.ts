/** Refusals of a configuration's code. Configurations bring a class of their own in their bundle, so a mark tells. */
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

/** `undefined`: it refuses nothing, something went wrong. */
export function refusalOf(thrown: unknown): EngineError | undefined {
  if (!(thrown instanceof Error) || !(mark in thrown)) return undefined;
  const { code, status }: Partial<Record<"code" | "status", unknown>> & Error = thrown;
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  return new EngineError(typeof code === "string" && code !== "" ? code : "access-denied", "$", thrown.message, {
    status: isStatus ? Number(status) : 403,
  });
}
