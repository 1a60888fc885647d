/** Compiles a syntax tree to instructions of a stack machine. */
import { assertNever, invariant } from "../../values/errors.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import { isJsonNumber } from "../../values/json-number.ts";
import { stepsOfText } from "./budget.ts";
import type { Instruction, Program } from "./evaluator.ts";
import { FunctionFailure, stepsOfCall, templateFunctions } from "./functions.ts";
import { comparison, excerpt, isArray, type JsonValue, kindOf, scalarText } from "./json-value.ts";
import { parseStringTemplate, parseTemplate } from "./parser.ts";
import type {
  Call,
  Condition,
  Interpolation,
  Node,
  ObjectNode,
  Operation,
  Operator,
  PathNode,
  Range,
  Step,
  Template,
} from "./syntax.ts";
import { mapOutcome, type Outcome, type Span, TemplateFailure } from "./template-error.ts";

/** Compiles a template. Error: `Parse Error` or `Lexer Error`. */
export function compileTemplate(source: string): Outcome<Program> {
  return mapOutcome(parseTemplate(source), programOf);
}

/** Compiles the inside of a string: URLs, headers, parameters. */
export function compileStringTemplate(text: string): Outcome<Program> {
  return mapOutcome(parseStringTemplate(text), programOf);
}

export function programOf({ source, root }: Template): Program {
  const compiler = new Compiler();
  compiler.template(root);
  return { source, instructions: compiler.instructions, spans: compiler.spans };
}

/** Variables of the enclosing `range` blocks, innermost first. */
interface Bindings {
  readonly name: string;
  readonly part: "index" | "item";
  /** Number of ranges around the range of the variable. */
  readonly depth: number;
  readonly outer: Bindings | undefined;
}

interface Label {
  position: number;
}

class Compiler {
  readonly instructions: Instruction[] = [];
  readonly spans: Span[] = [];
  #depth = 0;

