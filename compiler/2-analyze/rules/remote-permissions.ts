/**
 * Checks permission documents of remote schemas: SDL that must be a subset of the upstream schema. Input: the document
 * and the upstream shape; output: the shape of the role with its presets, or a rejection with all errors.
 */
import {
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  parse,
  print,
  type SchemaDefinitionNode,
  type TypeDefinitionNode,
  type TypeNode,
} from "graphql";
import { duplicates } from "../../catalog/schema/combinators.ts";
import {
  builtInScalars,
  namedRemoteType,
  printRemoteType,
  type RemoteField,
  type RemoteInput,
  type RemoteRoot,
  type RemoteShape,
  type RemoteType,
  type RemoteTypeRef,
  remoteRoots,
} from "../../shape/remote-shape.ts";
import type { RemotePreset, RemoteRoleShape } from "../analysis.ts";
import { type Fault, hintsOf, Rejection, rejectWithCode, unknownNames } from "../rejection.ts";
import { englishList, quoted } from "./english.ts";
import { withoutEmptyInputs } from "./remote-empty-inputs.ts";
import { readPreset } from "./remote-presets.ts";

/**
 * Returns the shape of a role.
 * @param alias the alias of the session variable prefix, in lower case
 * @throws Rejection
 */
export function bindRemotePermission(
  document: string,
  upstream: RemoteShape,
  alias: string | null | undefined,
): RemoteRoleShape {
  const check = new PermissionCheck(upstream, alias);
  const shape = check.read(parsed(document));
  const [only, ...more] = check.faults;
  if (only === undefined) return withoutEmptyInputs(shape);
  const subject = "validation for the given role-based schema failed";
  const list = check.faults.map(({ reason }) => ` • ${reason}\n`).join("");
  const reason =
    more.length === 0 ? `${subject} because ${only.reason}` : `${subject} for the following reasons:\n${list}`;
  throw new Rejection(reason, { code: "validation-failed", hint: hintsOf(check.faults) });
}

