/** Evaluates `@include` and `@skip`. */
import type { DirectiveNode } from "graphql";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { checkDirectives, type DirectivePlace } from "./directives.ts";
import { booleanValue } from "./input.ts";
import type { InputReader } from "./input-reader.ts";

export interface ConditionContext {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly inputs: InputReader;
}

/**
 * Returns false if `@include` or `@skip` excludes a selection.
 * @throws EngineError `validation-failed` if the directives are invalid
 */
export function isIncluded(
  context: ConditionContext,
  directives: readonly DirectiveNode[],
  place: DirectivePlace,
  path: string,
): boolean {
  checkDirectives(directives, place, path);
  let included = true;
  for (const directive of directives) {
    if (conditionOf(context, directive, path) === (directive.name.value === "skip")) included = false;
  }
  return included;
}

function conditionOf(context: ConditionContext, directive: DirectiveNode, path: string): boolean {
  const node = directive.arguments?.find((argument) => argument.name.value === "if")?.value;
  if (!node) throw new EngineError("validation-failed", pathTo(path, "if"), "missing required field 'if'");
  const input = context.inputs.read(conditionField, node, pathTo(path, "if"));
  if (input?.kind !== "value") {
    throw new EngineError("validation-failed", path, "expected a boolean for type 'Boolean', but found null");
  }
  return booleanValue(input, context.variables);
}

const booleanType = { kind: "scalar", name: "Boolean" } as const;
const conditionField = {
  type: () => booleanType,
  list: false,
  required: true,
  nullIsAbsent: false,
  meta: { kind: "argument" },
} as const;
