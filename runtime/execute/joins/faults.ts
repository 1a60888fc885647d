/** Errors of single join keys. The values of all other keys are still joined (`docs/how-to/remote-relationships.md`). */
import type { EngineError, FieldPath } from "../../values/errors.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { endOfString, endOfValue, skipBlanks } from "../../values/json/positions.ts";

/**
 * An error, and the path within a value to the field that the error made null. The path is empty if the value itself is
 * null.
 */
export interface Fault {
  readonly path: FieldPath;
  readonly error: EngineError;
}

/** Maximum number of errors. If there are more, the whole operation fails, so that none is omitted. */
export const maxFaults = 1000;

/** Faults by index in a list of values. */
export type Faults = ReadonlyMap<number, readonly Fault[]>;

export const noFaults: Faults = new Map();

/**
 * Returns the faults with paths relative to an enclosing value.
 * @param path path to the inner value
 */
export function faultsAt(path: FieldPath, faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => ({ path: [...path, ...fault.path], error: fault.error }));
}

const openBracket = 91;
const openBrace = 123;
const comma = 44;
const closeBracket = 93;

/** Number of characters to scan before yielding, which takes a few tenths of a millisecond. */
const charactersPerSlice = 65_536;

/**
 * Returns the paths to values in a JSON text.
 * @param text well-formed JSON
 * @param positions positions of the values, in ascending order
 */
export function* pathsIn(text: string, positions: readonly number[]): Interruptible<readonly FieldPath[]> {
  const paths: FieldPath[] = [];
  let sliceStart = 0;
  /**
   * Visits a value.
   * @returns the position after the value
   */
  function* walk(from: number, path: FieldPath): Interruptible<number> {
    if (positions[paths.length] === from) {
      paths.push(path);
      return endOfValue(text, from);
    }
    const code = text.charCodeAt(from);
    if (code !== openBrace && code !== openBracket) return endOfValue(text, from);
    let at = skipBlanks(text, from + 1);
    for (let index = 0; paths.length < positions.length && !isEnd(text.charCodeAt(at)); index++) {
      let key: string | number = index;
      if (code === openBrace) {
        const keyEnd = endOfString(text, at);
        key = text.slice(at + 1, keyEnd - 1);
        at = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
      }
      at = skipBlanks(text, yield* walk(at, [...path, key]));
      if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
      if (at - sliceStart > charactersPerSlice) {
        yield;
        sliceStart = at;
      }
    }
    return at + 1;
  }
  yield* walk(skipBlanks(text, 0), []);
  return paths;
}

function isEnd(code: number): boolean {
  return code === closeBracket || code === closeBrace;
}

const closeBrace = 125;
