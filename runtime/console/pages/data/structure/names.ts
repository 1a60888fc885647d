/** Proposed names of indexes and constraints. */

/** Maximum length of a name in PostgreSQL, in bytes. Longer names would be cut by the database. */
const maxBytes = 63;

/** Returns a name such as `book_author_id_idx`. */
export function proposedName(table: string, columns: readonly string[], suffix: string): string {
  const encoder = new TextEncoder();
  const characters = [...[table, ...columns].join("_")];
  while (encoder.encode(`${characters.join("")}_${suffix}`).length > maxBytes) characters.pop();
  return `${characters.join("")}_${suffix}`;
}
