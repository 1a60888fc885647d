/**
 * Bounds for evaluating the templates of one transform. Values of requests decide how often a `range` runs, so the work
 * is counted in steps of about a tenth of a microsecond, as is the size of the result.
 */
import { TemplateFailure } from "./template-error.ts";

export interface TemplateLimits {
  readonly steps: number;
  /** In characters of JSON text, over all templates of a transform. */
  readonly outputCharacters: number;
  /** A value that occurs many times in a result counts each time. */
  readonly outputValues: number;
  /** From the creation of the budget, pauses included. */
  readonly milliseconds: number;
}

/** Documented in `docs/actions.md`. @param milliseconds what is left of the timeout of the call */
export function transformBudget(milliseconds: number): Budget {
  return new Budget({
    steps: 2_000_000,
    outputCharacters: 8 * 1024 * 1024,
    outputValues: 500_000,
    milliseconds: Math.min(milliseconds, longestTransform),
  });
}

const longestTransform = 10_000;

/** Steps from one interruption to the next: less than a millisecond. */
const stepsPerTurn = 4096;

/** Characters that text functions process in the time of a step. */
const charactersPerStep = 8;

export function stepsOfText(characters: number): number {
  return Math.floor(characters / charactersPerStep);
}

export class Budget {
  readonly #limits: TemplateLimits;
  readonly #end: number;
  #steps = 0;
  #characters = 0;
  #values = 0;
  #nextTurn = stepsPerTurn;

  constructor(limits: TemplateLimits) {
    this.#limits = limits;
    this.#end = performance.now() + limits.milliseconds;
  }

  /**
   * Counts work before it is done.
   * @returns whether the caller has to yield
   * @throws TemplateFailure `Limit Error` for more steps or time than the limits allow
   */
  charge(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < this.#nextTurn) return false;
    this.#nextTurn = this.#steps + stepsPerTurn;
    const { steps: most, milliseconds } = this.#limits;
    if (this.#steps > most) throw exceeded(`more than ${count(most)} steps`);
    if (performance.now() > this.#end) throw exceeded(`longer than ${count(Math.round(milliseconds))} ms`);
    return true;
  }

  /**
   * Counts a value of the result.
   * @throws TemplateFailure `Limit Error` for more output than the limits allow
   */
  chargeOutput(characters: number): void {
    this.#characters += characters;
    this.#values++;
    const { outputCharacters, outputValues } = this.#limits;
    if (this.#characters > outputCharacters) throw tooMuch(outputCharacters, "characters");
    if (this.#values > outputValues) throw tooMuch(outputValues, "values");
  }
}

function tooMuch(most: number, unit: string): TemplateFailure {
  return new TemplateFailure("Limit Error", `The result has more than ${count(most)} ${unit}.`);
}

function exceeded(what: string): TemplateFailure {
  return new TemplateFailure("Limit Error", `Evaluating the template takes ${what}.`);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
