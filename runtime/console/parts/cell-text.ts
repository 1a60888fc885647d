/** A value of a database, short enough for a cell. */

const longest = 500;

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}
