/**
 * The usual form of a handler's response: exactly the selected fields, in order, with valid values in canonical form.
 * Such a response is passed to the client without parsing.
 */
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import type { ActionPlan, OutputObject } from "../../model/planner/action-plan.ts";
import {
  CanonicalForms,
  type Form,
  listForm,
  nullOr,
  objectForm,
  writtenScalarForm,
} from "../../values/json/canonical-form.ts";

/** The parts of a plan that determine the form. */
export interface ResponsePlan extends Pick<ActionPlan, "output" | "reads"> {
  readonly call: { readonly result: ResultType };
}

const forms = new CanonicalForms<ResponsePlan>(handlerResponseForm);

/** Returns true if the text of a response can be used as the field's value. */
export const isUsualResponse = (text: string, plan: ResponsePlan): boolean => forms.matches(plan, text);

/** Returns the form of responses; `undefined` if they must always be parsed. */
export function handlerResponseForm({ output, reads, call: { result } }: ResponsePlan): Form {
  if (output === null || reads.length > 0) return undefined;
  return typeForm(result.type, selectionForm(output, result.name, result));
}

/**
 * Returns the form of values of a type.
 * @param type `[Order!]!`
 */
function typeForm(type: string, named: Form): Form {
  if (!type.endsWith("!")) return nullOr(typeForm(`${type}!`, named));
  const inner = type.slice(0, -1);
  return inner.startsWith("[") ? listForm(typeForm(inner.slice(1, -1), named)) : named;
}

/**
 * Returns the form of the selected fields of an object.
 * @param type the name of the object type
 */
function selectionForm({ members, place }: OutputObject, type: string, { objects }: Types): Form {
  const fields = objects.get(type);
  if (place !== undefined || fields === undefined) return undefined;
  const selected = new Set(members.map(({ key }) => key));
  if (!fields.every((field) => !field.type.endsWith("!") || selected.has(field.name))) return undefined;
  const types = new Map(fields.map((field) => [field.name, field.type]));
  return objectForm(memberForms(members, types, { objects }));
}

function* memberForms(
  members: OutputObject["members"],
  types: ReadonlyMap<string, string>,
  { objects }: Types,
): Iterable<readonly [string, Form]> {
  for (const member of members) {
    const declared = types.get(member.key);
    const isOwn = member.kind === "member" && member.key === member.name;
    if (!isOwn || declared === undefined) yield [member.key, undefined];
    else if (!member.object) yield [member.key, typeForm(declared, writtenScalarForm)];
    else yield [member.key, typeForm(declared, selectionForm(member.object, nameIn(declared), { objects }))];
  }
}

/** Returns the name in a type such as `[Order!]!`. */
const nameIn = (type: string): string => type.replace(/[[\]!]/g, "");

type Types = Pick<ResultType, "objects">;
