/** GraphQL types of actions → what their values are in JSON. */
import { Kind, parseType, type TypeNode } from "graphql";
import type { CustomTypes, TypedName } from "../catalog/outside-sources.ts";
import { type JsonMember, type JsonType, nullable } from "../dialects/json-type.ts";

/** Whether a value comes from the engine, or goes to it. */
export type Direction = "sent" | "answered";

export interface GraphqlTypes {
  readonly custom: CustomTypes;
  /** The declared name of a custom type. */
  nameOf(type: string): string;
}

export function typeOfText(text: string, types: GraphqlTypes, direction: Direction): JsonType {
  return typeOfNode(parseType(text, { noLocation: true }), types, direction);
}

function typeOfNode(node: TypeNode, types: GraphqlTypes, direction: Direction): JsonType {
  if (node.kind === Kind.NON_NULL_TYPE) return valueType(node.type, types, direction);
  return nullable(valueType(node, types, direction));
}

function valueType(node: TypeNode, types: GraphqlTypes, direction: Direction): JsonType {
  switch (node.kind) {
    case Kind.NON_NULL_TYPE:
      return valueType(node.type, types, direction);
    case Kind.LIST_TYPE:
      return { kind: "list", item: typeOfNode(node.type, types, direction) };
    case Kind.NAMED_TYPE:
      return namedType(node.name.value, types, direction);
  }
}

function namedType(name: string, types: GraphqlTypes, direction: Direction): JsonType {
  const { scalars, enums, input_objects, objects } = types.custom;
  const isCustom = [scalars, enums, input_objects, objects].some((list) => list.some((type) => type.name === name));
  return isCustom ? { kind: "named", name: types.nameOf(name) } : scalarType(name, direction);
}

/**
 * Values of scalars of a source pass as clients and handlers write them, whatever they are: the usual ones are texts,
 * and numbers that may be longer than JavaScript's come as either.
 */
function scalarType(name: string, direction: Direction): JsonType {
  switch (name) {
    case "Int":
      return { kind: "number", integer: true };
    case "Float":
      return { kind: "number" };
    case "Boolean":
      return { kind: "boolean" };
    case "String":
      return { kind: "string" };
    case "ID":
      return direction === "sent" ? { kind: "number_or_text" } : { kind: "string" };
    case "smallint":
    case "bigint":
    case "numeric":
    case "float8":
      return { kind: "number_or_text" };
    case "uuid":
    case "date":
    case "timestamp":
    case "timestamptz":
    case "time":
      return { kind: "string", format: name };
    case "citext":
    case "bpchar":
    case "timetz":
      return { kind: "string" };
    default:
      return { kind: "unknown" };
  }
}

/** Members that may be null may be left out. */
export function membersOf(
  fields: readonly TypedName[],
  types: GraphqlTypes,
  direction: Direction,
): readonly JsonMember[] {
  return fields.map(({ name, type, description }) => ({
    name,
    type: typeOfText(type, types, direction),
    ...(!type.endsWith("!") && { optional: true as const }),
    ...(description && { comment: description }),
  }));
}
