/**
 * Validates the types of a remote schema: objects implement their interfaces, unions consist of objects (GraphQL
 * specification, 3.6 to 3.8). Returns the first error, or `undefined`.
 */
import type { Interruptible } from "../../runtime/values/interruptible.ts";
import {
  builtInScalars,
  namedRemoteType,
  printRemoteType,
  type RemoteField,
  type RemoteInput,
  type RemoteType,
  type RemoteTypeRef,
} from "./remote-shape.ts";

type Types = ReadonlyMap<string, RemoteType>;
type TypeOf<K extends RemoteType["kind"]> = Extract<RemoteType, { readonly kind: K }>;

export function* checkRemoteTypes(types: Types, roots: readonly string[]): Interruptible<string | undefined> {
  for (const root of roots) {
    if (types.get(root)?.kind !== "object") return `Could not find the root type '${root}' among the object types`;
  }
  for (const type of types.values()) {
    const fault = (yield* nameFaultIn(type)) ?? (yield* faultOf(type, types)) ?? (yield* referenceFault(type, types));
    if (fault !== undefined) return fault;
    yield;
  }
  return undefined;
}

/** Returns the first error of the items. Yields regularly, so that other requests can run. */
function* firstFault<T>(
  items: readonly T[],
  faultOf: (item: T) => string | undefined,
): Interruptible<string | undefined> {
  for (const [index, item] of items.entries()) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
    if (index % itemsPerTurn === 0) yield;
  }
  return undefined;
}

/** Checking this many items takes less than a millisecond. */
const itemsPerTurn = 100;

/** Checks names: a remote server chose them, and they become part of GraphQL text. */
function* nameFaultIn(type: RemoteType): Interruptible<string | undefined> {
  const ofInput = ({ name }: RemoteInput) => nameFault(name);
  const fault = nameFault(type.name);
  if (fault !== undefined) return fault;
  switch (type.kind) {
    case "object":
    case "interface":
      return yield* firstFault(type.fields, ({ name, arguments: args }) => nameFault(name) ?? first(args, ofInput));
    case "input_object":
      return yield* firstFault(type.fields, ofInput);
    case "enum":
      return yield* firstFault(type.values, ({ name }) => nameFault(name));
    case "scalar":
    case "union":
      return undefined;
  }
}

function nameFault(name: string): string | undefined {
  if (name.length <= maxNameLength && /^[A-Za-z_]\w*$/.test(name)) return undefined;
  return `${JSON.stringify(excerpt(name))} is not a valid GraphQL identifier`;
}

