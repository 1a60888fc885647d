/** Prints the types of a remote schema that are reachable from its roots as SDL, under the names that roles see. */

import {
  type DefinitionNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  parseConstValue,
  print,
  type TypeNode,
} from "graphql";
import { compareText } from "../../runtime/values/text-order.ts";
import type { RemoteNames } from "../2-analyze/rules/remote-names.ts";
import {
  builtInScalars,
  namedRemoteType,
  type RemoteField,
  type RemoteInput,
  type RemoteRootTypes,
  type RemoteShape,
  type RemoteType,
  type RemoteTypeRef,
  remoteRoots,
} from "../shape/remote-shape.ts";
import { deprecated, descriptionOf, nameNode, oneOf } from "./sdl-nodes.ts";

type Types = RemoteShape["types"];

/** Prints the types in the order of the names that roles see. */
export function remoteSdl(shape: RemoteRootTypes, names: RemoteNames): string {
  const writer = new SdlWriter(names);
  const exposedName = ({ name }: RemoteType): string => names.types.get(name) ?? name;
  const types = reachableTypes(shape).toSorted((a, b) => compareText(exposedName(a), exposedName(b)));
  return types.map((type) => print(writer.type(type))).join("\n\n");
}

/** Returns the types reachable from the roots, sorted by upstream name. */
export function reachableTypes({ types, ...roots }: RemoteRootTypes): readonly RemoteType[] {
  const implementations = new Map<string, string[]>();
  for (const type of types.values()) {
    if (type.kind !== "object") continue;
    for (const name of type.interfaces) {
      const known = implementations.get(name);
      if (known) known.push(type.name);
      else implementations.set(name, [type.name]);
    }
  }
  const found = new Set<string>(remoteRoots.flatMap((root) => roots[root] ?? []));
  // Iterating over a Set also visits items added during the iteration.
  for (const name of found) {
    const type = types.get(name);
    if (type) for (const each of referredTypes(type, implementations)) found.add(each);
  }
  return [...found]
    .flatMap((name) => (builtInScalars.has(name) ? [] : (types.get(name) ?? scalarOf(name, types))))
    .sort((a, b) => compareText(a.name, b.name));
}

/** Declares a scalar that a permission document uses without declaring it. */
function scalarOf(name: string, types: Types): RemoteType[] {
  return types.has(name) ? [] : [{ kind: "scalar", name }];
}

function* referredTypes(type: RemoteType, implementations: ReadonlyMap<string, readonly string[]>): Iterable<string> {
  if (type.kind === "union") yield* type.members;
  if (type.kind === "interface") yield* implementations.get(type.name) ?? [];
  if (type.kind === "object" || type.kind === "interface") {
    yield* type.interfaces;
    for (const field of type.fields) {
      yield namedRemoteType(field.type);
      for (const argument of field.arguments) yield namedRemoteType(argument.type);
    }
  }
  if (type.kind === "input_object") for (const field of type.fields) yield namedRemoteType(field.type);
}

class SdlWriter {
  readonly #names: RemoteNames;

  constructor(names: RemoteNames) {
    this.#names = names;
  }

  type(type: RemoteType): DefinitionNode {
    const about = { name: nameNode(this.#typeName(type.name)), ...descriptionOf(type.description) };
    switch (type.kind) {
      case "scalar":
        return { kind: Kind.SCALAR_TYPE_DEFINITION, ...about };
      case "enum": {
        const values = type.values.map(({ name, description, deprecation }) => ({
          kind: Kind.ENUM_VALUE_DEFINITION as const,
          name: nameNode(name),
          ...descriptionOf(description),
          directives: deprecated(deprecation),
        }));
        return { kind: Kind.ENUM_TYPE_DEFINITION, ...about, values };
      }
      case "union":
        return { kind: Kind.UNION_TYPE_DEFINITION, ...about, types: type.members.map((name) => this.#named(name)) };
      case "input_object": {
        const fields = type.fields.map((field) => this.#input(field));
        return { kind: Kind.INPUT_OBJECT_TYPE_DEFINITION, ...about, fields, directives: type.isOneOf ? [oneOf] : [] };
      }
      case "object":
      case "interface": {
        const kind = type.kind === "object" ? Kind.OBJECT_TYPE_DEFINITION : Kind.INTERFACE_TYPE_DEFINITION;
        const interfaces = type.interfaces.map((name) => this.#named(name));
        return { kind, ...about, interfaces, fields: type.fields.map((field) => this.#field(type.name, field)) };
      }
    }
  }

  #field(owner: string, field: RemoteField): FieldDefinitionNode {
    const { name, description, deprecation, type, arguments: args } = field;
    return {
      kind: Kind.FIELD_DEFINITION,
      name: nameNode(this.#names.fields.get(owner)?.get(name) ?? name),
      ...descriptionOf(description),
      arguments: args.map((argument) => this.#input(argument)),
      type: this.#ref(type),
      directives: deprecated(deprecation),
    };
  }

  #input({ name, description, type, defaultValue }: RemoteInput): InputValueDefinitionNode {
    const value = defaultValue === undefined ? undefined : constant(defaultValue);
    return {
      kind: Kind.INPUT_VALUE_DEFINITION,
      name: nameNode(name),
      ...descriptionOf(description),
      type: this.#ref(type),
      ...(value && { defaultValue: value }),
    };
  }

  #ref(type: RemoteTypeRef): TypeNode {
    switch (type.kind) {
      case "named":
        return this.#named(type.name);
      case "list":
        return { kind: Kind.LIST_TYPE, type: this.#ref(type.of) };
      case "non_null": {
        const of = this.#ref(type.of);
        return of.kind === Kind.NON_NULL_TYPE ? of : { kind: Kind.NON_NULL_TYPE, type: of };
      }
    }
  }

  #named(name: string): NamedTypeNode {
    return { kind: Kind.NAMED_TYPE, name: nameNode(this.#typeName(name)) };
  }

  #typeName(name: string): string {
    return this.#names.types.get(name) ?? name;
  }
}

/** Bounds recursion in the parser and in functions that walk its result. */
const maxTokens = 500;

/** Parses a default value; returns `undefined` for long or invalid ones, since the remote server applies its defaults. */
function constant(text: string) {
  try {
    return parseConstValue(text, { noLocation: true, maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
