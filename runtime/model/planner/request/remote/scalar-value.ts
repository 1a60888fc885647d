/** Validates values of GraphQL's built-in scalars. Remote servers validate custom scalars. */
import { Kind, type ValueNode } from "graphql";
import { JsonNumber, numberText } from "../../../../values/json-number.ts";

const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;

/** Returns true if a JSON value is valid for the scalar. */
export function isScalarValue(scalar: string, value: unknown): boolean {
  switch (scalar) {
    case "Int":
      return typeof value === "number" && isInt32(value);
    case "Float":
      return typeof value === "number" || value instanceof JsonNumber;
    case "String":
      return typeof value === "string";
    case "Boolean":
      return typeof value === "boolean";
    case "ID":
      return (
        typeof value === "string" ||
        ((typeof value === "number" || value instanceof JsonNumber) && /^-?\d+$/.test(numberText(value)))
      );
    default:
      return true;
  }
}

/** Returns true if a literal is valid for the scalar. */
export function isScalarLiteral(scalar: string, { kind, ...node }: ValueNode): boolean {
  switch (scalar) {
    case "Int":
      return kind === Kind.INT && "value" in node && isInt32(Number(node.value));
    case "Float":
      return kind === Kind.INT || kind === Kind.FLOAT;
    case "String":
      return kind === Kind.STRING;
    case "Boolean":
      return kind === Kind.BOOLEAN;
    case "ID":
      return kind === Kind.STRING || kind === Kind.INT;
    default:
      return true;
  }
}

/** Converts the text of a session variable to the scalar; returns `undefined` if it is invalid. */
export function scalarOfText(scalar: string, text: string): unknown {
  switch (scalar) {
    case "Int": {
      const value = Number(text);
      return /^[+-]?\d+$/.test(text) && isInt32(value) ? value : undefined;
    }
    case "Float":
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : undefined;
    case "Boolean":
      return booleans.get(text.toLowerCase());
    default:
      return text;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["false", false],
  ["f", false],
]);
