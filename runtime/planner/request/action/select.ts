/** A root field that the handler of an action answers, and what a request selects of the answer. */
import type { FieldNode } from "graphql";
import type { ActionDefinition } from "../../../definitions/actions/action.ts";
import type { ActionRoot } from "../../../definitions/roots.ts";
import { type OutputField, type OutputTypeDef, typeText } from "../../../schema/types.ts";
import { pathTo } from "../../../values/errors.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { argumentValues, givenArguments, type Variables } from "./arguments.ts";

/** A call of a handler, as far as it does not depend on values. */
export interface ActionCall {
  readonly action: ActionDefinition;
  /** What is asked of the action. */
  readonly use: ActionRoot["kind"];
  readonly outputs: ActionRoot["outputs"];
  /**
   * The arguments: what the handler gets, or the id of a call.
   * @throws EngineError `validation-failed`
   */
  readonly input: (variables: Variables) => Readonly<Record<string, unknown>>;
  readonly result: ResultType;
}

/** The type of the field: what the handler has to answer, where it is the handler that answers. */
export interface ResultType {
  /** `[Order!]!` */
  readonly type: string;
  /** `Order` */
  readonly name: string;
  readonly isObject: boolean;
  /** Fields that are never null, in the order of the type. */
  readonly required: readonly string[];
}

export interface ActionContext {
  readonly operation: Operation;
  readonly variables: Variables;
  readonly inputs: InputReader;
}

/** @throws EngineError `validation-failed`, for values, too: they are read for the first time */
export function actionCall(
  { operation, variables, inputs }: ActionContext,
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
  const given = givenArguments(name, field.args(), node?.arguments ?? [], pathTo(path, "args"));
  argumentValues(operation, given, variables, (variable) => inputs.use(variable));
  return {
    action: root.action(),
    use: root.kind,
    outputs: root.outputs,
    input: (values) => argumentValues(operation, given, values),
    result: resultType(field),
  };
}

function resultType(field: OutputField): ResultType {
  const type: OutputTypeDef = field.type();
  const members = type.kind === "object" ? [...type.fields()] : [];
  const required = members.filter(([, { meta, required }]) => meta.kind === "action_member" && required);
  return {
    type: typeText(field),
    name: type.name,
    isObject: type.kind === "object",
    required: required.map(([name]) => name),
  };
}
