/** Custom types and fields of actions → SDL. */
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parseType,
  print,
  type TypeNode,
} from "graphql";
import type { Action, CustomTypes, TypedName } from "../catalog/outside-sources.ts";
import { deprecated, descriptionOf, nameNode } from "./sdl-nodes.ts";

/** In the order of their names. */
export function customTypesSdl({ scalars, enums, input_objects, objects }: CustomTypes): string {
  const definitions: readonly (DefinitionNode & { readonly name: { readonly value: string } })[] = [
    ...scalars.map((type) => ({ kind: Kind.SCALAR_TYPE_DEFINITION as const, ...about(type) })),
    ...enums.map((type) => ({
      kind: Kind.ENUM_TYPE_DEFINITION as const,
      ...about(type),
      values: type.values.map(({ value, description, is_deprecated }) => ({
        kind: Kind.ENUM_VALUE_DEFINITION as const,
        name: nameNode(value),
        ...descriptionOf(description),
        directives: deprecated(is_deprecated ? "No longer supported" : undefined),
      })),
    })),
    ...input_objects.map((type) => ({
      kind: Kind.INPUT_OBJECT_TYPE_DEFINITION as const,
      ...about(type),
      fields: type.fields.map(inputNode),
    })),
    ...objects.map((type) => ({
      kind: Kind.OBJECT_TYPE_DEFINITION as const,
      ...about(type),
      fields: type.fields.map((field) => fieldNode(field)),
    })),
  ];
  const sorted = [...definitions].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
  return sorted.map((definition) => print(definition)).join("\n\n");
}

/** `place_order(items: [Item!]!): Order!` */
export function actionSdl({ name, definition, comment }: Action): string {
  const { output_type: type, arguments: args = [] } = definition;
  return print({
    ...fieldNode({ name, type, ...(comment && { description: comment }) }),
    arguments: args.map(inputNode),
  });
}

/** The same without descriptions, on one line. */
export function actionSignature({ name, definition }: Action): string {
  const { output_type, arguments: args = [] } = definition;
  const given = args.map(({ name: argument, type }) => `${argument}: ${type}`).join(", ");
  return `${name}${given === "" ? "" : `(${given})`}: ${output_type}`;
}

type Described = { readonly name: string; readonly description?: string };

const about = ({ name, description }: Described) => ({ name: nameNode(name), ...descriptionOf(description) });

const typeNode = (type: string): TypeNode => parseType(type, { noLocation: true });

function fieldNode({ type, ...described }: TypedName): FieldDefinitionNode {
  return { kind: Kind.FIELD_DEFINITION, ...about(described), type: typeNode(type) };
}

function inputNode({ type, ...described }: TypedName): InputValueDefinitionNode {
  return { kind: Kind.INPUT_VALUE_DEFINITION, ...about(described), type: typeNode(type) };
}
