/**
 * Limits the evaluation of a transform's templates. Request values determine the number of `range` iterations, so work
 * is counted in steps of about a tenth of a microsecond, and the size of the result is also limited.
 */
import { TemplateFailure } from "./template-error.ts";

export interface TemplateLimits {
  readonly steps: number;
  /** Maximum length in characters of JSON text, in total for all templates of a transform. */
  readonly outputCharacters: number;
  /** Maximum number of values. A value that occurs several times in a result counts each time. */
  readonly outputValues: number;
  /** Time limit from the creation of the budget, including pauses. */
  readonly milliseconds: number;
}

/**
 * Returns the budget of a transform; the limits are documented in `docs/how-to/actions.md`.
 * @param milliseconds remaining timeout of the call
 */
export function transformBudget(milliseconds: number): Budget {
  return new Budget({
    steps: 2_000_000,
    outputCharacters: 8 * 1024 * 1024,
    outputValues: 500_000,
    milliseconds: Math.min(milliseconds, maxMilliseconds),
  });
}

const maxMilliseconds = 10_000;

/** Number of steps between two interruptions, which take less than a millisecond. */
const stepsPerTurn = 4096;

/** Number of characters that text functions process in one step. */
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
   * @returns true if the caller must yield
   * @throws TemplateFailure `Limit Error` if steps or time exceed the limits
   */
  charge(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < this.#nextTurn) return false;
    this.#nextTurn = this.#steps + stepsPerTurn;
    const { steps: maxSteps, milliseconds } = this.#limits;
    if (this.#steps > maxSteps) throw exceeded(`more than ${count(maxSteps)} steps`);
    if (performance.now() > this.#end) throw exceeded(`longer than ${count(Math.round(milliseconds))} ms`);
    return true;
  }

  /**
   * Counts a value of the result.
   * @throws TemplateFailure `Limit Error` if the output exceeds the limits
   */
  chargeOutput(characters: number): void {
    this.#characters += characters;
    this.#values++;
    const { outputCharacters, outputValues } = this.#limits;
    if (this.#characters > outputCharacters) throw outputExceeded(outputCharacters, "characters");
    if (this.#values > outputValues) throw outputExceeded(outputValues, "values");
  }
}

function outputExceeded(limit: number, unit: string): TemplateFailure {
  return new TemplateFailure("Limit Error", `The result has more than ${count(limit)} ${unit}.`);
}

function exceeded(what: string): TemplateFailure {
  return new TemplateFailure("Limit Error", `Evaluating the template takes ${what}.`);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
