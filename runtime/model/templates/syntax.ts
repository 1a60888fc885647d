/** The syntax tree of a template: plain data, made by the parser, walked by the evaluator. */
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

/** A parsed template. */
export interface Template {
  readonly source: string;
  readonly root: Node;
}

interface Constant extends Span {
  readonly kind: "constant";
  readonly value: JsonValue;
}

/** A string with `{{ }}` in it. */
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
  /** A key of an object, an index of an array, or what gives one of the two. */
  readonly accessor: string | number | Node;
  /** `?.` or `?[`: what is not there is null, and so is the rest of the path. */
  readonly optional: boolean;
  /** Where the step ends. */
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

/** From loose to tight; operators of one level associate to the left. */
export const operatorLevels = [["??"], ["||"], ["&&"], ["in", "not in"], ["==", "!="], ["<", ">", "<=", ">="]] as const;
export type Operator = (typeof operatorLevels)[number][number];

/** A whole chain of operators of one level, so that a long one does not make the tree deep. */
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
