/** Compares permission documents of a remote schema: fields, arguments, values and presets of a role. */
import {
  type DefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  type TypeDefinitionNode,
  type TypeExtensionNode,
} from "graphql";
import { type Changes, combined, type Effect } from "./change.ts";
import type { ByName } from "./model.ts";

/** Stands for the document of a role that has access to the whole remote schema. */
export const everything = "everything";

interface Part {
  readonly type: string;
  /** The preset value, which the role cannot choose. */
  readonly preset?: string;
}

interface DocumentParts {
  readonly types: Record<string, string>;
  readonly fields: Record<string, Part>;
  /** Arguments of fields, and fields of input objects. */
  readonly arguments: Record<string, Part>;
  readonly values: Record<string, string>;
  readonly members: Record<string, string>;
}

/**
 * Compares two different documents.
 * @param before SDL, or `everything`; likewise `after`
 */
export function compareRemoteDocuments(before: string, after: string, name: string, changes: Changes): void {
  const [from, to] = [partsOf(before), partsOf(after)];
  if (from === undefined || to === undefined) {
    const effect = after === everything ? "widens" : before === everything ? "narrows" : "may widen";
    changes.changed({ aspect: "remote schema", name, before, after, effect });
    return;
  }
  const own = changes.about({ subject: `remote schema ${name}` });
  const widens = (): Effect => "widens";
  own.members(from.types, to.types, { aspect: "type", added: widens, text: (kind) => kind });
  own.members(from.values, to.values, { aspect: "value", added: widens });
  own.members(from.members, to.members, { aspect: "member", added: widens });
  const compare = (aspect: string, mine: ByName<Part>, theirs: ByName<Part>): void =>
    own.members(mine, theirs, { aspect, added: addedEffect, text: textOf }, (a, b, part) =>
      own.changed({ aspect, name: part, before: textOf(a), after: textOf(b), effect: partEffect(a, b) }),
    );
  compare("field", from.fields, to.fields);
  compare("argument", from.arguments, to.arguments);
}

const textOf = ({ type, preset }: Part): string => (preset === undefined ? type : `${type} @preset(value: ${preset})`);

/**
 * Returns the effect of adding an argument. A preset adds no choice for the role, but its value may differ from the
 * previous default.
 */
const addedEffect = ({ preset }: Part): Effect => (preset === undefined ? "widens" : "may widen");

function partEffect(before: Part, after: Part): Effect {
  const ofType: Effect = before.type === after.type ? "none" : "may widen";
  if (before.preset === after.preset) return ofType;
  const ofPreset = before.preset === undefined ? "narrows" : after.preset === undefined ? "widens" : "may widen";
  return combined([ofType, ofPreset]);
}

/** Returns the parts of a document; `undefined` if it is not valid SDL. */
function partsOf(text: string): DocumentParts | undefined {
  if (text === everything) return undefined;
  let definitions: readonly DefinitionNode[];
  try {
    definitions = parse(text, { noLocation: true }).definitions;
  } catch {
    return undefined;
  }
  const parts: DocumentParts = { types: {}, fields: {}, arguments: {}, values: {}, members: {} };
  const types = definitions.filter((node): node is TypeDefinitionNode | TypeExtensionNode => kinds.has(node.kind));
  for (const node of types) addType(node, parts);
  return parts;
}

const kinds: ReadonlyMap<string, string> = new Map([
  [Kind.OBJECT_TYPE_DEFINITION, "type"],
  [Kind.INTERFACE_TYPE_DEFINITION, "interface"],
  [Kind.UNION_TYPE_DEFINITION, "union"],
  [Kind.ENUM_TYPE_DEFINITION, "enum"],
  [Kind.INPUT_OBJECT_TYPE_DEFINITION, "input"],
  [Kind.SCALAR_TYPE_DEFINITION, "scalar"],
]);

function addType(node: TypeDefinitionNode | TypeExtensionNode, parts: DocumentParts): void {
  const type = node.name.value;
  parts.types[type] = kinds.get(node.kind) ?? "type";
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      for (const { name } of node.interfaces ?? []) parts.members[`${type} implements ${name.value}`] = "";
      for (const field of node.fields ?? []) {
        const name = `${type}.${field.name.value}`;
        parts.fields[name] = { type: print(field.type) };
        for (const each of field.arguments ?? []) parts.arguments[`${name}(${each.name.value})`] = inputPart(each);
      }
      break;
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      for (const field of node.fields ?? []) parts.arguments[`${type}.${field.name.value}`] = inputPart(field);
      break;
    case Kind.ENUM_TYPE_DEFINITION:
      for (const { name } of node.values ?? []) parts.values[`${type}.${name.value}`] = "";
      break;
    case Kind.UNION_TYPE_DEFINITION:
      for (const { name } of node.types ?? []) parts.members[`${type} | ${name.value}`] = "";
      break;
  }
}

function inputPart({ type, defaultValue, directives = [] }: InputValueDefinitionNode): Part {
  const preset = directives.find(({ name }) => name.value === "preset");
  const given = defaultValue === undefined ? "" : ` = ${print(defaultValue)}`;
  const written = `${print(type)}${given}`;
  if (preset === undefined) return { type: written };
  const values = preset.arguments?.map(({ name, value }) => [name.value, print(value)] as const) ?? [];
  const { value = "null", ...others } = Object.fromEntries(values);
  const isStatic = others.static === "true" ? ", static: true" : "";
  return { type: written, preset: `${value}${isStatic}` };
}
