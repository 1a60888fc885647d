/** How much memory the joins of one request may take: one key can stand in many places, its value takes all of them. */
import { EngineError } from "../../values/errors.ts";

/** An answer of this size takes seconds to be sent; twice as many characters do not fit into a string. */
const mostJoinedCharacters = 200_000_000;

export class JoinMemory {
  readonly #most: number;
  #taken = 0;

  /** @param most in characters */
  constructor(most: number = mostJoinedCharacters) {
    this.#most = Math.min(most, mostJoinedCharacters);
  }

  /** @throws EngineError `validation-failed` where it is too much */
  take(characters: number): void {
    this.#taken += characters;
    if (this.#taken <= this.#most) return;
    const message = `the values that remote relationships lead to have more than ${this.#most} characters`;
    throw new EngineError("validation-failed", "$", `${message}: select fewer rows or fields`);
  }
}
