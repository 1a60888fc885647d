/**
 * Joins values to JSON texts: finds the keys in them, fetches each distinct key once, and replaces keys by the fetched
 * values. Nested joins are applied to fetched values first.
 */
import type { JoinPlaces, JoinStep } from "../../model/planner/joins/join-plan.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import { runInSlices } from "../../values/interruptible.ts";
import { type Fault, type Faults, faultsAt, noFaults, pathsIn } from "./faults.ts";
import { type Edit, findKeys, type KeysOf } from "./find-keys.ts";
import { KeysOfStep } from "./step-keys.ts";

/** The JSON of a value, with the locations of its keys. */
export interface PlacedText {
  readonly text: string;
  readonly places: JoinPlaces;
}

/** Distinct keys to fetch, by location. */
export type StepKeys = readonly (readonly string[])[];

/** JSON texts by location and key; `null` if a key has no value. */
type StepValues = readonly (readonly (string | null)[])[];

export interface StepResult {
  readonly values: StepValues;
  /** Faults of keys by location; absent if there are none. */
  readonly faults?: readonly Faults[];
}

export interface JoinRun {
  readonly steps: readonly JoinStep[];
  /**
   * Fetches the values of the keys of a step.
   * @throws EngineError if the whole step fails
   */
  readonly fetch: (step: JoinStep, keys: StepKeys) => Promise<StepResult>;
  readonly memory: JoinMemory;
}

export interface JoinedTexts {
  readonly texts: readonly string[];
  /** Faults by index of the text. */
  readonly faults: Faults;
}

/**
 * Joins values to texts. All texts with keys of the same step must be passed together.
 * @throws EngineError as `fetch` does, or if the joined values exceed the memory limit
 */
export async function joinTexts(texts: readonly PlacedText[], run: JoinRun): Promise<JoinedTexts> {
  const requested = new Map<number, KeysOfStep>();
  const keysOf: KeysOf = ({ step, place }) => {
    const keys = requested.get(step) ?? new KeysOfStep(stepOf(run, step));
    requested.set(step, keys);
    const found = keys.places[place];
    invariant(found, "a place is one of its step");
    return found;
  };
  const found: (readonly Edit[])[] = [];
  for (const { text, places } of texts) found.push(await runInSlices(findKeys(text, places, keysOf)));
  await Promise.all([...requested.values()].map((keys) => fetchKeys(keys, run)));
  const joined = texts.map(({ text }, i) => replaceKeys(text, found[i] ?? [], run.memory));
  const hasFaults = [...requested.values()].some(({ places }) => places.some(({ faults }) => faults.size > 0));
  if (!hasFaults) return { texts: joined, faults: noFaults };
  const faults = new Map<number, readonly Fault[]>();
  for (const [i, { text }] of texts.entries()) {
    const textFaults = await faultsIn(text, found[i] ?? [], run.memory);
    if (textFaults.length > 0) faults.set(i, textFaults);
  }
  return { texts: joined, faults };
}

/** Estimated size of an error in the response without its path, in characters. */
const faultSize = 200;

async function faultsIn(text: string, edits: readonly Edit[], memory: JoinMemory): Promise<readonly Fault[]> {
  const failed = edits.flatMap(({ from, place, position }) => {
    const faults = place?.faults.get(position);
    return faults ? [{ from, faults }] : [];
  });
  if (failed.length === 0) return [];
  for (const { faults } of failed) memory.take(faults.length * faultSize);
  const positions = failed.map(({ from }) => from);
  const paths = await runInSlices(pathsIn(text, positions));
  return failed.flatMap(({ faults }, i) => faultsAt(paths[i] ?? [], faults));
}

function stepOf({ steps }: JoinRun, index: number): JoinStep {
  const step = steps[index];
  invariant(step, "a place names a step of its plan");
  return step;
}

/** Fetches the values of the keys of a step. */
async function fetchKeys({ step, places }: KeysOfStep, run: JoinRun): Promise<void> {
  const keys = places.map((place) => place.texts());
  if (keys.every(({ length }) => length === 0)) return;
  for (const each of keys) for (const key of each) run.memory.take(key.length);
  const result = await run.fetch(step, keys);
  for (const each of result.values) for (const value of each) run.memory.take(value?.length ?? 0);
  const { values, faults = [] } = await joinValues(step, result, run);
  for (const [i, place] of places.entries()) {
    place.values = values[i] ?? [];
    place.faults = faults[i] ?? noFaults;
  }
}

/** Applies nested joins to the values of a step. */
async function joinValues({ places }: JoinStep, result: StepResult, run: JoinRun): Promise<StepResult> {
  if (places.every(({ joins }) => joins === undefined)) return result;
  const inputs = result.values.flatMap((each, place) => {
    const joins = places[place]?.joins;
    return joins === undefined
      ? []
      : each.flatMap((text, key) => (text === null ? [] : { text, places: joins, place, key }));
  });
  const { texts, faults: inner } = await joinTexts(inputs, run);
  const values = result.values.map((each) => [...each]);
  const faults = places.map((_, place) => new Map(result.faults?.[place]));
  for (const [i, { place, key }] of inputs.entries()) {
    const valuesOfPlace = values[place];
    if (valuesOfPlace) valuesOfPlace[key] = texts[i] ?? null;
    const more = inner.get(i);
    if (more) faults[place]?.set(key, [...(faults[place].get(key) ?? []), ...more]);
  }
  return { values, faults };
}

function replaceKeys(text: string, edits: readonly Edit[], memory: JoinMemory): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, place, position } of edits) {
    parts.push(text.slice(at, from));
    at = to;
    if (place === undefined) continue;
    const value = place?.values[position] ?? "null";
    memory.take(value.length);
    parts.push(value);
  }
  parts.push(text.slice(at));
  return parts.join("");
}

// Memory limit of the joins of one request: the value of one key can be copied to many locations.

/** A response of this size takes seconds to send. The maximum length of a string is less than three times as large. */
const maxJoinedCharacters = 200_000_000;

export class JoinMemory {
  readonly #max: number;
  #taken = 0;

  /** @param max limit in characters */
  constructor(max: number = maxJoinedCharacters) {
    this.#max = Math.min(max, maxJoinedCharacters);
  }

  /**
   * Counts characters towards the limit.
   * @throws EngineError `validation-failed` if it is exceeded
   */
  take(characters: number): void {
    this.#taken += characters;
    if (this.#taken <= this.#max) return;
    const message = `values joined by remote relationships exceed ${this.#max} characters`;
    throw new EngineError("validation-failed", "$", `${message}: select fewer rows or fields`);
  }
}
