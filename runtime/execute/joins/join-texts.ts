/**
 * Joins values to answers: the keys in their texts are found, each is asked for once, and what comes back takes their
 * places. What is joined to such values in turn is joined before they are put in.
 */
import type { JoinPlaces, JoinStep } from "../../model/planner/joins/join-plan.ts";
import { invariant } from "../../values/errors.ts";
import { inSlices } from "../../values/interruptible.ts";
import { type Edit, findKeys, type KeysOf } from "./find-keys.ts";
import type { JoinMemory } from "./join-memory.ts";
import { KeysOfStep } from "./step-keys.ts";

/** The JSON of a value, and where keys stand in it. */
export interface PlacedText {
  readonly text: string;
  readonly places: JoinPlaces;
}

/** What is asked for: the texts of the keys of each place, without any twice. */
export type StepKeys = readonly (readonly string[])[];

/** JSON texts for all keys, in their order; `null`: there is nothing. */
export type StepValues = readonly (readonly (string | null)[])[];

export interface JoinRun {
  readonly steps: readonly JoinStep[];
  /** @throws EngineError */
  readonly ask: (step: JoinStep, keys: StepKeys) => Promise<StepValues>;
  readonly memory: JoinMemory;
}

/**
 * The texts with what is joined to them. All keys of a step are in texts that are given together.
 * @throws EngineError as `ask` does, or where the values do not fit into memory
 */
export async function joinTexts(texts: readonly PlacedText[], run: JoinRun): Promise<readonly string[]> {
  const asked = new Map<number, KeysOfStep>();
  const keysOf: KeysOf = ({ step, place }) => {
    const keys = asked.get(step) ?? new KeysOfStep(stepOf(run, step));
    asked.set(step, keys);
    const found = keys.places[place];
    invariant(found, "a place is one of its step");
    return found;
  };
  const found: (readonly Edit[])[] = [];
  for (const { text, places } of texts) found.push(await inSlices(findKeys(text, places, keysOf)));
  await Promise.all([...asked.values()].map((keys) => askFor(keys, run)));
  return texts.map(({ text }, i) => filledIn(text, found[i] ?? [], run.memory));
}

function stepOf({ steps }: JoinRun, index: number): JoinStep {
  const step = steps[index];
  invariant(step, "a place names a step of its plan");
  return step;
}

/** Gives the keys their values. */
async function askFor({ step, places }: KeysOfStep, run: JoinRun): Promise<void> {
  const keys = places.map((place) => place.texts());
  if (keys.every(({ length }) => length === 0)) return;
  for (const each of keys) for (const key of each) run.memory.take(key.length);
  const values = await run.ask(step, keys);
  for (const each of values) for (const value of each) run.memory.take(value?.length ?? 0);
  for (const [i, joined] of (await joinValues(step, values, run)).entries()) {
    const place = places[i];
    if (place) place.values = joined;
  }
}

/** What is joined to the values of a step themselves. */
async function joinValues({ places }: JoinStep, values: StepValues, run: JoinRun): Promise<StepValues> {
  if (places.every(({ joins }) => joins === undefined)) return values;
  const texts = values.flatMap((each, place) => {
    const joins = places[place]?.joins;
    return joins === undefined ? [] : each.flatMap((text) => (text === null ? [] : { text, places: joins }));
  });
  const joined = (await joinTexts(texts, run)).values();
  return values.map((each, place) => {
    if (places[place]?.joins === undefined) return each;
    return each.map((text) => (text === null ? null : (joined.next().value ?? null)));
  });
}

function filledIn(text: string, edits: readonly Edit[], memory: JoinMemory): string {
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
