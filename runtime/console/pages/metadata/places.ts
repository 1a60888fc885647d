/** Readable places in the metadata. */

const token = /\.(\w+)|\[(\d+)\]/y;

/**
 * Returns a path with names instead of numbers: `$.sources[0].tables[3]` becomes `sources[default].tables[album]`.
 * @param document the metadata that the path is in
 */
export function placeOf(path: string, document: unknown): string {
  let value = document;
  let text = "";
  token.lastIndex = 1;
  while (token.lastIndex < path.length) {
    const [, key, index] = token.exec(path) ?? [];
    if (key === undefined && index === undefined) return path;
    value = member(value, key ?? index ?? "");
    text += key === undefined ? `[${nameOf(value) ?? index}]` : `.${key}`;
  }
  return text.slice(1);
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Returns the name of an object in a list of the metadata. */
function nameOf(item: unknown): string | undefined {
  const found = member(item, "name") ?? member(member(item, "table"), "name") ?? member(item, "role");
  return typeof found === "string" ? found : undefined;
}
