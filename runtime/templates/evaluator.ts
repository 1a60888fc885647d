/** A syntax tree and a scope → a JSON value (`automation.md` D.5, "Semantics"). */
import { assertNever } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { isJsonNumber } from "../values/json-number.ts";
import { FunctionFailure, type TemplateFunction, templateFunctions } from "./functions.ts";
import { compareJson, excerpt, isArray, type JsonValue, kindOf, scalarText } from "./json-value.ts";
import type {
  Call,
  Condition,
  Interpolation,
  Node,
  Not,
  Operation,
  Operator,
  PathNode,
  Range,
  Step,
  Template,
  Variable,
} from "./syntax.ts";
import { type Outcome, outcomeOf, type Span, TemplateFailure } from "./template-error.ts";

/** What a template may name. */
export interface Scope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** In addition to those that every template has. */
  readonly functions: ReadonlyMap<string, TemplateFunction>;
}

/** Evaluates a template. It terminates, changes nothing and fails with template errors only. */
export function evaluate({ source, root }: Template, scope: Scope): Outcome<JsonValue> {
  return outcomeOf(source, () => new Evaluator(scope).value(root, undefined));
}

/** The variables of the `range` blocks around a place, innermost first. */
interface Bindings {
  readonly name: string;
  readonly value: JsonValue;
  readonly outer: Bindings | undefined;
}

class Evaluator {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  value(node: Node, bindings: Bindings | undefined): JsonValue {
    switch (node.kind) {
      case "constant":
        return node.value;
      case "interpolation":
        return this.#interpolation(node, bindings);
      case "array":
        return node.items.map((item) => this.value(item, bindings));
      case "object":
        return Object.fromEntries(node.members.map(([key, member]) => [key, this.value(member, bindings)]));
      case "variable":
        return this.#variable(node, bindings);
      case "path":
        return this.#path(node, bindings);
      case "call":
        return this.#call(node, bindings);
      case "not":
        return this.#not(node, bindings);
      case "operation":
        return this.#operation(node, bindings);
      case "if":
        return this.#condition(node, bindings);
      case "range":
        return this.#range(node, bindings);
      default:
        return assertNever(node);
    }
  }

  #interpolation({ parts }: Interpolation, bindings: Bindings | undefined): string {
    return parts.map((part) => (typeof part === "string" ? part : this.#text(part, bindings))).join("");
  }

  #text(node: Node, bindings: Bindings | undefined): string {
    const value = this.value(node, bindings);
    if (value === null) return "null";
    if (typeof value === "string" || typeof value === "boolean" || isJsonNumber(value)) return scalarText(value);
    throw new TemplateFailure("Type Error", `Cannot interpolate type: '${kindOf(value)}'.`, node);
  }

  #variable(node: Variable, bindings: Bindings | undefined): JsonValue {
    for (let binding = bindings; binding !== undefined; binding = binding.outer) {
      if (binding.name === node.name) return binding.value;
    }
    const value = this.#scope.variables.get(node.name);
    if (value === undefined) throw new TemplateFailure("Name Error", `Variable '${node.name}' not in scope.`, node);
    return value;
  }

  #path({ base, steps }: PathNode, bindings: Bindings | undefined): JsonValue {
    let value = this.value(base, bindings);
    let end = base.end;
    for (const step of steps) {
      const accessor = this.#accessor(step, bindings);
      const found = accessor === null ? undefined : member(value, accessor);
      if (found === undefined && step.optional) return null;
      if (found === undefined) throw missing(value, { accessor: accessor ?? "null", end: step.end }, base.start, end);
      value = found;
      end = step.end;
    }
    return value;
  }

  /** `null`: it leads nowhere. */
  #accessor({ accessor }: Step, bindings: Bindings | undefined): string | number | null {
    if (typeof accessor !== "object") return accessor;
    const value = this.value(accessor, bindings);
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    throw wrongType(value, "String", accessor);
  }

  #call(node: Call, bindings: Bindings | undefined): JsonValue {
    const called = this.#scope.functions.get(node.name) ?? templateFunctions.get(node.name);
    if (called === undefined) throw new TemplateFailure("Name Error", `Function '${node.name}' not in scope.`, node);
    const argument = this.value(node.argument, bindings);
    try {
      return called(argument);
    } catch (thrown) {
      if (!(thrown instanceof FunctionFailure)) throw thrown;
      throw new TemplateFailure("Function Error", thrown.message, node);
    }
  }

  #not({ operand }: Not, bindings: Bindings | undefined): boolean {
    return !toBoolean(this.value(operand, bindings), operand);
  }

  #operation({ first, rest, start }: Operation, bindings: Bindings | undefined): JsonValue {
    let left = this.value(first, bindings);
    let span: Span = first;
    for (const { operator, operand } of rest) {
      // The only operator that does not always evaluate its right side.
      if (operator === "??") {
        left ??= this.value(operand, bindings);
      } else {
        left = applyOperator(operator, { value: left, span }, { value: this.value(operand, bindings), span: operand });
      }
      span = { start, end: operand.end };
    }
    return left;
  }

  #condition({ branches, otherwise }: Condition, bindings: Bindings | undefined): JsonValue {
    for (const { condition, value } of branches) {
      if (toBoolean(this.value(condition, bindings), condition)) return this.value(value, bindings);
    }
    return this.value(otherwise, bindings);
  }

  #range({ index, item, list, body }: Range, bindings: Bindings | undefined): JsonValue {
    const values = this.value(list, bindings);
    if (!isArray(values)) throw new TemplateFailure("Range Error", "Can only range over an array", list);
    return values.map((value, position) => {
      const outer = index === undefined ? bindings : { name: index, value: position, outer: bindings };
      return this.value(body, { name: item, value, outer });
    });
  }
}

