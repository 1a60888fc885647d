/** A syntax tree and a scope → a JSON value (`automation.md` D.5, "Semantics"). */
import { assertNever } from "../values/errors.ts";
import type { Interruptible } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";
import { isJsonNumber } from "../values/json-number.ts";
import { type Budget, charactersPerStep } from "./budget.ts";
import { FunctionFailure, stepsOfCall, type TemplateFunction, templateFunctions } from "./functions.ts";
import { comparison, excerpt, isArray, type JsonValue, kindOf, scalarText } from "./json-value.ts";
import { listIndex } from "./list-index.ts";
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
import { interruptibleOutcome, type Outcome, type Span, TemplateFailure } from "./template-error.ts";

/** What a template may name. */
export interface Scope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** In addition to those that every template has. */
  readonly functions: ReadonlyMap<string, TemplateFunction>;
}

/** Evaluates a template. It terminates, changes nothing and fails with template errors only. */
export function evaluate({ source, root }: Template, scope: Scope, budget: Budget): Interruptible<Outcome<JsonValue>> {
  return interruptibleOutcome(source, result(root, scope, budget));
}

function* result(root: Node, scope: Scope, budget: Budget): Interruptible<JsonValue> {
  const value = yield* new Evaluator(scope, budget).value(root, undefined);
  yield* measure(value, budget);
  return value;
}

/** Counts the characters of the JSON text. A value may occur in a result many times, and is counted each time. */
function* measure(value: JsonValue, budget: Budget): Interruptible<void> {
  const pending: JsonValue[] = [value];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    if (budget.charge(1)) yield;
    if (typeof each === "string") {
      budget.chargeOutput(each.length + 2);
    } else if (isArray(each)) {
      budget.chargeOutput(each.length + 2);
      for (const item of each) pending.push(item);
    } else if (isObject(each)) {
      const members = Object.entries(each);
      budget.chargeOutput(members.reduce((sum, [key]) => sum + key.length + 4, 2));
      for (const [, member] of members) pending.push(member);
    } else {
      budget.chargeOutput(each === null ? 4 : scalarText(each).length);
    }
  }
}

/** The variables of the `range` blocks around a place, innermost first. */
interface Bindings {
  readonly name: string;
  readonly value: JsonValue;
  readonly outer: Bindings | undefined;
}

