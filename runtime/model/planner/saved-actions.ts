/**
 * Functions that generated modules use to declare calls of action handlers by saved operations.
 */
import { parseValue, type ValueNode } from "graphql";
import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type { ActionDefinition } from "../definitions/actions/action.ts";
import { resultTypeOf } from "../definitions/actions/result-type.ts";
import type { ParameterSlot } from "../definitions/parameters.ts";
import { actionArgumentTypes } from "../schema/action-types.ts";
import type { ActionPlan, OutputMember, OutputObject, OutputRead } from "./action-plan.ts";
import type { PlanPart } from "./plan.ts";
import { type ActionArguments, argumentPath, requiredOf } from "./request/action/arguments.ts";
import type { ActionCall } from "./request/action/select.ts";
import { joined, type WrittenPlaces } from "./saved-plans.ts";

/** GraphQL text by names. */
type Texts = Readonly<Record<string, string>>;

/** Options of a field that an action handler resolves. */
interface WrittenAction {
  /** Absent for synchronous calls of the handler. */
  readonly use?: Exclude<ActionCall["use"], "action">;
  /** Arguments, if any. */
  readonly args?: Texts;
  /** Defaults of variables. */
  readonly defaults?: Texts;
  /** Selection of the output; absent for scalars and enums, and lists of them. */
  readonly output?: OutputObject;
  /** Statements that read rows for the output objects. */
  readonly reads?: readonly OutputRead[];
  /** For mutations: number of preceding fields that write to databases; default 0. */
  readonly afterWrites?: number;
}

/**
 * Declares the call of an action.
 * @param path path of the field
 */
export function actionRequest(action: ActionDefinition, path: string, written: WrittenAction = {}): ActionPlan {
  const { use = "action", output = null, reads = [], afterWrites = 0 } = written;
  // Types of arguments and outputs are read on the first request.
  const input = lazy(() => argumentsOf(action, use, path, written));
  const result = lazy(() => resultTypeOf(action));
  const call: ActionCall = {
    action,
    use,
    get input() {
      return input();
    },
    get result() {
      return result();
    },
  };
  return { call, output, reads, afterWrites };
}

function argumentsOf(
  action: ActionDefinition,
  use: ActionCall["use"],
  path: string,
  { args = {}, defaults = {} }: WrittenAction,
): ActionArguments {
  const known = actionArgumentTypes(action, use);
  const given = Object.entries(args).map(([name, text]) => {
    const field = known.get(name);
    invariant(field, `action ${action.name} takes ${name}`);
    return { name, field, node: nodeOf(text), path: argumentPath(path, name) };
  });
  const defaultNodes = Object.entries(defaults).map(([name, text]) => [name, nodeOf(text)] as const);
  return { given, required: requiredOf(known), path, defaults: new Map(defaultNodes) };
}

const nodeOf = (text: string): ValueNode => parseValue(text, { noLocation: true });

/** Declares the response member of an action. */
export function actionOf(key: string, from: { readonly action: number }, joins?: WrittenPlaces): PlanPart {
  return { kind: "action", key, ...from, ...joined(joins) };
}

// ---------------------------------------------------------------- selection of an output

/**
 * Declares the selection of an output object.
 * @param members a name alone is a member with its name as response key
 * @param options `place`: index among the objects that rows are read for, if any are
 */
export function outputObject(
  members: readonly (OutputMember | string)[],
  { place }: Pick<OutputObject, "place"> = {},
): OutputObject {
  const all = members.map((member) => (typeof member === "string" ? outputMember(member) : member));
  return { members: all, ...(place !== undefined && { place }) };
}

/**
 * Declares a member of the handler's response.
 * @param as response key; default: the name
 * @param object selection of the member; absent for scalars and enums
 */
export function outputMember(
  name: string,
  { as: key = name, object }: { readonly as?: string; readonly object?: OutputObject } = {},
): OutputMember {
  return { kind: "member", key, name, ...(object && { object }) };
}

/** Declares a member with a constant value: the name of a type. */
export function constantMember(key: string, value: string): OutputMember {
  return { kind: "constant", key, value };
}

/** Declares the keys of a join: members of the object. */
export function joinKeyMember(key: string, ...names: readonly string[]): OutputMember {
  return { kind: "join", key, names };
}

/** Declares a member that is read from the database for the object. */
export function readMember(key: string): OutputMember {
  return { kind: "read", key };
}

/**
 * Declares a statement that reads rows for all objects of some places.
 * @param places place of each column
 */
export function outputRead(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  { places }: Pick<OutputRead, "places">,
): OutputRead {
  return { source, text, slots, places };
}
