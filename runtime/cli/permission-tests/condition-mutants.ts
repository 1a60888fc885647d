/** Changes of a condition: at each of its places, it is widened, negated, or loses one of its parts. */

import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";

export interface ConditionChange {
  readonly value: JsonObject;
  /** Such as `without {"done":{"_eq":true}}`. */
  readonly description: string;
  /** The part that the changed condition lacks; absent if the change is not a removal. */
  readonly removed?: JsonObject;
}

/** Yields each changed condition once: outer places first, and the members of an object in their order. */
export function* conditionChanges(condition: JsonObject): Iterable<ConditionChange> {
  const seen = new Set([stringifyJson(condition)]);
  for (const change of changesAt(condition)) {
    const key = stringifyJson(change.value);
    if (seen.has(key)) continue;
    seen.add(key);
    yield change;
  }
}

/** @param within path of the condition in the outermost one, such as ` in list._not` */
function* changesAt(condition: JsonObject, within = ""): Iterable<ConditionChange> {
  const entries = Object.entries(condition);
  if (entries.length === 0) return;
  yield { value: {}, description: `widened to {}${within}`, removed: condition };
  yield { value: { _not: condition }, description: `negated${within}` };
  for (const [key, value] of entries) {
    const others = Object.fromEntries(entries.filter(([other]) => other !== key));
    const part = { [key]: value };
    if (entries.length > 1) {
      yield { value: others, description: `without ${stringifyJson(part)}${within}`, removed: part };
      yield {
        value: { ...others, _and: [{ _not: part }, ...listOf(others._and)] },
        description: negated(part, within),
      };
    }
    yield* changesOfMember(key, value, within, (changed) => ({ ...condition, [key]: changed }), others);
  }
}

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const negated = (part: JsonObject, within: string): string => `with ${stringifyJson(part)} negated${within}`;

function* changesOfMember(
  key: string,
  value: Json,
  within: string,
  replaced: (value: Json) => JsonObject,
  others: JsonObject,
): Iterable<ConditionChange> {
  const at = `${within === "" ? " in " : `${within}.`}${key}`;
  switch (key.replace("$", "_")) {
    case "_and":
    case "_or":
      if (Array.isArray(value)) yield* changesOfList(value, at, replaced);
      return;
    case "_not":
      if (!isObject<Json>(value)) return;
      yield { value: joined(value, others), description: `without the _not of ${stringifyJson(value)}${within}` };
      yield* inside(value, at, replaced);
      return;
    case "_exists":
      if (!isObject<Json>(value) || !isObject<Json>(value._where)) return;
      yield* inside(value._where, at, (changed) => replaced({ ...value, _where: changed }));
      return;
    case "_permitted":
      // Its members are names. The changes of the permission that it names are mutants of that permission.
      return;
    default:
      if (!isObject<Json>(value)) return;
      if (isComparison(value)) yield* changesOfComparison(value, at, replaced);
      else yield* inside(value, at, replaced);
  }
}

/** Yields a list without each of its items, and with each item negated or changed inside. */
function* changesOfList(
  items: readonly Json[],
  at: string,
  replaced: (value: Json) => JsonObject,
): Iterable<ConditionChange> {
  for (const [index, item] of items.entries()) {
    if (!isObject<Json>(item)) continue;
    const changed = (value: Json): JsonObject => replaced(items.with(index, value));
    if (items.length > 1) {
      const value = replaced(items.toSpliced(index, 1));
      yield { value, description: `without ${stringifyJson(item)}${at}`, removed: item };
    }
    yield* inside(item, `${at}[${index}]`, changed);
  }
}

function* inside(condition: JsonObject, at: string, replaced: (value: Json) => JsonObject): Iterable<ConditionChange> {
  for (const { value, description, removed } of changesAt(condition, at)) {
    yield { value: replaced(value), description, ...(removed && { removed: replaced(removed) }) };
  }
}

/** Boundaries that a comparison leaves out, and the operator that includes them. */
const including: Readonly<Record<string, string>> = { _gt: "_gte", _lt: "_lte", $gt: "$gte", $lt: "$lte" };

/** Yields a comparison without each of its operators, and with the values at its bounds. */
function* changesOfComparison(
  operators: JsonObject,
  at: string,
  replaced: (value: Json) => JsonObject,
): Iterable<ConditionChange> {
  const entries = Object.entries(operators);
  for (const [index, [name, operand]] of entries.entries()) {
    if (entries.length > 1) {
      const removed = replaced({ [name]: operand });
      const value = replaced(Object.fromEntries(entries.toSpliced(index, 1)));
      yield { value, description: `without ${stringifyJson({ [name]: operand })}${at}`, removed };
    }
    const wider = including[name];
    if (wider === undefined) continue;
    const value = replaced(Object.fromEntries(entries.with(index, [wider, operand ?? null])));
    yield { value, description: `with ${wider} instead of ${name}${at}` };
  }
}

/** Joins two conditions whose keys may be equal. */
function joined(condition: JsonObject, others: JsonObject): JsonObject {
  if (Object.keys(others).length === 0) return condition;
  return { _and: [condition, others] };
}

const connectives: ReadonlySet<string> = new Set([
  ...["_and", "_or", "_not", "_exists", "_permitted"],
  ...["$and", "$or", "$not", "$exists"],
]);

/** Returns true for the operators of a column; the condition on a related row names columns or connectives. */
function isComparison(value: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^[_$]/.test(key) && !connectives.has(key));
}
