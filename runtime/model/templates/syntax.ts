/** Syntax tree of a template: plain data, built by the parser and compiled by `compile-template.ts`. */
import type { JsonValue } from "./json-value.ts";
import type { Span } from "./template-error.ts";

export type Node =
  | Constant
  | Interpolation
  | ArrayNode
  | ObjectNode
  | Variable
  | PathNode
  | Call
  | Not
  | Operation
  | Condition
  | Range;

export interface Template {
  readonly source: string;
  readonly root: Node;
}

interface Constant extends Span {
  readonly kind: "constant";
  readonly value: JsonValue;
}

/** A string with `{{ }}` interpolations. */
export interface Interpolation extends Span {
  readonly kind: "interpolation";
  readonly parts: readonly (string | Node)[];
}

interface ArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly Node[];
}

export interface ObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly (readonly [key: string, value: Node])[];
}

interface Variable extends Span {
  readonly kind: "variable";
  readonly name: string;
}

export interface PathNode extends Span {
  readonly kind: "path";
  readonly base: Node;
  readonly steps: readonly Step[];
}

export interface Step {
  /** A key of an object, an index of an array, or an expression for either. */
  readonly accessor: string | number | Node;
  /** `?.` or `?[`: if the member is missing, the whole path is null. */
  readonly optional: boolean;
  /** End offset of the step. */
  readonly end: number;
}

export interface Call extends Span {
  readonly kind: "call";
  readonly name: string;
  readonly argument: Node;
}

interface Not extends Span {
  readonly kind: "not";
  readonly operand: Node;
}

/** By increasing precedence; operators of one level are left-associative. */
export const operatorLevels = [["??"], ["||"], ["&&"], ["in", "not in"], ["==", "!="], ["<", ">", "<=", ">="]] as const;
export type Operator = (typeof operatorLevels)[number][number];

/** A chain of operators of one level. Keeping it flat limits the depth of the tree. */
export interface Operation extends Span {
  readonly kind: "operation";
  readonly first: Node;
  readonly rest: readonly { readonly operator: Operator; readonly operand: Node }[];
}

export interface Condition extends Span {
  readonly kind: "if";
  readonly branches: readonly { readonly condition: Node; readonly value: Node }[];
  readonly otherwise: Node;
}

export interface Range extends Span {
  readonly kind: "range";
  /** Absent for `_`. */
  readonly index?: string;
  readonly item: string;
  readonly list: Node;
  readonly body: Node;
}