  #emit(span: Span, instruction: Instruction): void {
    this.instructions.push(instruction);
    this.spans.push(span);
  }

  #place(label: Label): void {
    label.position = this.instructions.length;
  }

  #jump(span: Span, label: Label): void {
    this.#emit(span, (machine) => {
      machine.next = label.position;
    });
  }

  template(root: Node): void {
    this.#value(root, undefined);
    this.#emit(root, (machine) => machine.countOutput());
  }

  #value(node: Node, bindings: Bindings | undefined): void {
    switch (node.kind) {
      case "constant":
        this.#emit(node, (machine) => machine.push(node.value));
        break;
      case "interpolation":
        this.#interpolation(node, bindings);
        break;
      case "array":
        for (const item of node.items) this.#value(item, bindings);
        this.#emit(node, (machine) => machine.push(machine.take(node.items.length)));
        break;
      case "object":
        this.#object(node, bindings);
        break;
      case "variable":
        this.#emit(node, variable(node, bindings));
        break;
      case "path":
        this.#path(node, bindings);
        break;
      case "call":
        this.#call(node, bindings);
        break;
      case "not": {
        const { operand } = node;
        this.#value(operand, bindings);
        this.#emit(node, (machine) => machine.push(!toBoolean(machine.pop(), operand)));
        break;
      }
      case "operation":
        this.#operation(node, bindings);
        break;
      case "if":
        this.#condition(node, bindings);
        break;
      case "range":
        this.#range(node, bindings);
        break;
      default:
        assertNever(node);
    }
  }

  #object(node: ObjectNode, bindings: Bindings | undefined): void {
    for (const [, member] of node.members) this.#value(member, bindings);
    const keys = node.members.map(([key]) => key);
    // Copied for each result, whose values are then assigned: faster than adding members, and safe for `__proto__`.
    const empty: Readonly<Record<string, JsonValue>> = Object.fromEntries(keys.map((key) => [key, null]));
    this.#emit(node, (machine) => {
      const values = machine.take(keys.length);
      const object = { ...empty };
      for (const [i, value] of values.entries()) object[keys[i] as string] = value;
      machine.push(object);
    });
  }

  #interpolation(node: Interpolation, bindings: Bindings | undefined): void {
    for (const part of node.parts) {
      if (typeof part === "string") {
        this.#emit(node, (machine) => machine.push(part));
      } else {
        this.#value(part, bindings);
        this.#emit(part, (machine) => {
          const text = textOf(machine.pop(), part);
          machine.charge(stepsOfText(text.length));
          machine.push(text);
        });
      }
    }
    const count = node.parts.length;
    if (count > 1) this.#emit(node, (machine) => machine.push(machine.take(count).join("")));
  }

  #path({ base, steps }: PathNode, bindings: Bindings | undefined): void {
    this.#value(base, bindings);
    const end: Label = { position: 0 };
    let walked: Span = base;
    for (const step of steps) {
      if (typeof step.accessor === "object") {
        this.#value(step.accessor, bindings);
        this.#emit(step.accessor, computedStep(step, step.accessor, walked, end));
      } else {
        this.#emit(base, fixedStep(step, step.accessor, walked, end));
      }
      walked = { start: base.start, end: step.end };
    }
    this.#place(end);
  }

  #call(node: Call, bindings: Bindings | undefined): void {
    const { name, argument } = node;
    if (!templateFunctions.has(name)) {
      this.#emit(node, ({ scope }) => {
        if (!scope.functions.has(name))
          throw new TemplateFailure("Name Error", `Function '${name}' not in scope.`, node);
      });
    }
    this.#value(argument, bindings);
    this.#emit(node, (machine) => {
      const called = machine.scope.functions.get(name) ?? templateFunctions.get(name);
      invariant(called, "a function is missing");
      const value = machine.pop();
      machine.charge(stepsOfCall(name, value));
      try {
        machine.push(called(value));
      } catch (thrown) {
        if (!(thrown instanceof FunctionFailure)) throw thrown;
        throw new TemplateFailure("Function Error", thrown.message, node);
      }
    });
  }

  #operation({ first, rest, start }: Operation, bindings: Bindings | undefined): void {
    this.#value(first, bindings);
    let left: Span = first;
    for (const { operator, operand } of rest) {
      // Only `??` does not always evaluate its right side.
      if (operator === "??") {
        const end: Label = { position: 0 };
        this.#emit(operand, (machine) => {
          const value = machine.pop();
          if (value === null) return;
          machine.push(value);
          machine.next = end.position;
        });
        this.#value(operand, bindings);
        this.#place(end);
      } else {
        this.#value(operand, bindings);
        this.#emit({ start, end: operand.end }, operation(operator, left, operand));
      }
      left = { start, end: operand.end };
    }
  }

  #condition(node: Condition, bindings: Bindings | undefined): void {
    const end: Label = { position: 0 };
    for (const { condition, value } of node.branches) {
      const otherwise: Label = { position: 0 };
      this.#value(condition, bindings);
      this.#emit(condition, (machine) => {
        if (!toBoolean(machine.pop(), condition)) machine.next = otherwise.position;
      });
      this.#value(value, bindings);
      this.#jump(node, end);
      this.#place(otherwise);
    }
    this.#value(node.otherwise, bindings);
    this.#place(end);
  }

  #range(node: Range, bindings: Bindings | undefined): void {
    const { index, item, list, body } = node;
    this.#value(list, bindings);
    const [start, end]: [Label, Label] = [{ position: 0 }, { position: 0 }];
    this.#emit(node, (machine) => {
      const values = machine.pop();
      if (!isArray(values)) throw new TemplateFailure("Range Error", "Can only range over an array", list);
      if (values.length > 0) {
        machine.loops.push({ values, results: [], position: 0 });
      } else {
        machine.push([]);
        machine.next = end.position;
      }
    });
    this.#place(start);
    const depth = this.#depth++;
    const outer: Bindings | undefined =
      index === undefined ? bindings : { name: index, part: "index", depth, outer: bindings };
    this.#value(body, { name: item, part: "item", depth, outer });
    this.#depth--;
    this.#emit(node, (machine) => {
      const loop = machine.loops[depth];
      invariant(loop, "a range has not begun");
      loop.results.push(machine.pop());
      loop.position++;
      if (loop.position < loop.values.length) {
        machine.next = start.position;
      } else {
        machine.loops.pop();
        machine.push(loop.results);
      }
    });
    this.#place(end);
  }
}

function variable(node: Span & { readonly name: string }, bindings: Bindings | undefined): Instruction {
  for (let binding = bindings; binding !== undefined; binding = binding.outer) {
    if (binding.name !== node.name) continue;
    const { depth, part } = binding;
    return (machine) => {
      const loop = machine.loops[depth];
      invariant(loop, "a range has not begun");
      machine.push(part === "index" ? loop.position : (loop.values[loop.position] as JsonValue));
    };
  }
  return (machine) => {
    const value = machine.scope.variables.get(node.name);
    if (value === undefined) throw new TemplateFailure("Name Error", `Variable '${node.name}' not in scope.`, node);
    machine.push(value);
  };
}

/**
 * Returns the instruction for a step whose accessor is a literal.
 * @param walked the part of the path before the step
 * @param end the end of the path
 */
