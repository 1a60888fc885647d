/**
 * Joins values to answers: the keys in their texts are found, each is asked for once, and what comes back takes their
 * places. What is joined to such values in turn is joined before they are put in.
 */
import type { JoinPlaces, JoinStep } from "../../planner/joins/join-plan.ts";
import { invariant } from "../../values/errors.ts";
import { inSlices } from "../../values/interruptible.ts";
import { membersOf } from "../../values/json-text.ts";
import { type Edit, findKeys, type Use } from "./find-keys.ts";
import type { JoinMemory } from "./join-memory.ts";

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
  const found: (readonly Edit[])[] = [];
  const asked = new Map<number, KeysOfStep>();
  for (const { text, places } of texts) {
    const edits = await inSlices(findKeys(text, places));
    found.push(edits);
    for (const { use } of edits) {
      if (!use) continue;
      const keys = asked.get(use.step) ?? new KeysOfStep(stepOf(run, use.step));
      asked.set(use.step, keys);
      if (use.keys !== null) keys.add(use.place, use.keys);
    }
  }
  const values = new Map<number, StepValues>();
  await Promise.all(
    [...asked].map(async ([step, keys]) => {
      values.set(step, await valuesOf(keys, run));
    }),
  );
  return texts.map(({ text }, i) => filledIn(text, found[i] ?? [], { asked, values, memory: run.memory }));
}

function stepOf({ steps }: JoinRun, index: number): JoinStep {
  const step = steps[index];
  invariant(step, "a place names a step of its plan");
  return step;
}

/** The keys of one step, with their positions. */
class KeysOfStep {
  readonly step: JoinStep;
  readonly places: readonly ReadonlyMap<string, number>[];
  readonly #places: readonly Map<string, number>[];

  constructor(step: JoinStep) {
    this.step = step;
    this.#places = step.places.map(() => new Map());
    this.places = this.#places;
  }

  add(place: number, keys: string): void {
    const known = this.#places[place];
    if (known === undefined || known.has(keys) || this.#holdsNull(place, keys)) return;
    known.set(keys, known.size);
  }

  /** Of several keys, one is null: nobody is asked. */
  #holdsNull(place: number, keys: string): boolean {
    if ((this.step.places[place]?.keys ?? 1) === 1 || !keys.includes("null")) return false;
    return [...membersOf(keys, 0)].some(({ from, to }) => keys.slice(from, to) === "null");
  }
}

async function valuesOf({ step, places }: KeysOfStep, run: JoinRun): Promise<StepValues> {
  if (places.every(({ size }) => size === 0)) return [];
  for (const each of places) for (const key of each.keys()) run.memory.take(key.length);
  const values = await run.ask(
    step,
    places.map((each) => [...each.keys()]),
  );
  for (const each of values) for (const value of each) run.memory.take(value?.length ?? 0);
  return joinValues(step, values, run);
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

interface Filling {
  readonly asked: ReadonlyMap<number, KeysOfStep>;
  readonly values: ReadonlyMap<number, StepValues>;
  readonly memory: JoinMemory;
}

function filledIn(text: string, edits: readonly Edit[], { asked, values, memory }: Filling): string {
  const parts: string[] = [];
  const valueFor = ({ step, place, keys }: Use): string | null | undefined => {
    const position = keys === null ? undefined : asked.get(step)?.places[place]?.get(keys);
    return position === undefined ? undefined : values.get(step)?.[place]?.[position];
  };
  let at = 0;
  for (const { from, to, use } of edits) {
    parts.push(text.slice(at, from));
    at = to;
    if (use === undefined) continue;
    const value = (use && valueFor(use)) ?? "null";
    memory.take(value.length);
    parts.push(value);
  }
  parts.push(text.slice(at));
  return parts.join("");
}
