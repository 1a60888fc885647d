/** Whether what a handler answered is a value of the output type of its action (`docs/actions.md`). */
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import { isObject } from "../../values/is-object.ts";
import { isJsonNumber, JsonNumber } from "../../values/json-number.ts";

/** A value that does not fit its type. */
interface Fault {
  /** Where it is in the outermost object: `tags[0].n`; empty outside of objects. */
  readonly path: string;
  /** The message for a path. */
  readonly message: (path: string) => string;
}

/** Returns the first fault of a value that is not null; `undefined` if it fits. */
type Check = (value: unknown) => Fault | undefined;

/** A position in a type: a field, the items of a list, or the answer itself. */
interface Place {
  readonly isRequired: boolean;
  /** Whether every string, number and boolean fits, which spares the walk a call. */
  readonly takesScalars: boolean;
  /** `undefined` if every value but null fits. */
  readonly check: Check | undefined;
}

/** The check of a named type. */
type NamedPlace = Omit<Place, "isRequired">;

const places = new WeakMap<ResultType, Place>();

/** Returns a description of the first value in an answer that does not fit the declared type; `undefined` if all fit. */
export function answerFault(value: unknown, result: ResultType): string | undefined {
  let place = places.get(result);
  if (place === undefined) {
    const objects = new Map<string, Check>();
    place = placeOf(result.type, (name) => outermostPlace(name, result, objects), "nowhere");
    places.set(result, place);
  }
  const fault = value === null ? nullFault(place) : place.check?.(value);
  return fault?.message(fault.path);
}

const nullFault = ({ isRequired }: Place): Fault | undefined =>
  isRequired ? faultAt((path) => `got null for ${nameOf(path)}`) : undefined;

/** Whether paths name the items of a list: messages about the outermost lists are fixed and name none. */
type ListedAt = "index" | "nowhere";

/** @param type `[Order!]!` */
function placeOf(type: string, named: (name: string) => NamedPlace, listed: ListedAt): Place {
  const isRequired = type.endsWith("!");
  const inner = isRequired ? type.slice(0, -1) : type;
  if (!inner.startsWith("[")) return { isRequired, ...named(inner) };
  const check = listCheck(placeOf(inner.slice(1, -1), named, listed), listed);
  return { isRequired, takesScalars: false, check };
}

const faultAt = (message: Fault["message"]): Fault => ({ path: "", message });

const nameOf = (path: string): string =>
  path === "" ? "the action webhook response" : `field "${path}" of the action webhook response`;

function listCheck(item: Place, listed: ListedAt): Check {
  const { takesScalars, check } = item;
  return (value) => {
    if (!Array.isArray(value)) return faultAt((path) => `expecting array for ${nameOf(path)}`);
    for (let i = 0; i < value.length; i++) {
      const each: unknown = value[i];
      if (takesScalars && typeof each !== "object") continue;
      const fault = each === null ? nullFault(item) : check?.(each);
      if (fault !== undefined) return listed === "nowhere" ? fault : { ...fault, path: joined(`[${i}]`, fault.path) };
    }
    return undefined;
  };
}

const joined = (outer: string, inner: string): string =>
  inner === "" || inner.startsWith("[") ? outer + inner : `${outer}.${inner}`;

/** Values of the scalars of the language; all other scalars take anything. */
const scalars: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["Int", isJsonNumber],
  ["Float", isJsonNumber],
  ["Boolean", (value) => typeof value === "boolean"],
  ["String", (value) => typeof value === "string"],
  ["ID", (value) => typeof value === "string"],
]);

const anything: NamedPlace = { takesScalars: true, check: undefined };

/** A value outside of objects. */
function outermostPlace(name: string, result: ResultType, objects: Map<string, Check>): NamedPlace {
  if (result.objects.has(name)) return { takesScalars: false, check: objectCheck(name, result, objects) };
  const fits = scalars.get(name);
  if (fits === undefined) return anything;
  return { takesScalars: false, check: (value) => (fits(value) ? undefined : unexpected(value, name)) };
}

/** The value of a field: one scalar may stand for another there, but no list or object for a scalar. */
function fieldPlace(name: string, result: ResultType, objects: Map<string, Check>): NamedPlace {
  if (result.objects.has(name)) return { takesScalars: false, check: objectCheck(name, result, objects) };
  if (!scalars.has(name) && !result.enums.has(name)) return anything;
  const check: Check = (value) =>
    typeof value === "object" && !(value instanceof JsonNumber) ? unexpected(value, name) : undefined;
  return { takesScalars: true, check };
}

/** @param objects the checks of object types: types may contain themselves */
function objectCheck(name: string, result: ResultType, objects: Map<string, Check>): Check {
  const known = objects.get(name);
  if (known !== undefined) return known;
  const members: Member[] = [];
  const check: Check = (value) => (isObject(value) ? memberFault(value, members) : unexpected(value, name));
  objects.set(name, check);
  for (const field of result.objects.get(name) ?? []) {
    const place = placeOf(field.type, (each) => fieldPlace(each, result, objects), "index");
    if (!place.isRequired && place.check === undefined) continue;
    members.push({ name: field.name, isInherited: field.name in Object.prototype, ...place });
  }
  return check;
}

interface Member extends Place {
  readonly name: string;
  /** Whether all objects of JavaScript have a member of this name. */
  readonly isInherited: boolean;
}

function memberFault(object: Readonly<Record<string, unknown>>, members: readonly Member[]): Fault | undefined {
  for (const member of members) {
    const { name } = member;
    const value = member.isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
    if (value === undefined || value === null) {
      if (member.isRequired) return absentFault(name, value);
    } else if (typeof value === "object" || !member.takesScalars) {
      const fault = member.check?.(value);
      if (fault !== undefined) return { ...fault, path: joined(name, fault.path) };
    }
  }
  return undefined;
}

function absentFault(name: string, value: null | undefined): Fault {
  const message = (path: string) =>
    value === undefined
      ? `field "${path}" expected in webhook response, but not found`
      : `expecting not null value for field "${path}"`;
  return { path: name, message };
}

/** The peer calls numbers String, too; clients may compare the text. */
function unexpected(value: unknown, type: string): Fault {
  return faultAt((path) => `got ${kindOf(value)} for ${nameOf(path)}, expecting ${type}`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  return typeof value === "boolean" ? "scalar Boolean" : "scalar String";
}