function fixedStep(step: Step, accessor: string | number, walked: Span, end: Label): Instruction {
  return (machine) => {
    const value = machine.pop();
    const found = member(value, accessor);
    if (found !== undefined) return machine.push(found);
    if (!step.optional) throw missing(value, accessor, walked, step.end);
    machine.push(null);
    machine.next = end.position;
  };
}

/** Returns the instruction for a step whose accessor is on the stack; the accessor `null` finds nothing. */
function computedStep(step: Step, place: Span, walked: Span, end: Label): Instruction {
  return (machine) => {
    const accessor = machine.pop();
    if (accessor !== null && typeof accessor !== "string" && typeof accessor !== "number") {
      throw wrongType(accessor, "String", place);
    }
    const value = machine.pop();
    const found = accessor === null ? undefined : member(value, accessor);
    if (found !== undefined) return machine.push(found);
    if (!step.optional) throw missing(value, accessor ?? "null", walked, step.end);
    machine.push(null);
    machine.next = end.position;
  };
}

/** Returns the member, or `undefined` if it does not exist. */
function member(value: JsonValue, accessor: string | number): JsonValue | undefined {
  if (typeof accessor === "number") return isArray(value) ? value[accessor] : undefined;
  return isObject(value) && Object.hasOwn(value, accessor) ? value[accessor] : undefined;
}

/**
 * Returns the failure of a step that finds no member.
 * @param walked the part of the path that led to `value`
 */
function missing(value: JsonValue, accessor: string | number, walked: Span, end: number): TemplateFailure {
  const span = { start: walked.start, end };
  if (typeof accessor === "number") {
    if (!isArray(value)) return wrongType(value, "Array", walked);
    return new TemplateFailure("Index Error", `Index ${accessor} is out of range.`, span);
  }
  if (!isObject(value)) return wrongType(value, "Object", walked);
  return new TemplateFailure("Attribute Error", `'Object' has no attribute '${accessor}'.`, span);
}

function wrongType(value: JsonValue, expected: string, span: Span): TemplateFailure {
  const message = `Couldn't match expected type '${expected}' with actual type '${kindOf(value)}'.`;
  return new TemplateFailure("Type Error", message, span);
}

function toBoolean(value: JsonValue, span: Span): boolean {
  if (typeof value === "boolean") return value;
  throw new TemplateFailure("Type Error", `'${excerpt(value)}' is not a boolean.`, span);
}

function textOf(value: JsonValue, span: Span): string {
  if (value === null) return "null";
  if (typeof value === "string" || typeof value === "boolean" || isJsonNumber(value)) return scalarText(value);
  throw new TemplateFailure("Type Error", `Cannot interpolate type: '${kindOf(value)}'.`, span);
}

function operation(operator: Exclude<Operator, "??">, left: Span, right: Span): Instruction {
  switch (operator) {
    case "||":
      return logical(left, right, (a, b) => a || b);
    case "&&":
      return logical(left, right, (a, b) => a && b);
    case "in":
      return containment(left, right, true);
    case "not in":
      return containment(left, right, false);
    case "==":
      return comparing(undefined, (order) => order === 0);
    case "!=":
      return comparing(undefined, (order) => order !== 0);
    case "<":
      return comparing(right, (order) => order < 0);
    case ">":
      return comparing(right, (order) => order > 0);
    case "<=":
      return comparing(right, (order) => order <= 0);
    case ">=":
      return comparing(right, (order) => order >= 0);
  }
}

function logical(left: Span, right: Span, combine: (left: boolean, right: boolean) => boolean): Instruction {
  return (machine) => {
    const [b, a] = [machine.pop(), machine.pop()];
    const isLeft = toBoolean(a, left);
    machine.push(combine(isLeft, toBoolean(b, right)));
  };
}

/**
 * Returns the instruction that compares two values.
 * @param like position of the right operand if it must have the type of the left one
 */
function comparing(like: Span | undefined, test: (order: number) => boolean): Instruction {
  return (machine) => {
    const [b, a] = [machine.pop(), machine.pop()];
    if (like && kindOf(b) !== kindOf(a)) throw wrongType(b, kindOf(a), like);
    machine.finish(converted(comparison(a, b, machine.budget), test));
  };
}

function containment(left: Span, right: Span, expected: boolean): Instruction {
  return (machine) => {
    const [container, value] = [machine.pop(), machine.pop()];
    if (isArray(container)) {
      machine.finish(converted(machine.contains(container, value), (isIn) => isIn === expected));
      return;
    }
    if (!isObject(container)) throw wrongType(container, "Array", right);
    if (typeof value !== "string") throw wrongType(value, "String", left);
    machine.push(Object.hasOwn(container, value) === expected);
  };
}

function* converted<T, R>(work: Interruptible<T>, convert: (value: T) => R): Interruptible<R> {
  return convert(yield* work);
}
