import { EngineError } from "../../values/errors.ts";

/** The error of a request that names a field which its role's schema does not have there. */
export function unknownField(path: string, field: string, type: string): EngineError {
  const message = `field '${field}' not found in type: '${type}'`;
  return new EngineError("validation-failed", path, message, { fault: { kind: "unknown_field", field, type } });
}
