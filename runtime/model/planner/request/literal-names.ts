/** Names of literals and of expected values for messages. */
import { Kind, type ValueNode } from "graphql";

/** Returns a description of the literals that a scalar accepts. */
export function expectedOf(scalar: string): string {
  switch (scalar) {
    case "Boolean":
      return "a boolean";
    case "Int":
      return "a 32-bit integer";
    case "Float":
      return "a float";
    case "ID":
      return "a String or a 32-bit integer";
    case "uuid":
      return "a UUID";
    default:
      return "a string";
  }
}

export function kindOfLiteral(node: ValueNode): string {
  switch (node.kind) {
    case Kind.INT:
      return "an integer";
    case Kind.FLOAT:
      return "a float";
    case Kind.STRING:
      return "a string";
    case Kind.BOOLEAN:
      return "a boolean";
    case Kind.ENUM:
      return "an enum value";
    case Kind.LIST:
      return "a list";
    case Kind.OBJECT:
      return "an object";
    case Kind.NULL:
    case Kind.VARIABLE:
      return "null";
  }
}
