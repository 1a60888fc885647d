/** Validates the response of a handler against the output type of its action (`docs/how-to/actions.md`). */
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import { isObject } from "../../values/is-object.ts";
import { isJsonNumber, JsonNumber } from "../../values/json-number.ts";

/** A value of the wrong type. */
interface Fault {
  /** Path in the outermost object, such as `tags[0].n`; empty outside of objects. */
  readonly path: string;
  readonly message: (path: string) => string;
}

/** Returns the first fault of a non-null value; `undefined` if it is valid. */
type Check = (value: unknown) => Fault | undefined;

/** A position in a type: a field, the items of a list, or the whole response. */
interface TypePosition {
  readonly isRequired: boolean;
  /** True if every string, number and boolean is valid, so that `check` need not be called for them. */
  readonly acceptsScalars: boolean;
  /** `undefined` if every non-null value is valid. */
  readonly check: Check | undefined;
}

type NamedPosition = Omit<TypePosition, "isRequired">;

const positions = new WeakMap<ResultType, TypePosition>();

/** Returns a description of the first value of the wrong type in a response; `undefined` if it is valid. */
export function responseFault(value: unknown, result: ResultType): string | undefined {
  let position = positions.get(result);
  if (position === undefined) {
    const objects = new Map<string, Check>();
    position = positionOf(result.type, (name) => outermostPosition(name, result, objects), "omitted");
    positions.set(result, position);
  }
  const fault = value === null ? nullFault(position) : position.check?.(value);
  return fault?.message(fault.path);
}

const nullFault = ({ isRequired }: TypePosition): Fault | undefined =>
  isRequired ? faultAt((path) => `got null for ${nameOf(path)}`) : undefined;

/** Determines whether paths include list indexes. For compatibility, messages about the outermost lists omit them. */
type ListPaths = "index" | "omitted";

/**
 * Returns the position for a type.
 * @param type `[Order!]!`
 */
function positionOf(type: string, named: (name: string) => NamedPosition, listPaths: ListPaths): TypePosition {
  const isRequired = type.endsWith("!");
  const inner = isRequired ? type.slice(0, -1) : type;
  if (!inner.startsWith("[")) return { isRequired, ...named(inner) };
  const check = listCheck(positionOf(inner.slice(1, -1), named, listPaths), listPaths);
  return { isRequired, acceptsScalars: false, check };
}

const faultAt = (message: Fault["message"]): Fault => ({ path: "", message });

const nameOf = (path: string): string =>
  path === "" ? "the action webhook response" : `field "${path}" of the action webhook response`;

function listCheck(item: TypePosition, listPaths: ListPaths): Check {
  const { acceptsScalars, check } = item;
  return (value) => {
    if (!Array.isArray(value)) return faultAt((path) => `expecting array for ${nameOf(path)}`);
    for (let i = 0; i < value.length; i++) {
      const each: unknown = value[i];
      if (acceptsScalars && typeof each !== "object") continue;
      const fault = each === null ? nullFault(item) : check?.(each);
      if (fault !== undefined)
        return listPaths === "omitted" ? fault : { ...fault, path: joined(`[${i}]`, fault.path) };
    }
    return undefined;
  };
}

const joined = (outer: string, inner: string): string =>
  inner === "" || inner.startsWith("[") ? outer + inner : `${outer}.${inner}`;

/** Checks of the built-in scalars; all other scalars accept any value. */
const scalars: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["Int", isJsonNumber],
  ["Float", isJsonNumber],
  ["Boolean", (value) => typeof value === "boolean"],
  ["String", (value) => typeof value === "string"],
  ["ID", (value) => typeof value === "string"],
]);

const anyValue: NamedPosition = { acceptsScalars: true, check: undefined };

/** Returns the position of a value outside of objects. */
function outermostPosition(name: string, result: ResultType, objects: Map<string, Check>): NamedPosition {
  if (result.objects.has(name)) return { acceptsScalars: false, check: objectCheck(name, result, objects) };
  const isValid = scalars.get(name);
  if (isValid === undefined) return anyValue;
  return { acceptsScalars: false, check: (value) => (isValid(value) ? undefined : unexpected(value, name)) };
}

/** Returns the position of a field's value. A scalar field accepts any scalar value, but no list or object. */
function fieldPosition(name: string, result: ResultType, objects: Map<string, Check>): NamedPosition {
  if (result.objects.has(name)) return { acceptsScalars: false, check: objectCheck(name, result, objects) };
  if (!scalars.has(name) && !result.enums.has(name)) return anyValue;
  const check: Check = (value) =>
    typeof value === "object" && !(value instanceof JsonNumber) ? unexpected(value, name) : undefined;
  return { acceptsScalars: true, check };
}

/**
 * Returns the check of an object type.
 * @param objects the checks of object types, shared because types may contain themselves
 */
function objectCheck(name: string, result: ResultType, objects: Map<string, Check>): Check {
  const existing = objects.get(name);
  if (existing !== undefined) return existing;
  const members: Member[] = [];
  const check: Check = (value) => (isObject(value) ? memberFault(value, members) : unexpected(value, name));
  objects.set(name, check);
  for (const field of result.objects.get(name) ?? []) {
    const position = positionOf(field.type, (each) => fieldPosition(each, result, objects), "index");
    if (!position.isRequired && position.check === undefined) continue;
    members.push({ name: field.name, isInherited: field.name in Object.prototype, ...position });
  }
  return check;
}

interface Member extends TypePosition {
  readonly name: string;
  /** True if `Object.prototype` has a member with this name. */
  readonly isInherited: boolean;
}

function memberFault(object: Readonly<Record<string, unknown>>, members: readonly Member[]): Fault | undefined {
  for (const member of members) {
    const { name } = member;
    const value = member.isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
    if (value === undefined || value === null) {
      if (member.isRequired) return absentFault(name, value);
    } else if (typeof value === "object" || !member.acceptsScalars) {
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

/** Message text is fixed for compatibility, including "scalar String" for numbers. */
function unexpected(value: unknown, type: string): Fault {
  return faultAt((path) => `got ${kindOf(value)} for ${nameOf(path)}, expecting ${type}`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  return typeof value === "boolean" ? "scalar Boolean" : "scalar String";
}
