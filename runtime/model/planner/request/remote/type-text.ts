/** Types in GraphQL syntax, with list and non-null marks. */

/** Returns `[User!]` for `[User!]!`, and `undefined` for a nullable type. */
export function nonNullOf(type: string): string | undefined {
  return type.endsWith("!") ? type.slice(0, -1) : undefined;
}

/** Returns `User!` for `[User!]`, and `undefined` for types other than lists. */
export function itemOf(type: string): string | undefined {
  return type.startsWith("[") && type.endsWith("]") ? type.slice(1, -1) : undefined;
}

/** Returns `User` for `[User!]!`. */
export function nameIn(type: string): string {
  return type.replace(/[[\]!]/g, "");
}

/** Replaces the name in a type. */
export function renamedIn(type: string, name: string): string {
  return type.replace(/\w+/, name);
}

/** Returns true if a variable of the declared type is allowed at a location (GraphQL specification, 5.8.5). */
export function fitsIn(
  declared: string,
  expected: string,
  { hasDefault }: { readonly hasDefault: boolean } = { hasDefault: false },
): boolean {
  const required = nonNullOf(expected);
  if (required !== undefined) {
    const given = nonNullOf(declared) ?? (hasDefault ? declared : undefined);
    return given !== undefined && fitsIn(given, required);
  }
  const given = nonNullOf(declared);
  if (given !== undefined) return fitsIn(given, expected);
  const [item, expectedItem] = [itemOf(declared), itemOf(expected)];
  if (item === undefined || expectedItem === undefined) return declared === expected;
  return fitsIn(item, expectedItem);
}
