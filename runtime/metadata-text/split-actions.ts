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
import type { Json, JsonObject } from "../../compiler/catalog/model.ts";
import { canonicalJson } from "../values/canonical-json.ts";
import { isObject } from "../values/is-object.ts";
import { type Located, Locations } from "./locations.ts";
import { type ActionType, actionRoots, type CustomTypeList, customTypeLists, SdlReader } from "./sdl-values.ts";

export interface SplitActions {
  /** Content of `actions.yaml`: `{actions, custom_types}`. */
  readonly yaml: Json;
  readonly sdl: string;
}

export function splitActions(actions: Json | undefined, customTypes: Json | undefined): SplitActions {
  const split = objects(actions).map(splitAction);
  const fields = split.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const roots = Object.entries(actionRoots).flatMap(([root, type]) =>
    rootType(
      root,
      fields.filter((each) => each.type === type).map(({ field }) => field),
    ),
  );
  const lists = customTypeLists.map((list) => {
    const types = objects(asObject(customTypes)[list]);
    return { list, types: types.map((type) => splitType(list, type, types)) };
  });
  const types = lists.flatMap((list) => list.types.flatMap(({ definition }) => definition ?? []));
  const typesInYaml = lists.map(({ list, types }): [string, Json] => [list, types.map(({ yaml }) => yaml)]);
  return {
    yaml: { actions: split.map(({ yaml }) => yaml), custom_types: Object.fromEntries(typesInYaml) },
    sdl: [...roots, ...types].map((definition) => `${print(definition)}\n`).join("\n"),
  };
}

export interface ActionField {
  readonly type: ActionType;
  readonly field: FieldDefinitionNode;
}

/** Returns the members of an action for the YAML, and its field if SDL can express the others. */
export function splitAction(action: JsonObject): { readonly yaml: JsonObject; readonly field?: ActionField } {
  const field = fieldOf(action);
  return field === undefined ? { yaml: action } : { yaml: withoutField(action), field };
}

/** Removes the members of an action that its field defines. */
export function withoutField(action: JsonObject): JsonObject {
  const { arguments: _arguments, output_type, type, ...definition } = asObject(action.definition);
  return { ...action, definition };
}

/** Keys of custom types that SDL cannot express. */
const extraKeys = ["relationships", "remote_relationships"];

/**
 * Returns the members of a type for the YAML, and its definition if SDL can express the others.
 * @param all types of the same list
 */
export function splitType(
  list: CustomTypeList,
  type: JsonObject,
  all: readonly JsonObject[],
): { readonly yaml: JsonObject; readonly definition?: DefinitionNode } {
  const only = all.filter(({ name }) => name === type.name).length === 1;
  const isRoot = Object.hasOwn(actionRoots, String(type.name));
  const definition = only && !isRoot ? expressed(() => typeDefinition[list](type)) : undefined;
  if (definition === undefined || typeof type.name !== "string") return { yaml: type };
  const rest = Object.entries(type).filter(([key]) => !extraKeys.includes(key) && key !== "name");
  const readBack = read(definition).types[0];
  if (readBack?.name !== type.name || !isSame(readBack.members, Object.fromEntries(rest))) return { yaml: type };
  return { yaml: withoutDefinition(type), definition };
}

/** Removes the members of a type that its definition defines. */
export function withoutDefinition(type: JsonObject): JsonObject {
  const extras = Object.entries(type).filter(([key]) => key === "name" || extraKeys.includes(key));
  return Object.fromEntries(extras);
}

/** Returns the field of an action if it expresses arguments, result and type exactly. */
function fieldOf(action: JsonObject): ActionField | undefined {
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

export function rootType(root: string, fields: readonly FieldDefinitionNode[]): readonly ObjectTypeDefinitionNode[] {
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
