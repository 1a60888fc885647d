/** Reads the types and members of a role's schema from its SDL. */
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
} from "graphql";
import { noQueriesField } from "../../runtime/model/schema/role-schema.ts";
import type { ByName, MemberAccess, SchemaAccess, TypeAccess } from "./model.ts";

/** @param sdl valid SDL without extensions */
export function schemaAccess(sdl: string): SchemaAccess {
  const { definitions } = parse(sdl, { noLocation: true });
  const types = new Map(definitions.flatMap(typeAccess));
  for (const name of rootTypes(definitions, types)) {
    const type = types.get(name);
    if (type === undefined) continue;
    const { [noQueriesField]: _placeholder, ...members } = type.members;
    types.set(name, { ...type, isRoot: true, members });
  }
  return Object.fromEntries(types);
}

/**
 * Returns the operation root types, and the types of namespaces: root fields without arguments that return a non-null
 * object.
 */
function rootTypes(
  definitions: readonly DefinitionNode[],
  types: ReadonlyMap<string, TypeAccess>,
): ReadonlySet<string> {
  const operations = definitions.flatMap((node) =>
    node.kind === Kind.SCHEMA_DEFINITION ? node.operationTypes.map(({ type }) => type.name.value) : [],
  );
  const namespaces = operations.flatMap((name) =>
    Object.values(types.get(name)?.members ?? {}).flatMap(({ type = "", arguments: given }) => {
      const named = /^(\w+)!$/.exec(type)?.[1];
      return given === undefined && named !== undefined && types.get(named)?.kind === "object" ? [named] : [];
    }),
  );
  return new Set([...operations, ...namespaces]);
}

export function onlyRoots(schema: SchemaAccess): SchemaAccess {
  return Object.fromEntries(Object.entries(schema).filter(([, { isRoot }]) => isRoot === true));
}

/** Returns the types that `base` lacks or defines differently. */
export function otherTypes(schema: SchemaAccess, base: SchemaAccess): SchemaAccess {
  const known = new Map(Object.entries(base));
  const isOther = (name: string, type: TypeAccess) => JSON.stringify(type) !== JSON.stringify(known.get(name));
  return Object.fromEntries(Object.entries(schema).filter(([name, type]) => isOther(name, type)));
}

function typeAccess(node: DefinitionNode): (readonly [string, TypeAccess])[] {
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return [[node.name.value, { kind: "object", members: membersOf(node.fields, fieldAccess) }]];
    case Kind.INTERFACE_TYPE_DEFINITION:
      return [[node.name.value, { kind: "interface", members: membersOf(node.fields, fieldAccess) }]];
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return [
        [node.name.value, { kind: "input", members: membersOf(node.fields, (field) => ({ type: inputText(field) })) }],
      ];
    case Kind.ENUM_TYPE_DEFINITION:
      return [[node.name.value, { kind: "enum", members: membersOf(node.values, () => ({})) }]];
    case Kind.UNION_TYPE_DEFINITION:
      return [[node.name.value, { kind: "union", members: membersOf(node.types, () => ({})) }]];
    case Kind.SCALAR_TYPE_DEFINITION:
      return [[node.name.value, { kind: "scalar", members: {} }]];
    default:
      return [];
  }
}

function membersOf<Node extends { readonly name: { readonly value: string } }>(
  nodes: readonly Node[] | undefined,
  access: (node: Node) => MemberAccess,
): ByName<MemberAccess> {
  return Object.fromEntries((nodes ?? []).map((node) => [node.name.value, access(node)]));
}

function fieldAccess({ type, arguments: given = [] }: FieldDefinitionNode): MemberAccess {
  if (given.length === 0) return { type: print(type) };
  const args = given.map((argument) => [argument.name.value, inputText(argument)]);
  return { type: print(type), arguments: Object.fromEntries(args) };
}

function inputText({ type, defaultValue }: InputValueDefinitionNode): string {
  return defaultValue === undefined ? print(type) : `${print(type)} = ${print(defaultValue)}`;
}
