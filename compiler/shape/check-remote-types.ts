/**
 * Whether the types of a remote schema go together: objects have what their interfaces promise, unions are of objects
 * (GraphQL specification, 3.6 to 3.8). Input: the types; output: the first fault, in the words of the specification.
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
    const fault = nameFault(type) ?? (yield* faultOf(type, types)) ?? referenceFault(type, types);
    if (fault !== undefined) return fault;
    yield;
  }
  return undefined;
}

/** Names come from another server, and become part of GraphQL text. */
function nameFault(type: RemoteType): string | undefined {
  const wrong = [type.name, ...namesIn(type)].find((name) => name.length > longestName || !/^[A-Za-z_]\w*$/.test(name));
  return wrong === undefined ? undefined : `${JSON.stringify(excerpt(wrong))} is not a valid GraphQL identifier`;
}

/** A name as messages show it: another server chose it. */
export function excerpt(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

const longestName = 200;

function namesIn(type: RemoteType): readonly string[] {
  switch (type.kind) {
    case "object":
    case "interface":
      return type.fields.flatMap(({ name, arguments: args }) => [name, ...args.map((each) => each.name)]);
    case "input_object":
      return type.fields.map(({ name }) => name);
    case "enum":
      return type.values.map(({ name }) => name);
    case "scalar":
    case "union":
      return [];
  }
}

/** What a type refers to exists, and can stand there. */
function referenceFault(type: RemoteType, types: Types): string | undefined {
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
    return firstFault(args.map((argument) => inputFault(argument, `an argument of field '${name}',`)));
  };
  switch (type.kind) {
    case "object":
    case "interface":
      return firstFault(type.fields.map(fieldFault));
    case "input_object":
      return firstFault(type.fields.map((field) => inputFault(field, "field")));
    default:
      return undefined;
  }
}

const firstFault = (faults: readonly (string | undefined)[]): string | undefined =>
  faults.find((fault) => fault !== undefined);

function* faultOf(type: RemoteType, types: Types): Interruptible<string | undefined> {
  switch (type.kind) {
    case "interface":
      return type.fields.length === 0 ? `List of fields cannot be empty for interface '${type.name}'` : undefined;
    case "union":
      return unionFault(type, types);
    case "object":
      return yield* objectFault(type, types);
    default:
      return undefined;
  }
}

function unionFault({ name, members }: TypeOf<"union">, types: Types): string | undefined {
  if (members.length === 0) return `List of member types cannot be empty for union type '${name}'`;
  for (const member of members) {
    const type = types.get(member);
    if (type === undefined) {
      return `Could not find type '${member}', which is defined as a member type of Union '${name}'`;
    }
    if (type.kind !== "object")
      return `Union type '${name}' can only include object types. It cannot include '${member}'`;
  }
  return undefined;
}

function* objectFault(object: TypeOf<"object">, types: Types): Interruptible<string | undefined> {
  const fields = byName(object.fields);
  for (const name of object.interfaces) {
    const type = types.get(name);
    if (type === undefined) return `Could not find type '${name}', which is implemented by Object '${object.name}'`;
    if (type.kind !== "interface") {
      return `Object type '${object.name}' can only implement interface types. It cannot implement '${name}'`;
    }
    for (const promised of type.fields) {
      const fault = fieldFault({ object, fields }, type, promised, types);
      if (fault !== undefined) return fault;
    }
    yield;
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