/** What a step leads to, `undefined` when there is nothing. */
function member(value: JsonValue, accessor: string | number): JsonValue | undefined {
  if (typeof accessor === "number") return isArray(value) ? value[accessor] : undefined;
  return isObject(value) && Object.hasOwn(value, accessor) ? value[accessor] : undefined;
}

/** @param end where the part of the path ends that led to `value` */
function missing(
  value: JsonValue,
  { accessor, end: stepEnd }: { readonly accessor: string | number; readonly end: number },
  start: number,
  end: number,
): TemplateFailure {
  const span = { start, end: stepEnd };
  if (typeof accessor === "number") {
    if (!isArray(value)) return wrongType(value, "Array", { start, end });
    return new TemplateFailure("Index Error", `Index ${accessor} is out of range.`, span);
  }
  if (!isObject(value)) return wrongType(value, "Object", { start, end });
  return new TemplateFailure("Attribute Error", `'Object' has no attribute '${accessor}'.`, span);
}

function wrongType(value: JsonValue, expected: string, span: Span): TemplateFailure {
  const message = `Couldn't match expected type '${expected}' with actual type '${kindOf(value)}'.`;
  return new TemplateFailure("Type Error", message, span);
}

interface Operand {
  readonly value: JsonValue;
  readonly span: Span;
}

function applyOperator(operator: Exclude<Operator, "??">, left: Operand, right: Operand): boolean {
  switch (operator) {
    case "||":
    case "&&": {
      const [a, b] = [toBoolean(left.value, left.span), toBoolean(right.value, right.span)];
      return operator === "||" ? a || b : a && b;
    }
    case "in":
      return contains(left, right);
    case "not in":
      return !contains(left, right);
    case "==":
      return compareJson(left.value, right.value) === 0;
    case "!=":
      return compareJson(left.value, right.value) !== 0;
    case "<":
      return compareLike(left, right) < 0;
    case ">":
      return compareLike(left, right) > 0;
    case "<=":
      return compareLike(left, right) <= 0;
    case ">=":
      return compareLike(left, right) >= 0;
  }
}

function toBoolean(value: JsonValue, span: Span): boolean {
  if (typeof value === "boolean") return value;
  throw new TemplateFailure("Type Error", `'${excerpt(value)}' is not a boolean.`, span);
}

function compareLike(left: Operand, right: Operand): number {
  const expected = kindOf(left.value);
  if (kindOf(right.value) !== expected) throw wrongType(right.value, expected, right.span);
  return compareJson(left.value, right.value);
}

function contains(left: Operand, right: Operand): boolean {
  if (isArray(right.value)) return right.value.some((item) => compareJson(item, left.value) === 0);
  if (!isObject(right.value)) throw wrongType(right.value, "Array", right.span);
  if (typeof left.value !== "string") throw wrongType(left.value, "String", left.span);
  return Object.hasOwn(right.value, left.value);
}