function parsed(document: string): DocumentNode {
  try {
    return parse(document, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return rejectWithCode("parse-failed", error.message);
    throw error;
  }
}

type KindWord = "Scalar" | "Object" | "Interface" | "Union" | "Enum" | "Input object";

const wordOf: Readonly<Record<RemoteType["kind"], KindWord>> = {
  scalar: "Scalar",
  object: "Object",
  interface: "Interface",
  union: "Union",
  enum: "Enum",
  input_object: "Input object",
};

type TypeOf<K extends RemoteType["kind"]> = Extract<RemoteType, { readonly kind: K }>;

class PermissionCheck {
  readonly faults: Fault[] = [];
  readonly #upstream: RemoteShape;
  readonly #alias: string | null | undefined;
  readonly #presets: RemotePreset[] = [];
  #interfaces: ReadonlySet<string> = new Set();

  constructor(upstream: RemoteShape, alias: string | null | undefined) {
    this.#upstream = upstream;
    this.#alias = alias;
  }

  #fault(reason: string): void {
    this.faults.push({ reason });
  }

  /** Records names that the upstream schema lacks, with suggestions from `candidates`. */
  #unknown(reason: string, names: readonly string[], candidates: readonly string[]): void {
    this.faults.push(unknownNames(reason, names, candidates));
  }

  read({ definitions }: DocumentNode): RemoteRoleShape {
    const types = definitions.filter(isTypeDefinition);
    const names = types.map(({ name }) => name.value);
    const repeated = duplicates(names);
    if (repeated.length > 0) this.#fault(`duplicate type names found: ${quoted(repeated)}`);
    this.#interfaces = new Set(
      types.flatMap((type) => (type.kind === Kind.INTERFACE_TYPE_DEFINITION ? [type.name.value] : [])),
    );
    const read = new Map<string, RemoteType>();
    for (const type of types) {
      const found = this.#type(type);
      if (found !== undefined) read.set(found.name, found);
    }
    const { query, ...roots } = this.#roots(definitions, new Set(names));
    if (this.faults.length === 0) this.#references(read);
    return { query: query ?? "", ...roots, types: read, presets: this.#presets };
  }

  /** Requires that every referenced type is in the document. */
  #references(types: ReadonlyMap<string, RemoteType>): void {
    const isKnown = (ref: RemoteTypeRef): boolean => {
      const name = namedRemoteType(ref);
      return types.has(name) || builtInScalars.has(name) || this.#upstream.types.get(name)?.kind === "scalar";
    };
    for (const type of types.values()) {
      const parts = "fields" in type ? type.fields : [];
      for (const part of parts) {
        const inputs = "arguments" in part ? part.arguments : [];
        const missing = [part, ...inputs].find((each) => !isKnown(each.type));
        if (missing === undefined) continue;
        const name = namedRemoteType(missing.type);
        this.#fault(`type "${name}" of "${missing.name}" of "${type.name}" is not part of the document`);
      }
      const others = type.kind === "union" ? type.members : "interfaces" in type ? type.interfaces : [];
      const missing = others.filter((name) => !types.has(name));
      if (missing.length > 0)
        this.#fault(`"${type.name}" names types that are not part of the document: ${quoted(missing)}`);
    }
  }

  #roots(
    definitions: readonly DefinitionNode[],
    types: ReadonlySet<string>,
  ): { readonly [root in RemoteRoot]?: string } {
    const schemas = definitions.filter((each): each is SchemaDefinitionNode => each.kind === Kind.SCHEMA_DEFINITION);
    if (schemas.length > 1) this.#fault("multiple schema definitions found");
    const [schema] = schemas;
    const rootOf = (operation: RemoteRoot, standard: string): string | undefined => {
      if (schema === undefined) return types.has(standard) ? standard : undefined;
      return schema.operationTypes.find((each) => each.operation === operation)?.type.name.value;
    };
    const query = rootOf("query", "Query");
    if (query === undefined) this.#fault("query root does not exist in the schema definition");
    const mutation = rootOf("mutation", "Mutation");
    // Subscriptions in the document are ignored unless the metadata enables them.
    const subscription = this.#upstream.subscription && rootOf("subscription", "Subscription");
    const roots = {
      ...(query !== undefined && { query }),
      ...(mutation !== undefined && { mutation }),
      ...(subscription !== undefined && { subscription }),
    };
    for (const root of remoteRoots) this.#sameRoot(root, roots[root]);
    return roots;
  }

  /** Refuses a root type other than the upstream root type, at which requests start. */
  #sameRoot(operation: RemoteRoot, root: string | undefined): void {
    const upstream = this.#upstream[operation];
    if (root === undefined || root === upstream || !this.#upstream.types.has(root)) return;
    this.#fault(`"${root}" is not the ${operation} root of the upstream remote schema`);
  }

  #type(node: TypeDefinitionNode): RemoteType | undefined {
    this.#noPreset(node.directives);
    const name = node.name.value;
    switch (node.kind) {
      case Kind.SCALAR_TYPE_DEFINITION:
        return builtInScalars.has(name) ? { kind: "scalar", name } : this.#upstreamType("scalar", name);
      case Kind.ENUM_TYPE_DEFINITION:
        return this.#enum(node);
      case Kind.UNION_TYPE_DEFINITION:
        return this.#union(name, node.types ?? []);
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return this.#inputObject(name, node.fields ?? []);
      case Kind.INTERFACE_TYPE_DEFINITION: {
        const upstream = this.#upstreamType("interface", name);
        const interfaces = (node.interfaces ?? []).map((each) => each.name.value);
        const foreign = upstream ? interfaces.filter((each) => !upstream.interfaces.includes(each)) : [];
        if (foreign.length > 0) {
          this.#unknown(
            `interface "${name}" is trying to implement the following interfaces that do not exist in the corresponding upstream remote interface: ${quoted(foreign)}`,
            foreign,
            upstream?.interfaces ?? [],
          );
        }
        return upstream && { kind: "interface", name, interfaces, fields: this.#fields(upstream, node.fields ?? []) };
      }
      case Kind.OBJECT_TYPE_DEFINITION:
        return this.#object(name, node.interfaces ?? [], node.fields ?? []);
    }
  }

  #upstreamType<K extends RemoteType["kind"]>(kind: K, name: string): TypeOf<K> | undefined {
    const type = this.#upstream.types.get(name);
    if (type?.kind === kind) return type as TypeOf<K>;
    const ofKind = [...this.#upstream.types.values()].filter((each) => each.kind === kind);
    this.#unknown(`"${wordOf[kind]}": "${name}" does not exist in the upstream remote schema`, [name], namesOf(ofKind));
    return undefined;
  }

  #enum({ name: { value: name }, values = [] }: EnumTypeDefinitionNode): RemoteType | undefined {
    const upstream = this.#upstreamType("enum", name);
    if (upstream === undefined) return undefined;
    for (const value of values) this.#noPreset(value.directives);
    const given = values.map((value) => value.name.value);
    const repeated = duplicates(given);
    if (repeated.length > 0) {
      this.#fault(`duplicate enum values: ${quoted(repeated)} found in the "${name}" enum`);
    }
    const known = new Set(upstream.values.map((value) => value.name));
    const unknown = given.filter((value) => !known.has(value));
    if (unknown.length > 0) {
      this.#unknown(
        `enum "${name}" contains the following enum values that do not exist in the corresponding upstream remote enum: ${quoted(unknown)}`,
        unknown,
        [...known],
      );
    }
    return { kind: "enum", name, values: given.map((value) => ({ name: value })) };
  }

  #union(name: string, types: readonly NamedTypeNode[]): RemoteType | undefined {
    const upstream = this.#upstreamType("union", name);
    if (upstream === undefined) return undefined;
    const members = types.map((type) => type.name.value);
    const unknown = members.filter((member) => !upstream.members.includes(member));
    if (unknown.length > 0) {
      this.#unknown(
        `union "${name}" contains members which do not exist in the members of the remote schema union :${quoted(unknown)}`,
        unknown,
        upstream.members,
      );
    }
    return { kind: "union", name, members };
  }

  #object(
    name: string,
    implemented: readonly NamedTypeNode[],
    fields: readonly FieldDefinitionNode[],
  ): RemoteType | undefined {
    const upstream = this.#upstreamType("object", name);
    if (upstream === undefined) return undefined;
    const interfaces = implemented.map((each) => each.name.value);
    const isCustom = (each: string) => this.#interfaces.has(each) && this.#upstream.types.get(each) === undefined;
    const custom = interfaces.filter(isCustom);
    if (custom.length > 0) {
      this.#fault(
        `custom interfaces are not supported. Object"${name}" implements the following custom interfaces: ${quoted(custom)}`,
      );
    }
    const foreign = interfaces.filter((each) => !isCustom(each) && !upstream.interfaces.includes(each));
    if (foreign.length > 0) {
      this.#unknown(
        `object "${name}" is trying to implement the following interfaces that do not exist in the corresponding upstream remote object: ${quoted(foreign)}`,
        foreign,
        upstream.interfaces,
      );
    }
    return { kind: "object", name, interfaces, fields: this.#fields(upstream, fields) };
  }

  #fields(upstream: TypeOf<"object" | "interface">, given: readonly FieldDefinitionNode[]): readonly RemoteField[] {
    const word = wordOf[upstream.kind];
    const repeated = duplicates(given.map(({ name }) => name.value));
    if (repeated.length > 0)
      this.#fault(`duplicate fields: ${quoted(repeated)} found in the ${word}: "${upstream.name}"`);
    return given.flatMap((node): readonly RemoteField[] => {
      this.#noPreset(node.directives);
      const name = node.name.value;
      const known = upstream.fields.find((each) => each.name === name);
      if (known === undefined) {
        const reason = `field "${name}" does not exist in the "${word}": "${upstream.name}"`;
        this.#unknown(reason, [name], namesOf(upstream.fields));
        return [];
      }
      const type = this.#sameType(name, `${word} field`, known.type, node.type);
      const deprecation = known.deprecation === undefined ? {} : { deprecation: known.deprecation };
      return [{ name, type, arguments: this.#arguments(upstream.name, known, node.arguments ?? []), ...deprecation }];
    });
  }

  #sameType(name: string, word: string, upstream: RemoteTypeRef, given: TypeNode): RemoteTypeRef {
    const type = typeRef(given);
    const [expected, received] = [printRemoteType(upstream), printRemoteType(type)];
    if (expected !== received) {
      this.#fault(`expected type of "${name}"("${word}") to be ${expected} but received ${received}`);
    }
    return type;
  }

  #arguments(
    type: string,
    { name: field, arguments: known }: RemoteField,
    given: readonly InputValueDefinitionNode[],
  ): readonly RemoteInput[] {
    const names = given.map(({ name }) => name.value);
    const repeated = duplicates(names);
    if (repeated.length > 0) this.#fault(`duplicate arguments: ${quoted(repeated)}found in the field: "${field}"`);
    const missing = known.filter(
      (each) => each.type.kind === "non_null" && each.defaultValue === undefined && !names.includes(each.name),
    );
    if (missing.length > 0) {
      const list = englishList(
        missing.map(({ name }) => `"${name}"`),
        "and",
      );
      this.#fault(`field: "${field}" expects the following non nullable arguments to be present: ${list}`);
    }
    return given.flatMap((node) => {
      const upstream = known.find((each) => each.name === node.name.value);
      if (upstream === undefined) {
        const reason = `input argument "${node.name.value}" does not exist in the field:"${field}"`;
        this.#unknown(reason, [node.name.value], namesOf(known));
        return [];
      }
      return this.#input(node, upstream, `field "${field}"`, (value) => {
        this.#presets.push({ type, field, argument: upstream.name, value });
      });
    });
  }

  #inputObject(name: string, given: readonly InputValueDefinitionNode[]): RemoteType | undefined {
    const upstream = this.#upstreamType("input_object", name);
    if (upstream === undefined) return undefined;
    const names = given.map((node) => node.name.value);
    const repeated = duplicates(names);
    if (repeated.length > 0) this.#fault(`duplicate fields: ${quoted(repeated)} found in the Input object: "${name}"`);
    const fields = given.flatMap((node) => {
      const known = upstream.fields.find((each) => each.name === node.name.value);
      if (known === undefined) {
        const reason = `input argument "${node.name.value}" does not exist in the input object:"${name}"`;
        this.#unknown(reason, [node.name.value], namesOf(upstream.fields));
        return [];
      }
      return this.#input(node, known, `input object "${name}"`, (value) => {
        this.#presets.push({ type: name, field: known.name, value });
      });
    });
    const presets = given.length - fields.length;
    if (upstream.isOneOf && presets > 0 && given.length > 1) {
      this.#fault(
        `a value of the input object "${name}" has exactly one field, so only its only field can have a preset`,
      );
    }
    return { kind: "input_object", name, fields, ...(upstream.isOneOf && { isOneOf: true }) };
  }

  /** Returns the argument or input field for the role; none if it is preset. */
  #input(
    node: InputValueDefinitionNode,
    upstream: RemoteInput,
    owner: string,
    preset: (value: RemotePreset["value"]) => void,
  ): readonly RemoteInput[] {
    const { name } = upstream;
    const type = this.#sameType(name, "Argument", upstream.type, node.type);
    const given = node.defaultValue === undefined ? undefined : print(node.defaultValue);
    if (given !== undefined && given !== upstream.defaultValue) {
      this.#fault(
        `expected default value of input value: "${name}"of ${owner} to be ${upstream.defaultValue ?? "null"} but received ${given}`,
      );
    }
    const { value, fault, isPreset } = readPreset(node, upstream, this.#upstream, this.#alias);
    if (fault !== undefined) this.faults.push(fault);
    if (value !== undefined) preset(value);
    if (isPreset) return [];
    return [{ name, type, ...(upstream.defaultValue !== undefined && { defaultValue: upstream.defaultValue }) }];
  }

  #noPreset(directives: readonly DirectiveNode[] = []): void {
    if (directives.some(({ name }) => name.value === "preset")) {
      this.#fault("Preset directives can be defined only on INPUT_FIELD_DEFINITION or ARGUMENT_DEFINITION");
    }
  }
}

function namesOf(parts: readonly { readonly name: string }[]): readonly string[] {
  return parts.map(({ name }) => name);
}

function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return /TypeDefinition$/.test(node.kind);
}

function typeRef(node: TypeNode): RemoteTypeRef {
  switch (node.kind) {
    case Kind.NAMED_TYPE:
      return { kind: "named", name: node.name.value };
    case Kind.LIST_TYPE:
      return { kind: "list", of: typeRef(node.type) };
    case Kind.NON_NULL_TYPE:
      return { kind: "non_null", of: typeRef(node.type) };
  }
}
