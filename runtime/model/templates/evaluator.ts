/** Evaluates programs: a stack machine that can pause between instructions. */
import { invariant } from "../../values/errors.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import type { Budget } from "./budget.ts";
import type { TemplateFunction } from "./functions.ts";
import { comparison, isArray, isContainer, type JsonScalar, type JsonValue, scalarText } from "./json-value.ts";
import { failed, type Outcome, type Span } from "./template-error.ts";

/** Names available to a template. */
export interface Scope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Functions besides the built-in ones. */
  readonly functions: ReadonlyMap<string, TemplateFunction>;
}

/** A compiled template. It leaves its value on the stack. */
export interface Program {
  readonly source: string;
  readonly instructions: readonly Instruction[];
  /** Position of each instruction in the source. */
  readonly spans: readonly Span[];
}

export type Instruction = (machine: Machine) => void;

/** Outcomes by template. */
export type Evaluated = ReadonlyMap<Program, Outcome<JsonValue>>;

/** Evaluates templates. It terminates, has no side effects, and fails only with template errors. */
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

export function outcomeOf(program: Program, evaluated: Evaluated): Outcome<JsonValue> {
  const outcome = evaluated.get(program);
  invariant(outcome, "a template is not evaluated");
  return outcome;
}

/** Counts the characters of the JSON text. A value that occurs several times in a result counts each time. */
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

/** State of a `range` during evaluation. */
interface Loop {
  readonly values: readonly JsonValue[];
  readonly results: JsonValue[];
  /** Index of the current item. */
  position: number;
}

/** Evaluates templates one after another. It can pause between instructions, and within long ones. */
class Machine {
  readonly scope: Scope;
  readonly budget: Budget;
  /** State of the ranges around the instruction, outermost first. */
  loops: Loop[] = [];
  /** Index of the next instruction. */
  next = 0;
  #stack: JsonValue[] = [];
  /** Remaining work of the last instruction. */
  #work: Interruptible<JsonValue> | undefined;
  #isPauseDue = false;
  #contains: ReturnType<typeof listIndex> | undefined;

  constructor(scope: Scope, budget: Budget) {
    this.scope = scope;
    this.budget = budget;
  }

  /**
   * Starts a program.
   * @returns `undefined` for a pause
   */
  start(program: Program): Outcome<JsonValue> | undefined {
    this.next = 0;
    return this.resume(program);
  }

  /**
   * Continues after a pause.
   * @returns `undefined` for another pause
   */
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

  /** Pops values; returns them in the order in which they were pushed. */
  take(count: number): JsonValue[] {
    return this.#stack.splice(this.#stack.length - count, count);
  }

  /** Counts work of an instruction before it is done. */
  charge(steps: number): void {
    if (this.budget.charge(steps)) this.#isPauseDue = true;
  }

  countOutput(): void {
    const value = this.pop();
    if (isContainer(value)) {
      this.finish(counted(value, this.budget));
    } else {
      this.budget.chargeOutput(lengthOf(value));
      this.push(value);
    }
  }

  /** Runs the work, and pushes its result before the next instruction. */
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

// Membership in lists (`in`). Lists that are searched more than once are indexed, so that a `range` over one takes
// linear time.

interface Index {
  /** Strings, booleans, null and numbers that JavaScript represents exactly. */
  readonly plain: ReadonlySet<JsonValue>;
  readonly others: readonly JsonValue[];
}

/** Minimum length of an indexed list. Shorter lists are searched faster without an index. */
const minIndexedLength = 16;

/** Returns a search function that caches indexes by identity of the list. */
function listIndex(budget: Budget): (list: readonly JsonValue[], value: JsonValue) => Interruptible<boolean> {
  const indexes = new Map<readonly JsonValue[], Index>();
  return function* contains(list, value) {
    if (list.length < minIndexedLength || !isPlain(value)) return yield* search(list, value, budget);
    let index = indexes.get(list);
    if (index === undefined) {
      if (budget.charge(list.length)) yield;
      index = { plain: new Set(list.filter(isPlain)), others: list.filter((item) => !isPlain(item)) };
      indexes.set(list, index);
    }
    return index.plain.has(value) || (yield* search(index.others, value, budget));
  };
}

function* search(list: readonly JsonValue[], value: JsonValue, budget: Budget): Interruptible<boolean> {
  for (const item of list) if ((yield* comparison(item, value, budget)) === 0) return true;
  return false;
}

function isPlain(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}
