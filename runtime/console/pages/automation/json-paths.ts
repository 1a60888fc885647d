/** Access to parts of a JSON object by path. */
import { isRawNumber } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);

export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** @param part `undefined` removes the part and objects that become empty */
export function withValueAt(value: JsonObject, path: readonly string[], part: Json | undefined): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const before = value[name];
  const inner = rest.length === 0 ? part : withValueAt(isJsonObject(before) ? before : {}, rest, part);
  const isGone = inner === undefined || (rest.length > 0 && isJsonObject(inner) && Object.keys(inner).length === 0);
  const others = Object.entries(value).filter(([key]) => key !== name);
  if (isGone) return Object.fromEntries(others);
  if (Object.hasOwn(value, name)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === name ? inner : each]));
  }
  return { ...value, [name]: inner };
}
