/** A program and a scope → a JSON value: a stack machine that can pause between two instructions. */
import { invariant } from "../../values/errors.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import type { Budget } from "./budget.ts";
import type { TemplateFunction } from "./functions.ts";
import { isArray, isContainer, type JsonScalar, type JsonValue, scalarText } from "./json-value.ts";
import { listIndex } from "./list-index.ts";
import { failed, type Outcome, type Span } from "./template-error.ts";

/** What a template may name. */
export interface Scope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** In addition to those that every template has. */
  readonly functions: ReadonlyMap<string, TemplateFunction>;
}

/** A compiled template. Takes values from a stack and leaves the value of the template there. */
export interface Program {
  readonly source: string;
  readonly instructions: readonly Instruction[];
  /** Where each instruction stands in the source. */
  readonly spans: readonly Span[];
}

export type Instruction = (machine: Machine) => void;

/** By template. */
export type Evaluated = ReadonlyMap<Program, Outcome<JsonValue>>;

/** Evaluates templates. It terminates, changes nothing and fails with template errors only. */
export function* evaluate(programs: readonly Program[], scope: Scope, budget: Budget): Interruptible<Evaluated> {
  const outcomes = new Map<Program, Outcome<JsonValue>>();
  const machine = new Machine(scope, budget);
  for (const program of programs) {
    let outcome = machine.start(program);
    while (outcome === undefined) {
      yield;
      outcome = machine.resume(program);
    }
    outcomes.set(program, outcome);
  }
  return outcomes;
}

/** The outcome of one of the templates. */
export function outcomeOf(program: Program, evaluated: Evaluated): Outcome<JsonValue> {
  const outcome = evaluated.get(program);
  invariant(outcome, "a template is not evaluated");
  return outcome;
}

/** Counts the characters of the JSON text. A value may occur in a result many times, and is counted each time. */
function* counted(value: JsonValue, budget: Budget): Interruptible<JsonValue> {
  const pending: JsonValue[] = [value];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    if (budget.charge(1)) yield;
    if (isArray(each)) {
      budget.chargeOutput(each.length + 2);
      for (const item of each) pending.push(item);
    } else if (isObject(each)) {
      let characters = 2;
      for (const key in each) {
        characters += key.length + 4;
        pending.push(each[key] as JsonValue);
      }
      budget.chargeOutput(characters);
    } else {
      budget.chargeOutput(lengthOf(each));
    }
  }
  return value;
}

function lengthOf(value: JsonScalar): number {
  if (typeof value === "string") return value.length + 2;
  return value === null ? 4 : scalarText(value).length;
}

/** A range that is being evaluated. */
interface Loop {
  readonly values: readonly JsonValue[];
  readonly results: JsonValue[];
  /** Of the item that the body is evaluated for. */
  position: number;
}

/** Evaluates one template after the other. Pauses are between two instructions, or within a long one. */
class Machine {
  readonly scope: Scope;
  readonly budget: Budget;
  /** The ranges around the instruction, outermost first. */
  loops: Loop[] = [];
  /** The position of the next instruction. */
  next = 0;
  #stack: JsonValue[] = [];
  /** The rest of the last instruction. */
  #work: Interruptible<JsonValue> | undefined;
  #isPauseDue = false;
  #contains: ReturnType<typeof listIndex> | undefined;

  constructor(scope: Scope, budget: Budget) {
    this.scope = scope;
    this.budget = budget;
  }

  /** @returns undefined for a pause */
  start(program: Program): Outcome<JsonValue> | undefined {
    this.next = 0;
    return this.resume(program);
  }

  /** Continues after a pause. @returns undefined for another one */
  resume({ source, instructions, spans }: Program): Outcome<JsonValue> | undefined {
    const work = this.#work;
    this.#work = undefined;
    try {
      if (work !== undefined) this.finish(work);
      for (;;) {
        if (this.#isPauseDue) {
          this.#isPauseDue = false;
          return undefined;
        }
        const run = instructions[this.next];
        if (run === undefined) return { ok: true, value: this.pop() };
        this.next++;
        this.charge(1);
        run(this);
      }
    } catch (thrown) {
      this.#stack = [];
      this.loops = [];
      return failed(source, thrown, spans[this.next - 1]);
    }
  }

  push(value: JsonValue): void {
    this.#stack.push(value);
  }

  pop(): JsonValue {
    const value = this.#stack.pop();
    invariant(value !== undefined, "the stack of a template is empty");
    return value;
  }

  /** Takes this many values, in the order in which they came. */
  take(count: number): JsonValue[] {
    return this.#stack.splice(this.#stack.length - count, count);
  }

  /** Counts work of the instruction before it is done. */
  charge(steps: number): void {
    if (this.budget.charge(steps)) this.#isPauseDue = true;
  }

  /** Counts the result of the template. */
  countOutput(): void {
    const value = this.pop();
    if (isContainer(value)) {
      this.finish(counted(value, this.budget));
    } else {
      this.budget.chargeOutput(lengthOf(value));
      this.push(value);
    }
  }

  /** Puts onto the stack what the work returns, before the next instruction. */
  finish(work: Interruptible<JsonValue>): void {
    const { done, value } = work.next();
    if (done) {
      this.push(value);
    } else {
      this.#work = work;
      this.#isPauseDue = true;
    }
  }

  contains(list: readonly JsonValue[], value: JsonValue): Interruptible<boolean> {
    this.#contains ??= listIndex(this.budget);
    return this.#contains(list, value);
  }
}
