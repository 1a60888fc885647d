/** Converts GraphQL types of actions to JSON types. */
import { Kind, parseType, type TypeNode } from "graphql";
import type { CustomTypes, TypedName } from "../catalog/outside-sources.ts";
import { type JsonMember, type JsonType, nullable } from "../dialects/json-type.ts";

/** Direction of a value: from the engine to the handler, or back. */
export type Direction = "sent" | "answered";

export interface GraphqlTypes {
  readonly custom: CustomTypes;
  /** Returns the declared name of a custom type. */
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
 * Returns the JSON type of a scalar. Scalars of a source are passed on as clients and handlers write them: common ones
 * are texts, and numbers beyond the precision of JavaScript may be numbers or texts.
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

/** Returns the members of an object; nullable ones are optional. */
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
