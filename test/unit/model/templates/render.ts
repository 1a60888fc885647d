/** Evaluates templates in tests. */
import { transformBudget } from "../../../../runtime/model/templates/budget.ts";
import { compileTemplate } from "../../../../runtime/model/templates/compile-template.ts";
import { evaluate, outcomeOf } from "../../../../runtime/model/templates/evaluator.ts";
import type { JsonValue } from "../../../../runtime/model/templates/json-value.ts";
import type { Outcome, TemplateError } from "../../../../runtime/model/templates/template-error.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";

export function tryRender(source: string, variables: Readonly<Record<string, JsonValue>> = {}): Outcome<JsonValue> {
  const template = compileTemplate(source);
  if (!template.ok) return template;
  const scope = { variables: new Map(Object.entries(variables)), functions: new Map() };
  const budget = transformBudget(Number.POSITIVE_INFINITY);
  return outcomeOf(template.value, runToCompletion(evaluate([template.value], scope, budget)));
}

export function render(source: string, variables: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  const outcome = tryRender(source, variables);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.errors));
  return outcome.value;
}

export function failure(source: string, variables: Readonly<Record<string, JsonValue>> = {}): TemplateError {
  const outcome = tryRender(source, variables);
  const error = outcome.ok ? undefined : outcome.errors[0];
  if (error === undefined) throw new Error(`${source} did not fail`);
  return error;
}

/** Returns `start_line:start_column-end_line:end_column`. */
export function placeOf({ source_position }: TemplateError): string | undefined {
  if (source_position === undefined) return undefined;
  const { start_line, start_column, end_line, end_column } = source_position;
  return `${start_line}:${start_column}-${end_line}:${end_column}`;
}
