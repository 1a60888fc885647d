/** Checks the variables of one request against their declarations: missing, unexpected and null values. */

import type { DeclaredVariable } from "../model/planner/request/document.ts";
import { EngineError } from "../values/errors.ts";

export interface VariableOptions {
  /** `ENGINE_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES`. */
  readonly nullInNonNullable: boolean;
}

const none: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

/**
 * Returns the variables as an object without a prototype, because their names come from the request.
 * @throws EngineError `validation-failed`
 */
export function readVariables(
  declared: ReadonlyMap<string, DeclaredVariable>,
  values: Readonly<Record<string, unknown>> | null,
  options: VariableOptions,
): Readonly<Record<string, unknown>> {
  const names = values ? Object.keys(values) : [];
  const unexpected = names.filter((name) => declared.get(name)?.isUsed !== true);
  if (unexpected.length > 0) {
    throw invalid(`unexpected variables in variableValues: ${unexpected.join(", ")}`);
  }
  for (const [name, { type, required, hasDefault, isUsed }] of declared) {
    if (!required) continue;
    const value = values && Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined && !hasDefault && isUsed) {
      throw invalid(`expecting a value for non-nullable variable: "${name}"`);
    }
    if (value === null && !options.nullInNonNullable) {
      throw invalid(`null value found for non-nullable type: "${type}"`);
    }
  }
  return names.length === 0 ? none : Object.assign(Object.create(null), values);
}

function invalid(message: string): EngineError {
  return new EngineError("validation-failed", "$", message);
}
