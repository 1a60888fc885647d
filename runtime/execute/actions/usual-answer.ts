/**
 * The usual answer of a handler as one regular expression: what was selected, in its order, without blanks, every value in
 * the spelling that it has in answers. A match needs neither to be read nor to be written again, which takes ten times as
 * long. What does not match is looked at value by value.
 */

import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import type { ActionPlan, OutputObject } from "../../model/planner/action-plan.ts";

/** In characters of the expression: larger ones take long to make. */
const longestPattern = 16_384;
/** In characters of an answer: the matcher remembers most of them. */
const longestAnswer = 16_384;
/** A plan that is used less often is not worth making one. */
const usesBefore = 3;

interface Use {
  count: number;
  pattern?: RegExp | undefined;
}

/** What of a plan decides. */
export interface AnswerPlan extends Pick<ActionPlan, "output" | "reads"> {
  readonly call: { readonly result: ResultType };
}

const uses = new WeakMap<AnswerPlan, Use>();

/** Whether an answer of this plan is the text of the field's value as it stands. */
export function isUsualAnswer(text: string, plan: AnswerPlan): boolean {
  if (text.length > longestAnswer) return false;
  let use = uses.get(plan);
  if (use === undefined) {
    use = { count: 0 };
    uses.set(plan, use);
  }
  if (use.count < usesBefore) {
    use.count++;
    if (use.count === usesBefore) use.pattern = usualAnswer(plan);
  }
  return use.pattern?.test(text) === true;
}

// Only what is written as it was read: escapes that have no shorter form, …
const stringText = String.raw`"[^"\\\u0000-\u001f]*(?:\\["\\bfnrt][^"\\\u0000-\u001f]*)*"`;
/** … numbers without exponents, zeros at their ends or more digits than surely fit. */
const numberText = String.raw`0|-?(?:[1-9]\d{0,14}|(?:0|[1-9]\d{0,8})\.\d{0,4}[1-9])`;
const valueText = `${stringText}|true|false|${numberText}`;

/** `undefined`: its answers have no usual form, or what is selected is not all that they need to have. */
export function usualAnswer({ output, reads, call: { result } }: AnswerPlan): RegExp | undefined {
  if (output === null || reads.length > 0) return undefined;
  const object = objectText(output, result.name, result);
  const text = object && placeText(result.type, object);
  return text === undefined || text.length > longestPattern ? undefined : new RegExp(`^${text}$`);
}

/** @param type `[Order!]!` */
function placeText(type: string, object: string): string {
  if (!type.endsWith("!")) return `(?:null|${placeText(`${type}!`, object)})`;
  const inner = type.slice(0, -1);
  return inner.startsWith("[") ? listText(placeText(inner.slice(1, -1), object)) : object;
}

/** An item is written once; behind the last there is no comma. */
const listText = (item: string): string => String.raw`\[(?:${item}(?:,(?!\])|(?=\])))*\]`;

/** @param type the name of the object type */
function objectText({ members, place }: OutputObject, type: string, { objects }: Types): string | undefined {
  const fields = objects.get(type);
  if (place !== undefined || fields === undefined) return undefined;
  const selected = new Set(members.map(({ key }) => key));
  if (!fields.every((field) => !field.type.endsWith("!") || selected.has(field.name))) return undefined;
  const types = new Map(fields.map((field) => [field.name, field.type]));
  const texts: string[] = [];
  let length = 0;
  for (const member of members) {
    if (member.kind !== "member" || member.key !== member.name) return undefined;
    const declared = types.get(member.name);
    if (declared === undefined) return undefined;
    const value = member.object
      ? objectText(member.object, declared.replace(/[[\]!]/g, ""), { objects })
      : `(?:${valueText})`;
    if (value === undefined) return undefined;
    // Names of GraphQL have nothing to escape.
    const text = `"${member.name}":${placeText(declared, value)}`;
    length += text.length;
    if (length > longestPattern) return undefined;
    texts.push(text);
  }
  return `\\{${texts.join(",")}\\}`;
}

type Types = Pick<ResultType, "objects">;
