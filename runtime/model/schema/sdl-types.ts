/** Types written in SDL, parsed on first use. */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type InterfaceTypeDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  print,
  type StringValueNode,
  type TypeDefinitionNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
} from "graphql";
import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type {
  AbstractTypeDef,
  InputField,
  InputTypeDef,
  Modifiers,
  ObjectTypeDef,
  OutputField,
  OutputMeta,
  OutputTypeDef,
  ScalarTypeDef,
} from "./types.ts";

type TypeDef = InputTypeDef | OutputTypeDef;
/** Returns additional fields by type name. */
type MoreFields = (type: string) => Iterable<readonly [string, OutputField]>;

type NodeOfObject = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

export class SdlTypes {
  readonly #member: OutputMeta;
  readonly #nodes = new Map<string, TypeDefinitionNode>();
  /** Object types by interface. */
  readonly #implementations = new Map<string, string[]>();
  readonly #types = new Map<string, TypeDef>();
  readonly #more: MoreFields;

  /**
   * Reads the types of a document.
   * @param member meaning of the types' fields
   * @param more additional fields of object types
   */
  constructor({ definitions }: DocumentNode, member: OutputMeta, more: MoreFields = () => []) {
    this.#member = member;
    this.#more = more;
    for (const node of definitions) {
      if (!isTypeDefinitionNode(node)) continue;
      this.#nodes.set(node.name.value, node);
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
      for (const { name } of node.interfaces ?? []) {
        const known = this.#implementations.get(name.value);
        if (known) known.push(node.name.value);
        else this.#implementations.set(name.value, [node.name.value]);
      }
    }
  }

  /** Returns the field definitions of an object type. */
  fieldsOf(name: string): readonly FieldDefinitionNode[] {
    const node = this.#nodes.get(name);
    invariant(node?.kind === Kind.OBJECT_TYPE_DEFINITION, `${name} is an object type`);
    return node.fields ?? [];
  }

