/** Converts diagnostics of the compiler to errors of the runtime. */
import type { Diagnostic, Result } from "../../compiler/diagnostics/diagnostic.ts";
import { EngineError } from "../values/errors.ts";

export function engineError({ code, path, message, status, internal, hint }: Diagnostic): EngineError {
  const details = {
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint: () => hint }),
    internal,
  };
  return new EngineError(code, path, message, details);
}

/** Returns the value of a result. @throws EngineError for a diagnostic */
export function valueOrThrow<T>(result: Result<T>): T {
  if (!result.ok) throw engineError(result.error);
  return result.value;
}
