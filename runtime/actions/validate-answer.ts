/** Whether what a handler answered is a value of the output type of its action (`automation.md` C.5). */
import type { ResultType } from "../planner/request/action/select.ts";
import { isObject } from "../values/is-object.ts";
import { isJsonNumber } from "../values/json-number.ts";

/** What is wrong with an answer, in words; `undefined`: nothing. */
export function answerFault(value: unknown, result: ResultType): string | undefined {
  return placeFault(value, result.type, result);
}

function placeFault(value: unknown, place: string, result: ResultType): string | undefined {
  const isRequired = place.endsWith("!");
  if (value === null) return isRequired ? "got null for the action webhook response" : undefined;
  const type = isRequired ? place.slice(0, -1) : place;
  if (!type.startsWith("[")) return namedFault(value, result);
  if (!Array.isArray(value)) return "expecting array for the action webhook response";
  const item = type.slice(1, -1);
  for (const each of value) {
    const fault = placeFault(each, item, result);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What the scalars of the language may be; all others may be anything. */
const scalars: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["Int", isJsonNumber],
  ["Float", isJsonNumber],
  ["Boolean", (value) => typeof value === "boolean"],
  ["String", (value) => typeof value === "string"],
  ["ID", (value) => typeof value === "string"],
]);

function namedFault(value: unknown, { name, isObject: isObjectType, required }: ResultType): string | undefined {
  if (isObjectType) return isObject(value) ? memberFault(value, required) : unexpected(value, name);
  const fits = scalars.get(name);
  return fits === undefined || fits(value) ? undefined : unexpected(value, name);
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