  /** Returns the object, interface or union type of this name. */
  composite(name: string): ObjectTypeDef | AbstractTypeDef | undefined {
    if (!this.#nodes.has(name)) return undefined;
    const type = this.#type(name);
    return type.kind === "object" || type.kind === "interface" || type.kind === "union" ? type : undefined;
  }

  /** Returns the input type of this name. */
  input(name: string): InputTypeDef | undefined {
    if (!this.#nodes.has(name) && !builtInScalars.has(name)) return undefined;
    const type = this.#type(name);
    return type.kind === "scalar" || type.kind === "enum" || type.kind === "input" ? type : undefined;
  }

  outputType(name: string): OutputTypeDef {
    const type = this.#type(name);
    invariant(type.kind !== "input", `${name} is an output type`);
    return type;
  }

  #type(name: string): TypeDef {
    let type = this.#types.get(name);
    if (type === undefined) {
      type = this.#made(name);
      this.#types.set(name, type);
    }
    return type;
  }

  #made(name: string): TypeDef {
    const node = this.#nodes.get(name);
    switch (node?.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
        return { kind: "object", ...about(node), ...this.#members(node, () => this.#more(name)) };
      case Kind.INTERFACE_TYPE_DEFINITION: {
        const types = lazy(() => this.#objects(this.#implementations.get(name) ?? []));
        return { kind: "interface", ...about(node), ...this.#members(node), types };
      }
      case Kind.UNION_TYPE_DEFINITION:
        return this.#union(node);
      case Kind.ENUM_TYPE_DEFINITION:
        return enumOf(node);
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return {
          kind: "input",
          ...about(node),
          fields: lazy(() => this.inputs(node.fields)),
          ...(node.directives?.some(({ name }) => name.value === "oneOf") && { isOneOf: true }),
        };
      case Kind.SCALAR_TYPE_DEFINITION:
        return { kind: "scalar", ...about(node) };
      default:
        return scalar(name);
    }
  }

  #union(node: UnionTypeDefinitionNode): AbstractTypeDef {
    const types = lazy(() => this.#objects((node.types ?? []).map(nameOf)));
    return { kind: "union", ...about(node), fields: () => new Map(), types };
  }

  #members(
    { fields = [], interfaces = [] }: NodeOfObject,
    more: () => Iterable<readonly [string, OutputField]> = () => [],
  ): Pick<ObjectTypeDef, "fields" | "interfaces"> {
    const written = () => fields.map((field) => [nameOf(field), this.field(field, this.#member)] as const);
    const all = () => new Map([...written(), ...more()]);
    if (interfaces.length === 0) return { fields: lazy(all) };
    return { fields: lazy(all), interfaces: lazy(() => interfaces.map((node) => this.#abstract(node))) };
  }

  #abstract(node: NamedTypeNode): AbstractTypeDef {
    const type = this.#type(nameOf(node));
    invariant(type.kind === "interface", `${type.name} is an interface`);
    return type;
  }

  #objects(names: readonly string[]): ReadonlyMap<string, ObjectTypeDef> {
    return new Map(
      names.map((name) => {
        const type = this.#type(name);
        invariant(type.kind === "object", `${name} is an object type`);
        return [name, type];
      }),
    );
  }

  field(node: FieldDefinitionNode, meta: OutputMeta): OutputField {
    const { description, directives, arguments: args } = node;
    const { name, ...modifiers } = modifiersOf(node.type);
    return {
      ...modifiers,
      type: () => this.outputType(name),
      description: () => description?.value,
      ...deprecationIn(directives),
      args: lazy(() => this.inputs(args)),
      meta,
    };
  }

  /** Converts arguments or fields of an input object. */
  inputs(nodes: readonly InputValueDefinitionNode[] = []): ReadonlyMap<string, InputField> {
    return new Map(nodes.map((node) => [nameOf(node), this.#input(node)]));
  }

  #input({ type, description, directives, defaultValue }: InputValueDefinitionNode): InputField {
    const { name, ...modifiers } = modifiersOf(type);
    return {
      ...modifiers,
      type: () => {
        const input = this.#type(name);
        invariant(input.kind === "scalar" || input.kind === "enum" || input.kind === "input", `${name} is an input`);
        return input;
      },
      ...(description && { description: description.value }),
      ...deprecationIn(directives),
      ...(defaultValue && { defaultValue: print(defaultValue) }),
      nullIsAbsent: false,
      nullIsValue: true,
      meta: { kind: "argument" },
    };
  }
}

export const builtInScalars: ReadonlySet<string> = new Set(["Boolean", "Float", "ID", "Int", "String"]);

const scalar = (name: string): ScalarTypeDef => ({ kind: "scalar", name });

const nameOf = (node: { readonly name: { readonly value: string } }): string => node.name.value;

type Described = { readonly name: { readonly value: string }; readonly description?: StringValueNode | undefined };

function about(node: Described): { readonly name: string; readonly description?: string } {
  return { name: nameOf(node), ...(node.description && { description: node.description.value }) };
}

function enumOf(node: EnumTypeDefinitionNode): TypeDef {
  const values = (node.values ?? []).map(({ name, description, directives }) => {
    const value = {
      ...(description && { description: description.value }),
      ...deprecationIn(directives),
      meta: { kind: "remote" },
    } as const;
    return [name.value, value] as const;
  });
  return { kind: "enum", ...about(node), values: new Map(values) };
}

function deprecationIn(directives: readonly ConstDirectiveNode[] = []): { readonly deprecation?: string } {
  const directive = directives.find(({ name }) => name.value === "deprecated");
  if (directive === undefined) return {};
  const reason = directive.arguments?.find(({ name }) => name.value === "reason")?.value;
  return { deprecation: reason?.kind === Kind.STRING ? reason.value : "No longer supported" };
}

function modifiersOf(node: TypeNode): Modifiers & { readonly name: string } {
  const text = print(node);
  const [, name = "", suffix = ""] = /^\[*(\w+)(.*)$/.exec(text) ?? [];
  const list = suffix.includes("]");
  const nullableItems = list && !suffix.startsWith("!") ? { nullableItems: true as const } : {};
  return { name, suffix, list, required: suffix.endsWith("!"), ...nullableItems };
}
