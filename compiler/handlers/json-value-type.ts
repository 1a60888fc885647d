/** A JSON value of the metadata → the type of values like it. */
import { isObject } from "../../runtime/values/is-object.ts";
import { isJsonNumber } from "../../runtime/values/json-number.ts";
import type { JsonType } from "../dialects/json-type.ts";

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return { kind: "null" };
  if (typeof value === "string") return { kind: "string" };
  if (typeof value === "boolean") return { kind: "boolean" };
  if (isJsonNumber(value)) return { kind: "number" };
  if (Array.isArray(value)) return { kind: "list", item: unionOf(value.map(typeOfValue)) };
  if (!isObject(value)) return { kind: "unknown" };
  return {
    kind: "object",
    members: Object.entries(value).map(([name, member]) => ({ name, type: typeOfValue(member) })),
  };
}

/** Each type once; of nothing at all nothing is known. */
function unionOf(types: readonly JsonType[]): JsonType {
  const distinct = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "unknown" };
  return distinct.length === 1 ? only : { kind: "union", of: distinct };
}
