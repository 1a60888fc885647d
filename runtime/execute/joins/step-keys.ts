/** The keys of one step, each once, and the values that they lead to. */
import type { JoinStep, StepPlace } from "../../model/planner/joins/join-plan.ts";
import { membersOf } from "../json-text.ts";

/** Of one place of a step. */
export class PlaceKeys {
  /** JSON texts in the order of the keys; `null`: there is nothing. */
  values: readonly (string | null)[] = [];
  readonly #keys: number;
  readonly #positions = new Map<string, number>();

  constructor({ keys }: StepPlace) {
    this.#keys = keys;
  }

  /** @returns the position of the keys; -1: one of them is null, and nobody is asked */
  add(keys: string): number {
    const known = this.#positions.get(keys);
    if (known !== undefined) return known;
    if (this.#holdNull(keys)) return -1;
    const position = this.#positions.size;
    this.#positions.set(keys, position);
    return position;
  }

  texts(): readonly string[] {
    return [...this.#positions.keys()];
  }

  #holdNull(keys: string): boolean {
    if (this.#keys === 1) return keys === "null";
    if (!keys.includes("null")) return false;
    return keys === "null" || [...membersOf(keys, 0)].some(({ from, to }) => keys.slice(from, to) === "null");
  }
}

export class KeysOfStep {
  readonly step: JoinStep;
  readonly places: readonly PlaceKeys[];

  constructor(step: JoinStep) {
    this.step = step;
    this.places = step.places.map((place) => new PlaceKeys(place));
  }
}
