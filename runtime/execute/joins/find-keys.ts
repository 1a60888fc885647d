/** Finds the keys in an answer: where they stand in its text, and what replaces them. */
import type { JoinPlace, JoinPlaces, StepNumber, TypedKeys } from "../../model/planner/joins/join-plan.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { endOfString, endOfValue, skipBlanks } from "../json-text.ts";
import type { PlaceKeys } from "./step-keys.ts";

/** A part of a text that is replaced: by a value of a step, or by nothing. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  /** `null`: nothing is joined here, the value is null. Absent: the part is left out. */
  readonly place?: PlaceKeys | null;
  /** Of the keys among those of the place; -1: the value is null. */
  readonly position: number;
}

/** Where the keys of a place are gathered. */
export type KeysOf = (place: StepNumber) => PlaceKeys;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Characters from one interruption to the next: some tenths of a millisecond. */
const charactersPerTurn = 65_536;

const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** In the order of the text, which is well-formed JSON. */
export function* findKeys(text: string, places: JoinPlaces, keysOf: KeysOf): Interruptible<readonly Edit[]> {
  const finder = new KeyFinder(text, keysOf);
  yield* finder.value(skipBlanks(text, 0), places);
  return finder.edits.sort((a, b) => a.from - b.from);
}

class KeyFinder {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #keysOf: KeysOf;
  #turnFrom = 0;

  constructor(text: string, keysOf: KeysOf) {
    this.#text = text;
    this.#keysOf = keysOf;
  }

  /** @returns the position behind the value */
  *value(from: number, places: JoinPlaces): Interruptible<number> {
    const code = this.#text.charCodeAt(from);
    if (code === openBrace) return yield* this.#object(from, places);
    if (code === openBracket) return yield* this.#list(from, places);
    return endOfValue(this.#text, from);
  }

  *#list(from: number, places: JoinPlaces): Interruptible<number> {
    const text = this.#text;
    let at = skipBlanks(text, from + 1);
    if (text.charCodeAt(at) === closeBracket) return at + 1;
    for (;;) {
      const isObject = text.charCodeAt(at) === openBrace;
      at = skipBlanks(text, isObject ? yield* this.#object(at, places) : yield* this.value(at, places));
      if (at - this.#turnFrom > charactersPerTurn) {
        yield;
        this.#turnFrom = at;
      }
      if (text.charCodeAt(at) === closeBracket) return at + 1;
      at = skipBlanks(text, at + 1);
    }
  }

  *#object(from: number, places: JoinPlaces): Interruptible<number> {
    const text = this.#text;
    let hidden: HiddenMembers | undefined;
    /** Where the member before ends. */
    let before: number | undefined;
    let at = skipBlanks(text, from + 1);
    if (text.charCodeAt(at) === closeBrace) return at + 1;
    for (;;) {
      const keyEnd = endOfString(text, at);
      const key = text.slice(at + 1, keyEnd - 1);
      const place = places.get(key);
      const value = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
      const to = place?.kind === "below" ? yield* this.value(value, place.places) : endOfValue(text, value);
      const behind = skipBlanks(text, to);
      const isLast = text.charCodeAt(behind) === closeBrace;
      const next = isLast ? behind : skipBlanks(text, behind + 1);
      if (place?.kind === "keys") this.#use(place, value, to);
      else if (place?.kind === "typed") {
        hidden ??= { typed: [], keys: new Map() };
        hidden.typed.push([{ from: value, to }, place]);
      } else if (place?.kind === "hidden") {
        hidden ??= { typed: [], keys: new Map() };
        hidden.keys.set(key, { from: value, to });
        this.edits.push({ position: -1, ...(before === undefined ? { from: at, to: next } : { from: before, to }) });
      }
      if (place?.kind !== "hidden" || before !== undefined) before = to;
      if (isLast) {
        if (hidden) for (const [span, keys] of hidden.typed) this.#useTyped(keys, span, hidden.keys);
        return behind + 1;
      }
      at = next;
    }
  }

  #use(at: Extract<JoinPlace, { kind: "keys" }>, from: number, to: number): void {
    const place = this.#keysOf(at);
    this.edits.push({ from, to, place, position: place.add(this.#text.slice(from, to)) });
  }

  /** The name of the type stands where the value goes, the keys are members of their own. */
  #useTyped({ types }: TypedKeys, { from, to }: Span, hidden: ReadonlyMap<string, Span>): void {
    const found = types.get(this.#text.slice(from + 1, to - 1));
    if (found === undefined) {
      this.edits.push({ from, to, place: null, position: -1 });
      return;
    }
    const values = found.members.map((member) => {
      const span = hidden.get(member);
      return span === undefined ? "null" : this.#text.slice(span.from, span.to);
    });
    const [only] = values;
    const isOne = values.length === 1 && only !== undefined;
    const keys = isOne ? only : `{${values.map((value, i) => `"k${i + 1}":${value}`).join(",")}}`;
    const place = this.#keysOf(found);
    this.edits.push({ from, to, place, position: values.includes("null") ? -1 : place.add(keys) });
  }
}

/** What of an object is known when it has been read to its end. */
interface HiddenMembers {
  readonly typed: [Span, TypedKeys][];
  readonly keys: Map<string, Span>;
}
