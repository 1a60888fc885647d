/**
 * Rows as one text, each with its index. Statements return rows in this form if they are merged into one list or joined
 * to other values. Control characters separate the rows, because JSON text does not contain them.
 */
import type { Interruptible } from "../../values/interruptible.ts";

export const fieldSeparator = "\u001f";
export const rowSeparator = "\u001e";

/** Number of characters processed between interruptions, which takes some tenths of a millisecond. */
const charactersPerTurn = 131_072;

/** The JSON of a row with its index in the list. */
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

/**
 * Returns the JSON text of the list.
 * @param texts one for each statement; `null` if it has no rows
 */
export function mergePlaced(texts: readonly (string | null)[]): string {
  const list: string[] = [];
  for (const { place, json } of texts.flatMap((text) => (text === null ? [] : placedRows(text))))
    list[Number(place)] = json;
  return `[${list.join(",")}]`;
}

/**
 * Writes rows to a list.
 * @param first index of row 0 in the list
 */
export function* putPlaced(text: string, list: (string | null)[], first: number): Interruptible<void> {
  let turnFrom = 0;
  for (let at = 0; at < text.length; ) {
    const field = text.indexOf(fieldSeparator, at);
    const row = text.indexOf(rowSeparator, field);
    const end = row === -1 ? text.length : row;
    list[first + Number(text.slice(at, field))] = text.slice(field + 1, end);
    at = end + 1;
    if (at - turnFrom <= charactersPerTurn) continue;
    yield;
    turnFrom = at;
  }
}
