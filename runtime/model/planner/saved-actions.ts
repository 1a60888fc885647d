/**
 * What saved operations ask of the handlers of actions, as the modules of a role declare it. The functions of this file
 * are what such a module is written with.
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

/** A field that a handler answers. */
interface WrittenAction {
  /** Absent: the handler is called, and answers. */
  readonly use?: Exclude<ActionCall["use"], "action">;
  /** Absent: it takes none. */
  readonly args?: Texts;
  /** What stands in for variables that a request does not give. */
  readonly defaults?: Texts;
  /** What is selected of the answer; absent: it is a scalar or enum, or a list of them. */
  readonly answer?: OutputObject;
  /** What is read of tables for objects of the answer. */
  readonly reads?: readonly OutputRead[];
  /** Of a mutation: how many fields write to databases before; absent: none. */
  readonly afterWrites?: number;
}

/** @param path of the field */
export function actionRequest(action: ActionDefinition, path: string, written: WrittenAction = {}): ActionPlan {
  const { use = "action", answer = null, reads = [], afterWrites = 0 } = written;
  // Types of arguments and answers are read when a request asks for them.
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
  return { call, output: answer, reads, afterWrites };
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
  const standing = Object.entries(defaults).map(([name, text]) => [name, nodeOf(text)] as const);
  return { given, required: requiredOf(known), path, defaults: new Map(standing) };
}

const nodeOf = (text: string): ValueNode => parseValue(text, { noLocation: true });

/** The field of the answer that a request asks for. */
export function actionOf(key: string, action: number, joins?: WrittenPlaces): PlanPart {
  return { kind: "action", key, action, ...joined(joins) };
}

// ---------------------------------------------------------------- what is selected of an answer

/**
 * @param members of an object; a name alone is a member that is answered under its own
 * @param place which of those that something is read for; absent: nothing is
 */
export function answerWith(members: readonly (OutputMember | string)[], place?: number): OutputObject {
  const all = members.map((member) => (typeof member === "string" ? answered(member) : member));
  return { members: all, ...(place !== undefined && { place }) };
}

/**
 * A member of what the handler answers.
 * @param as the key of the answer; absent: the name
 * @param object what is selected of it; absent: it has no fields
 */
export function answered(
  name: string,
  { as: key = name, object }: { readonly as?: string; readonly object?: OutputObject } = {},
): OutputMember {
  return { kind: "member", key, name, ...(object && { object }) };
}

/** A member whose value is known: the name of a type. */
export function alwaysAnswered(key: string, value: string): OutputMember {
  return { kind: "constant", key, value };
}

/** Keys by which something is joined: members of the object. */
export function joinedBy(key: string, ...names: readonly string[]): OutputMember {
  return { kind: "join", key, names };
}

/** A member of what is read for the object. */
export function readBeside(key: string): OutputMember {
  return { kind: "read", key };
}

/**
 * A statement that reads for all objects of some places.
 * @param places of each column
 */
export function readForObjects(
  source: string,
  text: string,
  slots: readonly ParameterSlot[],
  places: readonly number[],
): OutputRead {
  return { source, text, slots, places };
}
