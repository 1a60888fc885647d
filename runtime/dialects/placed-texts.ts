/**
 * Rows of several statements that make one list: each gives its own as one text, with their places. JSON texts hold no
 * control characters, so these part them.
 */
export const fieldSeparator = "\u001f";
export const rowSeparator = "\u001e";

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
