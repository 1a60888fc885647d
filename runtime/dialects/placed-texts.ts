/**
 * Rows of several databases that make one list: each database gives its own as one text, with their places. JSON texts
 * hold no control characters, so these part them.
 */
export const fieldSeparator = "\u001f";
export const rowSeparator = "\u001e";

/** The JSON text of the list. @param texts one for each database; `null`: it has no rows */
export function mergePlaced(texts: readonly (string | null)[]): string {
  const list: string[] = [];
  for (const row of texts.flatMap((text) => text?.split(rowSeparator) ?? [])) {
    const at = row.indexOf(fieldSeparator);
    list[Number(row.slice(0, at))] = row.slice(at + 1);
  }
  return `[${list.join(",")}]`;
}
