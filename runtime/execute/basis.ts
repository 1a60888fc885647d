/**
 * The Generation that an operation was planned on, which it may go by to its end: unless the process stood still
 * meanwhile, and others took away what it allows.
 */
import type { Continuity } from "../ports/continuity.ts";
import type { AnswerBasis } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";
import type { Generation } from "./generation.ts";

export class Basis implements AnswerBasis {
  readonly generation: Generation;
  readonly #current: () => Generation;
  readonly #continuity: Continuity;
  readonly #standstills: number;
  #hasRefused = false;

  /** Of an operation that begins now: there is nothing to wait for (`Continuity.settled`). */
  constructor(generation: Generation, current: () => Generation, continuity: Continuity) {
    this.generation = generation;
    this.#current = current;
    this.#continuity = continuity;
    this.#standstills = continuity.standstills;
  }

  /** Something was not sent because it does not hold any more. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  holds(): true | Promise<boolean> {
    const settled = this.#continuity.settled();
    if (settled === undefined && this.#continuity.standstills === this.#standstills) return true;
    return this.#holdsWhen(settled);
  }

  /** Before something is sent that cannot be taken back. @throws EngineError when it does not hold any more */
  check(): Promise<void> | undefined {
    const holds = this.holds();
    return holds === true ? undefined : this.#checkWhen(holds);
  }

  async #holdsWhen(settled: Promise<void> | undefined): Promise<boolean> {
    await settled;
    return this.#current() === this.generation;
  }

  async #checkWhen(holding: Promise<boolean>): Promise<void> {
    if (await holding) return;
    this.#hasRefused = true;
    throw overtaken();
  }
}

/** The answer to what cannot be begun anew on other metadata. */
function overtaken(): EngineError {
  const message = "the metadata was changed while this server stood still, so the operation was not carried out";
  return new EngineError("conflict", "$", message, { status: 409 });
}
