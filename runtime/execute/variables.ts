/** The variables of one request, checked against their declarations (`graphql-api.md` 1.6). */

import type { DeclaredVariable } from "../model/planner/request/document.ts";
import { EngineError } from "../values/errors.ts";

export interface VariableOptions {
  /** `ENGINE_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES`. */
  readonly nullInNonNullable: boolean;
}

const none: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

/**
 * The given variables, without a prototype: their names come from the request.
 * @throws EngineError `validation-failed`
 */
export function readVariables(
  declared: ReadonlyMap<string, DeclaredVariable>,
  given: Readonly<Record<string, unknown>> | null,
  options: VariableOptions,
): Readonly<Record<string, unknown>> {
  const names = given ? Object.keys(given) : [];
  const unexpected = names.filter((name) => declared.get(name)?.isUsed !== true);
  if (unexpected.length > 0) {
    throw invalid(`unexpected variables in variableValues: ${unexpected.join(", ")}`);
  }
  for (const [name, { type, required, hasDefault, isUsed }] of declared) {
    if (!required) continue;
    const value = given && Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined && !hasDefault && isUsed) {
      throw invalid(`expecting a value for non-nullable variable: "${name}"`);
    }
    if (value === null && !options.nullInNonNullable) {
      throw invalid(`null value found for non-nullable type: "${type}"`);
    }
  }
  return names.length === 0 ? none : Object.assign(Object.create(null), given);
}

function invalid(message: string): EngineError {
  return new EngineError("validation-failed", "$", message);
}
