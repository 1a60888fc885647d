/** Reading members of the JSON object that configures JWT authentication. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** What is wrong with the object, in words that hold nothing secret; `parseJwtConfig` makes it a value. */
export class InvalidJwtConfig extends Error {}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** A text; `undefined` when the member is absent or null. */
export function optionalText(json: JsonObject, name: string): string | undefined {
  const value = member(json, name);
  if (value === undefined || typeof value === "string") return value;
  throw new InvalidJwtConfig(`expecting a string for "${name}"`);
}

/** `undefined` when the member is absent or null. */
export function member(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined;
}
