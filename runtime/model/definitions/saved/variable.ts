/** A variable declared by a saved operation. */
import { Kind, type TypeNode, type ValueNode, valueFromASTUntyped } from "graphql";
import { JsonNumber } from "../../../values/json-number.ts";

export interface SavedVariable {
  /** Declared type: `Int!`, `[uuid!]`. */
  readonly type: string;
  /** Declared type without list and non-null. */
  readonly name: string;
  readonly list: boolean;
  readonly required: boolean;
  /** As JSON; absent: none. */
  readonly default?: unknown;
  /** Declared, but not used in the operation. */
  readonly unused?: true;
}

export type SavedVariableOptions = Pick<SavedVariable, "default" | "unused">;

/**
 * Declares a variable of a saved operation.
 * @param type in GraphQL syntax
 */
export function variable(type: string, options: SavedVariableOptions = {}): SavedVariable {
  return {
    type,
    name: type.replace(/[[\]!]/g, ""),
    list: type.startsWith("["),
    required: type.endsWith("!"),
    ...options,
  };
}

/** Prints a type: `[uuid!]!`. */
export function typeNodeText(type: TypeNode): string {
  switch (type.kind) {
    case Kind.NAMED_TYPE:
      return type.name.value;
    case Kind.LIST_TYPE:
      return `[${typeNodeText(type.type)}]`;
    case Kind.NON_NULL_TYPE:
      return `${typeNodeText(type.type)}!`;
  }
}

/** Converts a default value to JSON; numbers keep their digits. */
export function defaultValue(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT: {
      const number = Number(node.value);
      return String(number) === node.value ? number : new JsonNumber(node.value);
    }
    case Kind.LIST:
      return node.values.map(defaultValue);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, defaultValue(field.value)]));
    default:
      return valueFromASTUntyped(node);
  }
}

/** The part of a scalar variable that affects the plan; its value is a parameter. */
export type VariableState = "given" | "null" | "absent" | "true" | "false";

export function presenceState(value: unknown): "given" | "null" | "absent" {
  if (value === undefined) return "absent";
  return value === null ? "null" : "given";
}

/** Returns the state of a variable of `@include` or `@skip`, whose value determines the selection. */
export function valueState(value: unknown): VariableState {
  return typeof value === "boolean" ? `${value}` : presenceState(value);
}
