/** Random choices of one example, drawn from fast-check: equal seeds yield equal choices, and failures shrink. */
import fc from "fast-check";

const number = (min: number, max: number): fc.Arbitrary<number> => fc.noBias(fc.integer({ min, max }));

export class Choices {
  readonly #draw: fc.GeneratorValue;

  constructor(draw: fc.GeneratorValue) {
    this.#draw = draw;
  }

  /** Draws an integer, both ends included. */
  number(min: number, max: number): number {
    return min === max ? min : this.#draw(number, min, max);
  }

  /** Returns true sometimes. Examples shrink towards false. @param percent probability in percent */
  chance(percent: number): boolean {
    return this.number(0, 99) >= 100 - percent;
  }

  pick<T>(from: readonly T[]): T {
    const index = this.number(0, from.length - 1);
    if (from.length === 0) throw new Error("there is nothing to pick from");
    return from[index] as T;
  }

  /** Picks a value; `undefined` if the list is empty. */
  pickMaybe<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : this.pick(from);
  }

  /** Picks some of the items, in order. */
  some<T>(from: readonly T[], percent = 50): T[] {
    return from.filter(() => this.chance(percent));
  }

  /** Picks items in random order, each at most once. */
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

/** Returns an arbitrary of the values that a function builds from choices. */
export function chosen<T>(make: (choices: Choices) => T): fc.Arbitrary<T> {
  return fc.gen().map((draw) => make(new Choices(draw)));
}
