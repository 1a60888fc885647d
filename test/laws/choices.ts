/** Random choices of one example, drawn from fast-check: the same seed makes the same ones, and failures shrink. */
import fc from "fast-check";

const number = (min: number, max: number): fc.Arbitrary<number> => fc.noBias(fc.integer({ min, max }));

export class Choices {
  readonly #draw: fc.GeneratorValue;

  constructor(draw: fc.GeneratorValue) {
    this.#draw = draw;
  }

  /** A whole number, both ends included. */
  number(min: number, max: number): number {
    return min === max ? min : this.#draw(number, min, max);
  }

  /** @param percent how often it is true; examples shrink towards false */
  chance(percent: number): boolean {
    return this.number(0, 99) >= 100 - percent;
  }

  pick<T>(from: readonly T[]): T {
    const index = this.number(0, from.length - 1);
    if (from.length === 0) throw new Error("there is nothing to pick from");
    return from[index] as T;
  }

  /** The same, of what may be nothing. */
  pickMaybe<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : this.pick(from);
  }

  /** Some of them, in their order. */
  some<T>(from: readonly T[], percent = 50): T[] {
    return from.filter(() => this.chance(percent));
  }

  /** Some of them, each once, in any order. */
  shuffled<T>(from: readonly T[], count: number = from.length): T[] {
    const rest = [...from];
    const taken: T[] = [];
    while (rest.length > 0 && taken.length < count) taken.push(...rest.splice(this.number(0, rest.length - 1), 1));
    return taken;
  }

  list<T>(min: number, max: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.number(min, max) }, (_, index) => make(index));
  }

  maybe<T>(percent: number, make: () => T): T | undefined {
    return this.chance(percent) ? make() : undefined;
  }
}

/** An arbitrary of what a function makes of choices. */
export function chosen<T>(make: (choices: Choices) => T): fc.Arbitrary<T> {
  return fc.gen().map((draw) => make(new Choices(draw)));
}
