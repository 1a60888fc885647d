/** Root fields resolved by action handlers. */
import type { FieldNode } from "graphql";
import type { ActionDefinition } from "../../../definitions/actions/action.ts";
import { type ResultType, resultTypeOf } from "../../../definitions/actions/result-type.ts";
import type { ActionRoot } from "../../../definitions/roots.ts";
import type { OutputField } from "../../../schema/types.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { type ActionArguments, actionArguments } from "./arguments.ts";

/** A call of a handler, before variables are bound. */
export interface ActionCall {
  readonly action: ActionDefinition;
  /** Kind of call: synchronous, start, or result of an asynchronous action. */
  readonly use: ActionRoot["kind"];
  /** Arguments of the handler, or the id of a call. */
  readonly input: ActionArguments;
  /** Type of the handler's response. */
  readonly result: ResultType;
}

export interface ActionContext {
  readonly operation: Operation;
  readonly inputs: InputReader;
}

/**
 * Reads the call of a root field.
 * @throws EngineError `validation-failed`
 */
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
