/**
 * Splits actions and custom types into `actions.yaml` and `actions.graphql`. Definitions that SDL cannot express exactly
 * stay in the YAML: each printed definition is read back and compared.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  type ObjectTypeDefinitionNode,
  parse,
  parseType,
  print,
  type StringValueNode,
} from "graphql";
import { canonicalJson } from "../../../compiler/catalog/canonical.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { type CustomTypeList, customTypeLists } from "./layout.ts";
import { type Located, Locations } from "./locations.ts";
import { type ActionType, actionRoots, SdlReader } from "./sdl-values.ts";

export interface SplitActions {
  /** Content of `actions.yaml`: `{actions, custom_types}`. */
  readonly yaml: Json;
  readonly sdl: string;
}

export function splitActions(actions: Json | undefined, customTypes: Json | undefined): SplitActions {
  const fields: { readonly type: ActionType; readonly field: FieldDefinitionNode }[] = [];
  const inYaml = objects(actions).map((action) => {
    const field = fieldOf(action);
    if (field === undefined) return action;
    fields.push(field);
    const { arguments: _arguments, output_type, type, ...definition } = asObject(action.definition);
    return { ...action, definition };
  });
  const definitions: DefinitionNode[] = Object.entries(actionRoots).flatMap(([root, type]) =>
    rootType(
      root,
      fields.filter((each) => each.type === type).map(({ field }) => field),
    ),
  );
  const typesInYaml = customTypeLists.map((list): [string, Json] => {
    const types = objects(asObject(customTypes)[list]);
    return [list, types.map((type) => typeInYaml(list, type, types, definitions))];
  });
  return {
    yaml: { actions: inYaml, custom_types: Object.fromEntries(typesInYaml) },
    sdl: definitions.map((definition) => `${print(definition)}\n`).join("\n"),
  };
}

/** Keys of custom types that SDL cannot express. */
const extraKeys = ["relationships", "remote_relationships"];

/**
 * Returns the members of a type for the YAML. Adds an SDL definition to `definitions` if it can express the other
 * members.
 */
function typeInYaml(
  list: CustomTypeList,
  type: JsonObject,
  all: readonly JsonObject[],
  definitions: DefinitionNode[],
): JsonObject {
  const only = all.filter(({ name }) => name === type.name).length === 1;
  const isRoot = Object.hasOwn(actionRoots, String(type.name));
  const definition = only && !isRoot ? expressed(() => typeDefinition[list](type)) : undefined;
  const rest = Object.entries(type).filter(([key]) => !extraKeys.includes(key));
  if (definition === undefined || typeof type.name !== "string") return type;
  const readBack = read(definition).types[0];
  const members = Object.fromEntries(rest.filter(([key]) => key !== "name"));
  if (readBack?.name !== type.name || !isSame(readBack.members, members)) return type;
  definitions.push(definition);
  const extras = Object.entries(type).filter(([key]) => extraKeys.includes(key));
  return { name: type.name, ...Object.fromEntries(extras) };
}

/** Returns the field of an action if it expresses arguments, result and type exactly. */
function fieldOf(action: JsonObject): { readonly type: ActionType; readonly field: FieldDefinitionNode } | undefined {
  const definition = asObject(action.definition);
  const { arguments: args, output_type, type } = definition;
  const field = expressed(() => fieldNode({ name: action.name, type: output_type, arguments: args }));
  const root = Object.entries(actionRoots).find(([, each]) => each === type);
  if (field === undefined || root === undefined) return undefined;
  const [node] = rootType(root[0], [field]);
  const readBack = node === undefined ? undefined : read(node).actions[0];
  const members = { output_type, type, ...(args !== undefined && { arguments: args }) };
  const same = readBack?.name === action.name && isSame(readBack?.definition ?? [], members);
  return same ? { type: root[1], field } : undefined;
}

/** Prints a definition, and parses it like the reader of the directory. */
function read(definition: DefinitionNode) {
  const text = print(definition);
  const [node] = parse(text).definitions;
  if (node === undefined) throw new Error("invariant: a printed definition is empty");
  return new SdlReader({ file: "", text }, new Locations(), () => undefined).read(node);
}

function isSame(
  entries: readonly (readonly [string, Located])[],
  expected: Readonly<Record<string, unknown>>,
): boolean {
  const values = entries.map(([key, { value }]): [string, Json] => [key, value]);
  return canonicalJson(Object.fromEntries(values)) === canonicalJson(expected);
}

/** Returns a node, or `undefined` if a name or type in it is not valid GraphQL. */
function expressed<N extends DefinitionNode | FieldDefinitionNode>(build: () => N): N | undefined {
  try {
    const node = build();
    parse(node.kind === Kind.FIELD_DEFINITION ? `type T { ${print(node)} }` : print(node));
    return node;
  } catch {
    return undefined;
  }
}

// ---------------------------------------------------------------- nodes

function rootType(root: string, fields: readonly FieldDefinitionNode[]): readonly ObjectTypeDefinitionNode[] {
  return fields.length === 0 ? [] : [{ kind: Kind.OBJECT_TYPE_DEFINITION, name: nameNode(root), fields }];
}

const typeDefinition: Readonly<Record<CustomTypeList, (type: JsonObject) => DefinitionNode>> = {
  objects: (type) => ({
    kind: Kind.OBJECT_TYPE_DEFINITION,
    ...namedNode(type),
    fields: objects(type.fields).map(fieldNode),
  }),
  input_objects: (type) => ({
    kind: Kind.INPUT_OBJECT_TYPE_DEFINITION,
    ...namedNode(type),
    fields: objects(type.fields).map(inputValueNode),
  }),
  scalars: (type) => ({ kind: Kind.SCALAR_TYPE_DEFINITION, ...namedNode(type) }),
  enums: (type) => ({
    kind: Kind.ENUM_TYPE_DEFINITION,
    ...namedNode(type),
    values: objects(type.values).map((value) => ({
      kind: Kind.ENUM_VALUE_DEFINITION,
      name: nameNode(value.value),
      ...description(value),
      directives: value.is_deprecated === true ? [deprecated] : [],
    })),
  }),
};

const deprecated: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: nameNode("deprecated") };

function fieldNode(field: Readonly<Record<string, Json | undefined>>): FieldDefinitionNode {
  return {
    kind: Kind.FIELD_DEFINITION,
    ...namedNode(field),
    arguments: objects(field.arguments).map(inputValueNode),
    type: parseType(String(field.type)),
  };
}

function inputValueNode(value: JsonObject): InputValueDefinitionNode {
  return { kind: Kind.INPUT_VALUE_DEFINITION, ...namedNode(value), type: parseType(String(value.type)) };
}

function namedNode(named: Readonly<Record<string, Json | undefined>>) {
  return { name: nameNode(named.name), ...description(named) };
}

function nameNode(name: Json | undefined): NameNode {
  return { kind: Kind.NAME, value: String(name) };
}

function description(named: Readonly<Record<string, Json | undefined>>): { readonly description?: StringValueNode } {
  if (named.description === undefined) return {};
  return { description: { kind: Kind.STRING, value: String(named.description) } };
}

// Members of exported metadata; missing members are empty.

export function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: Json | undefined): JsonObject {
  return isObject<Json>(value) ? value : {};
}
