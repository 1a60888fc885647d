/** Whether what a handler answered is a value of the output type of its action (`docs/actions.md`). */
import type { ResultType } from "../definitions/actions/result-type.ts";
import { isObject } from "../values/is-object.ts";
import { isJsonNumber } from "../values/json-number.ts";

/** What is wrong with a value, in words; `undefined`: nothing. */
type Check = (value: unknown) => string | undefined;

const checks = new WeakMap<ResultType, Check>();

/** What is wrong with an answer, in words; `undefined`: nothing. */
export function answerFault(value: unknown, result: ResultType): string | undefined {
  let check = checks.get(result);
  if (check === undefined) {
    check = placeCheck(result.type, result);
    checks.set(result, check);
  }
  return check(value);
}

function placeCheck(place: string, result: ResultType): Check {
  const isRequired = place.endsWith("!");
  const ofNull = isRequired ? "got null for the action webhook response" : undefined;
  const type = isRequired ? place.slice(0, -1) : place;
  const check = type.startsWith("[") ? listCheck(placeCheck(type.slice(1, -1), result)) : namedCheck(result);
  return (value) => (value === null ? ofNull : check(value));
}

function listCheck(checkItem: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return "expecting array for the action webhook response";
    for (const item of value) {
      const fault = checkItem(item);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** What the scalars of the language may be; all others may be anything. */
const scalars: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["Int", isJsonNumber],
  ["Float", isJsonNumber],
  ["Boolean", (value) => typeof value === "boolean"],
  ["String", (value) => typeof value === "string"],
  ["ID", (value) => typeof value === "string"],
]);

function namedCheck({ name, isObject: isObjectType, required }: ResultType): Check {
  if (isObjectType) return (value) => (isObject(value) ? memberFault(value, required) : unexpected(value, name));
  const fits = scalars.get(name);
  if (fits === undefined) return () => undefined;
  return (value) => (fits(value) ? undefined : unexpected(value, name));
}

function memberFault(object: Readonly<Record<string, unknown>>, required: readonly string[]): string | undefined {
  for (const name of required) {
    if (!Object.hasOwn(object, name)) return `field "${name}" expected in webhook response, but not found`;
    if (object[name] === null) return `expecting not null value for field "${name}"`;
  }
  return undefined;
}

/** The peer says String of numbers, too; clients may compare the text. */
function unexpected(value: unknown, type: string): string {
  return `got ${kindOf(value)} for the action webhook response, expecting ${type}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  return typeof value === "boolean" ? "scalar Boolean" : "scalar String";
}