function first<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Shortens a name for messages, because a remote server chose it. */
export function excerpt(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

const maxNameLength = 200;

/** Checks that referenced types exist and are allowed in their position. */
function* referenceFault(type: RemoteType, types: Types): Interruptible<string | undefined> {
  const owner = `'${type.name}'`;
  const inputFault = ({ name, type: ref }: RemoteInput, place: string): string | undefined => {
    const named = namedRemoteType(ref);
    const { kind } = types.get(named) ?? (builtInScalars.has(named) ? { kind: "scalar" } : { kind: undefined });
    if (kind === undefined)
      return `Could not find type '${named}', which is the type of ${place} '${name}' of ${owner}`;
    const isInput = kind === "scalar" || kind === "enum" || kind === "input_object";
    return isInput ? undefined : `The type '${named}' of ${place} '${name}' of ${owner} is not an input type`;
  };
  const fieldFault = ({ name, type: ref, arguments: args }: RemoteField): string | undefined => {
    const named = namedRemoteType(ref);
    const { kind } = types.get(named) ?? (builtInScalars.has(named) ? { kind: "scalar" } : { kind: undefined });
    if (kind === undefined) return `Could not find type '${named}', which is the type of field '${name}' of ${owner}`;
    if (kind === "input_object") return `The type '${named}' of field '${name}' of ${owner} is not an output type`;
    return first(args, (argument) => inputFault(argument, `an argument of field '${name}',`));
  };
  switch (type.kind) {
    case "object":
    case "interface":
      return yield* firstFault(type.fields, fieldFault);
    case "input_object":
      return yield* firstFault(type.fields, (field) => inputFault(field, "field"));
    default:
      return undefined;
  }
}

function* faultOf(type: RemoteType, types: Types): Interruptible<string | undefined> {
  switch (type.kind) {
    case "interface":
      return type.fields.length === 0 ? `List of fields cannot be empty for interface '${type.name}'` : undefined;
    case "union":
      return yield* unionFault(type, types);
    case "object":
      return yield* objectFault(type, types);
    default:
      return undefined;
  }
}

function* unionFault({ name, members }: TypeOf<"union">, types: Types): Interruptible<string | undefined> {
  if (members.length === 0) return `List of member types cannot be empty for union type '${name}'`;
  return yield* firstFault(members, (member) => {
    const type = types.get(member);
    if (type === undefined) {
      return `Could not find type '${member}', which is defined as a member type of Union '${name}'`;
    }
    if (type.kind === "object") return undefined;
    return `Union type '${name}' can only include object types. It cannot include '${member}'`;
  });
}

function* objectFault(object: TypeOf<"object">, types: Types): Interruptible<string | undefined> {
  if (object.interfaces.length === 0) return undefined;
  const fields = byName(object.fields);
  for (const name of object.interfaces) {
    const type = types.get(name);
    if (type === undefined) return `Could not find type '${name}', which is implemented by Object '${object.name}'`;
    if (type.kind !== "interface") {
      return `Object type '${object.name}' can only implement interface types. It cannot implement '${name}'`;
    }
    const fault = yield* firstFault(type.fields, (promised) => fieldFault({ object, fields }, type, promised, types));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

function fieldFault(
  { object, fields }: { readonly object: TypeOf<"object">; readonly fields: ReadonlyMap<string, RemoteField> },
  promiser: TypeOf<"interface">,
  promised: RemoteField,
  types: Types,
): string | undefined {
  const field = fields.get(promised.name);
  const promise = `'${promiser.name}'."${promised.name}"`;
  const kept = `'${object.name}'."${promised.name}"`;
  if (field === undefined) return `Interface field ${promise} expected, but '${object.name}' does not provide it`;
  if (!isSubtype(field.type, promised.type, types)) {
    const [own, expected] = [printRemoteType(field.type), printRemoteType(promised.type)];
    return `The type of Object field ${kept} (${own}) is not the same type/sub type of Interface field ${promise} (${expected})`;
  }
  const own = byName(field.arguments);
  for (const { name, type } of promised.arguments) {
    const argument = own.get(name);
    const expected = `Interface field argument ${promise}("${name}":)`;
    if (argument === undefined) return `${expected} required, but Object field ${kept} does not provide it`;
    const [found, wanted] = [printRemoteType(argument.type), printRemoteType(type)];
    if (found !== wanted) return `${expected} expects type ${wanted}, but Object field ${kept} has type ${found}`;
  }
  const expected = byName(promised.arguments);
  const extra = field.arguments.find(({ name, type }) => type.kind === "non_null" && !expected.has(name));
  if (extra === undefined) return undefined;
  return `Object field argument ${kept}("${extra.name}":) is of required type ${printRemoteType(extra.type)}, but is not provided by Interface field ${promise}`;
}

function isSubtype(type: RemoteTypeRef, of: RemoteTypeRef, types: Types): boolean {
  if (type.kind === "non_null") return isSubtype(type.of, of.kind === "non_null" ? of.of : of, types);
  if (of.kind === "non_null") return false;
  if (type.kind !== "named" || of.kind !== "named") {
    return type.kind !== "named" && of.kind !== "named" && isSubtype(type.of, of.of, types);
  }
  if (type.name === of.name) return true;
  const [own, other] = [types.get(type.name), types.get(of.name)];
  if (other?.kind === "union") return other.members.includes(type.name);
  return own?.kind === "object" && own.interfaces.includes(of.name);
}
