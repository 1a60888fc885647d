/** Finds join keys in a JSON text: their positions, and the values that replace them. */
import type { JoinPlace, JoinPlaces, StepNumber, TypedKeys } from "../../model/planner/joins/join-plan.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { endOfString, endOfValue, skipBlanks } from "../../values/json/positions.ts";
import type { PlaceKeys } from "./step-keys.ts";

/** A range of a text to replace with a joined value, or to delete. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  /** `null` if nothing is joined and the value is null; absent if the range is deleted. */
  readonly place?: PlaceKeys | null;
  /** Index among the keys of the location; -1 if the value is null. */
  readonly position: number;
}

/** Returns the collector for the keys of a location. */
export type KeysOf = (place: StepNumber) => PlaceKeys;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Number of characters to scan before yielding, which takes a few tenths of a millisecond. */
const charactersPerSlice = 65_536;

const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Returns edits in text order.
 * @param text well-formed JSON
 */
export function* findKeys(text: string, places: JoinPlaces, keysOf: KeysOf): Interruptible<readonly Edit[]> {
  const finder = new KeyFinder(text, keysOf);
  yield* finder.value(skipBlanks(text, 0), places);
  return finder.edits.sort((a, b) => a.from - b.from);
}

class KeyFinder {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #keysOf: KeysOf;
  #sliceStart = 0;

  constructor(text: string, keysOf: KeysOf) {
    this.#text = text;
    this.#keysOf = keysOf;
  }

  /**
   * Visits a value.
   * @returns the position after the value
   */
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
      if (at - this.#sliceStart > charactersPerSlice) {
        yield;
        this.#sliceStart = at;
      }
      if (text.charCodeAt(at) === closeBracket) return at + 1;
      at = skipBlanks(text, at + 1);
    }
  }

  *#object(from: number, places: JoinPlaces): Interruptible<number> {
    const text = this.#text;
    let hidden: HiddenMembers | undefined;
    /** End of the previous visible member. */
    let previousEnd: number | undefined;
    let at = skipBlanks(text, from + 1);
    if (text.charCodeAt(at) === closeBrace) return at + 1;
    for (;;) {
      const keyEnd = endOfString(text, at);
      const key = text.slice(at + 1, keyEnd - 1);
      const place = places.get(key);
      const value = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
      const to = place?.kind === "below" ? yield* this.value(value, place.places) : endOfValue(text, value);
      const after = skipBlanks(text, to);
      const isLast = text.charCodeAt(after) === closeBrace;
      const next = isLast ? after : skipBlanks(text, after + 1);
      if (place?.kind === "keys") this.#use(place, value, to);
      else if (place?.kind === "typed") {
        hidden ??= { typed: [], keys: new Map() };
        hidden.typed.push([{ from: value, to }, place]);
      } else if (place?.kind === "hidden") {
        hidden ??= { typed: [], keys: new Map() };
        hidden.keys.set(key, { from: value, to });
        this.edits.push({
          position: -1,
          ...(previousEnd === undefined ? { from: at, to: next } : { from: previousEnd, to }),
        });
      }
      if (place?.kind !== "hidden" || previousEnd !== undefined) previousEnd = to;
      if (isLast) {
        if (hidden) for (const [span, keys] of hidden.typed) this.#useTyped(keys, span, hidden.keys);
        return after + 1;
      }
      at = next;
    }
  }

  #use(at: Extract<JoinPlace, { kind: "keys" }>, from: number, to: number): void {
    const place = this.#keysOf(at);
    this.edits.push({ from, to, place, position: place.add(this.#text.slice(from, to)) });
  }

  /** Handles a union or interface, where the location contains the type name and hidden members contain the keys. */
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

/** Members of an object that are evaluated at its end. */
interface HiddenMembers {
  readonly typed: [Span, TypedKeys][];
  readonly keys: Map<string, Span>;
}
