/**
 * Rows as one text, each with its place: statements give them so where they become parts of one list, or values in an
 * answer. JSON texts hold no control characters, so these part them.
 */
import type { Interruptible } from "../../values/interruptible.ts";

export const fieldSeparator = "\u001f";
export const rowSeparator = "\u001e";

/** Characters from one interruption to the next: some tenths of a millisecond. */
const charactersPerTurn = 131_072;

/** A row with its place in the list, as JSON text. */
export interface PlacedRow {
  readonly place: string;
  readonly json: string;
}

export function placedRows(text: string): readonly PlacedRow[] {
  return text.split(rowSeparator).map((row) => {
    const at = row.indexOf(fieldSeparator);
    return { place: row.slice(0, at), json: row.slice(at + 1) };
  });
}

export function placedText(rows: readonly PlacedRow[]): string {
  return rows.map(({ place, json }) => `${place}${fieldSeparator}${json}`).join(rowSeparator);
}

/** The JSON text of the list. @param texts one for each statement; `null`: it has no rows */
export function mergePlaced(texts: readonly (string | null)[]): string {
  const list: string[] = [];
  for (const { place, json } of texts.flatMap((text) => (text === null ? [] : placedRows(text))))
    list[Number(place)] = json;
  return `[${list.join(",")}]`;
}

/**
 * Puts rows into their places in a list.
 * @param first where place 0 is
 */
export function* putPlaced(text: string, list: (string | null)[], first: number): Interruptible<void> {
  let turnFrom = 0;
  for (let at = 0; at < text.length; ) {
    const field = text.indexOf(fieldSeparator, at);
    const row = text.indexOf(rowSeparator, field);
    const end = row < 0 ? text.length : row;
    list[first + Number(text.slice(at, field))] = text.slice(field + 1, end);
    at = end + 1;
    if (at - turnFrom <= charactersPerTurn) continue;
    yield;
    turnFrom = at;
  }
}