class Evaluator {
  readonly #scope: Scope;
  readonly #budget: Budget;
  readonly #contains: ReturnType<typeof listIndex>;

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope;
    this.#budget = budget;
    this.#contains = listIndex(budget);
  }

  *value(node: Node, bindings: Bindings | undefined): Interruptible<JsonValue> {
    if (this.#budget.charge(1, node)) yield;
    switch (node.kind) {
      case "constant":
        return node.value;
      case "interpolation":
        return yield* this.#interpolation(node, bindings);
      case "array": {
        const items: JsonValue[] = [];
        for (const item of node.items) items.push(yield* this.value(item, bindings));
        return items;
      }
      case "object": {
        const members: [string, JsonValue][] = [];
        for (const [key, member] of node.members) members.push([key, yield* this.value(member, bindings)]);
        return Object.fromEntries(members);
      }
      case "variable":
        return this.#variable(node, bindings);
      case "path":
        return yield* this.#path(node, bindings);
      case "call":
        return yield* this.#call(node, bindings);
      case "not":
        return yield* this.#not(node, bindings);
      case "operation":
        return yield* this.#operation(node, bindings);
      case "if":
        return yield* this.#condition(node, bindings);
      case "range":
        return yield* this.#range(node, bindings);
      default:
        return assertNever(node);
    }
  }

  *#interpolation(node: Interpolation, bindings: Bindings | undefined): Interruptible<string> {
    const texts: string[] = [];
    for (const part of node.parts) {
      const text = typeof part === "string" ? part : yield* this.#text(part, bindings);
      if (this.#budget.charge(text.length / charactersPerStep, node)) yield;
      texts.push(text);
    }
    return texts.join("");
  }

  *#text(node: Node, bindings: Bindings | undefined): Interruptible<string> {
    const value = yield* this.value(node, bindings);
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

  *#path({ base, steps }: PathNode, bindings: Bindings | undefined): Interruptible<JsonValue> {
    let value = yield* this.value(base, bindings);
    let end = base.end;
    for (const step of steps) {
      const accessor = yield* this.#accessor(step, bindings);
      const found = accessor === null ? undefined : member(value, accessor);
      if (found === undefined && step.optional) return null;
      if (found === undefined) throw missing(value, { accessor: accessor ?? "null", end: step.end }, base.start, end);
      value = found;
      end = step.end;
    }
    return value;
  }

  /** `null`: it leads nowhere. */
  *#accessor({ accessor }: Step, bindings: Bindings | undefined): Interruptible<string | number | null> {
    if (typeof accessor !== "object") return accessor;
    const value = yield* this.value(accessor, bindings);
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    throw wrongType(value, "String", accessor);
  }

  *#call(node: Call, bindings: Bindings | undefined): Interruptible<JsonValue> {
    const called = this.#scope.functions.get(node.name) ?? templateFunctions.get(node.name);
    if (called === undefined) throw new TemplateFailure("Name Error", `Function '${node.name}' not in scope.`, node);
    const argument = yield* this.value(node.argument, bindings);
    if (this.#budget.charge(stepsOfCall(node.name, argument), node)) yield;
    try {
      return called(argument);
    } catch (thrown) {
      if (!(thrown instanceof FunctionFailure)) throw thrown;
      throw new TemplateFailure("Function Error", thrown.message, node);
    }
  }

  *#not({ operand }: Not, bindings: Bindings | undefined): Interruptible<boolean> {
    return !toBoolean(yield* this.value(operand, bindings), operand);
  }

  *#operation({ first, rest, start }: Operation, bindings: Bindings | undefined): Interruptible<JsonValue> {
    let left = yield* this.value(first, bindings);
    let span: Span = first;
    for (const { operator, operand } of rest) {
      // The only operator that does not always evaluate its right side.
      if (operator === "??") {
        left ??= yield* this.value(operand, bindings);
      } else {
        const right = yield* this.value(operand, bindings);
        left = yield* this.#apply(operator, { value: left, span }, { value: right, span: operand });
      }
      span = { start, end: operand.end };
    }
    return left;
  }

  *#apply(operator: Exclude<Operator, "??">, left: Operand, right: Operand): Interruptible<boolean> {
    switch (operator) {
      case "||":
      case "&&": {
        const [a, b] = [toBoolean(left.value, left.span), toBoolean(right.value, right.span)];
        return operator === "||" ? a || b : a && b;
      }
      case "in":
        return yield* this.#isIn(left, right);
      case "not in":
        return !(yield* this.#isIn(left, right));
      case "==":
        return (yield* comparison(left.value, right.value, this.#budget)) === 0;
      case "!=":
        return (yield* comparison(left.value, right.value, this.#budget)) !== 0;
      case "<":
        return (yield* this.#compareLike(left, right)) < 0;
      case ">":
        return (yield* this.#compareLike(left, right)) > 0;
      case "<=":
        return (yield* this.#compareLike(left, right)) <= 0;
      case ">=":
        return (yield* this.#compareLike(left, right)) >= 0;
    }
  }

  *#compareLike(left: Operand, right: Operand): Interruptible<number> {
    const expected = kindOf(left.value);
    if (kindOf(right.value) !== expected) throw wrongType(right.value, expected, right.span);
    return yield* comparison(left.value, right.value, this.#budget);
  }

  *#isIn(left: Operand, right: Operand): Interruptible<boolean> {
    if (isArray(right.value)) return yield* this.#contains(right.value, left.value);
    if (!isObject(right.value)) throw wrongType(right.value, "Array", right.span);
    if (typeof left.value !== "string") throw wrongType(left.value, "String", left.span);
    return Object.hasOwn(right.value, left.value);
  }

  *#condition({ branches, otherwise }: Condition, bindings: Bindings | undefined): Interruptible<JsonValue> {
    for (const { condition, value } of branches) {
      if (toBoolean(yield* this.value(condition, bindings), condition)) return yield* this.value(value, bindings);
    }
    return yield* this.value(otherwise, bindings);
  }

  *#range({ index, item, list, body }: Range, bindings: Bindings | undefined): Interruptible<JsonValue> {
    const values = yield* this.value(list, bindings);
    if (!isArray(values)) throw new TemplateFailure("Range Error", "Can only range over an array", list);
    const results: JsonValue[] = [];
    for (const [position, value] of values.entries()) {
      const outer = index === undefined ? bindings : { name: index, value: position, outer: bindings };
      results.push(yield* this.value(body, { name: item, value, outer }));
    }
    return results;
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

function toBoolean(value: JsonValue, span: Span): boolean {
  if (typeof value === "boolean") return value;
  throw new TemplateFailure("Type Error", `'${excerpt(value)}' is not a boolean.`, span);
}
