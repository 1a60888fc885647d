/** A root field that the handler of an action answers, and what a request selects of the answer. */
import type { FieldNode } from "graphql";
import type { ActionDefinition } from "../../../definitions/actions/action.ts";
import { type ResultType, resultTypeOf } from "../../../definitions/actions/result-type.ts";
import type { ActionRoot } from "../../../definitions/roots.ts";
import type { OutputField } from "../../../schema/types.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { type ActionArguments, actionArguments } from "./arguments.ts";

/** A call of a handler, as far as it does not depend on values. */
export interface ActionCall {
  readonly action: ActionDefinition;
  /** What is asked of the action. */
  readonly use: ActionRoot["kind"];
  /** What the handler gets, or the id of a call. */
  readonly input: ActionArguments;
  /** What the handler answers. */
  readonly result: ResultType;
}

export interface ActionContext {
  readonly operation: Operation;
  readonly inputs: InputReader;
}

/** @throws EngineError `validation-failed` */
export function actionCall(
  { operation, inputs }: ActionContext,
  root: ActionRoot,
  {
    name,
    field,
    node,
    path,
  }: {
    readonly name: string;
    readonly field: OutputField;
    readonly node: FieldNode | undefined;
    readonly path: string;
  },
): ActionCall {
  const action = root.action();
  const given = { name, known: field.args(), nodes: node?.arguments ?? [], path };
  const input = actionArguments(operation, given, (variable) => inputs.use(variable));
  return { action, use: root.kind, input, result: resultTypeOf(action) };
}
