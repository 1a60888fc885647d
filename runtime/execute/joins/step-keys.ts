/** Collects the distinct keys of one step, and their fetched values. */
import type { JoinStep, StepPlace } from "../../model/planner/joins/join-plan.ts";
import { membersOf } from "../../values/json/positions.ts";
import { type Faults, noFaults } from "./faults.ts";

/** The keys of one location. */
export class PlaceKeys {
  /** JSON texts in the order of the keys; `null` if a key has no value. */
  values: readonly (string | null)[] = [];
  faults: Faults = noFaults;
  readonly #keys: number;
  readonly #positions = new Map<string, number>();

  constructor({ keys }: StepPlace) {
    this.#keys = keys;
  }

  /**
   * Adds a key.
   * @returns the index of the key; -1 if a part of it is null, which matches nothing
   */
  add(keys: string): number {
    const existing = this.#positions.get(keys);
    if (existing !== undefined) return existing;
    if (this.#hasNull(keys)) return -1;
    const position = this.#positions.size;
    this.#positions.set(keys, position);
    return position;
  }

  texts(): readonly string[] {
    return [...this.#positions.keys()];
  }

  #hasNull(keys: string): boolean {
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
