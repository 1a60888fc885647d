/** Types with their lists and non-null marks, as GraphQL text. */

/** `[User!]` of `[User!]!`; `undefined`: it can be null. */
export function nonNullOf(type: string): string | undefined {
  return type.endsWith("!") ? type.slice(0, -1) : undefined;
}

/** `User!` of `[User!]`; `undefined`: it is no list. */
export function itemOf(type: string): string | undefined {
  return type.startsWith("[") && type.endsWith("]") ? type.slice(1, -1) : undefined;
}

/** `User` of `[User!]!`. */
export function nameIn(type: string): string {
  return type.replace(/[[\]!]/g, "");
}

/** With another name for the type itself. */
export function renamedIn(type: string, name: string): string {
  return type.replace(/\w+/, name);
}

/** Whether a variable of a type can stand in a place (GraphQL specification, 5.8.5). */
export function fitsIn(
  declared: string,
  place: string,
  { hasDefault }: { readonly hasDefault: boolean } = { hasDefault: false },
): boolean {
  const required = nonNullOf(place);
  if (required !== undefined) {
    const given = nonNullOf(declared) ?? (hasDefault ? declared : undefined);
    return given !== undefined && fitsIn(given, required);
  }
  const given = nonNullOf(declared);
  if (given !== undefined) return fitsIn(given, place);
  const [item, ofPlace] = [itemOf(declared), itemOf(place)];
  if (item === undefined || ofPlace === undefined) return declared === place;
  return fitsIn(item, ofPlace);
}
