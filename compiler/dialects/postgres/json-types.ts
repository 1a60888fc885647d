/**
 * PostgreSQL: what the values of a column are in the JSON of an event. `to_jsonb` writes numbers and booleans as such,
 * arrays as lists, composite values as objects, and everything that has no cast to json as text (PostgreSQL 15
 * documentation, 9.16.2).
 */
import type { Shape, TypeRef } from "../../shape/shape.ts";
import { type JsonType, nullable } from "../json-type.ts";

const wide = (digits: "digits" | "decimal", number: JsonType, stringify: boolean): JsonType =>
  stringify ? { kind: "string", format: digits } : number;

const text: JsonType = { kind: "string" };

/** Built-in types that are no plain text. */
function builtIn(name: string, stringify: boolean): JsonType {
  switch (name) {
    case "int2":
    case "int4":
    case "oid":
      return { kind: "number", integer: true };
    case "int8":
      return wide("digits", { kind: "number", integer: true }, stringify);
    case "float4":
      return { kind: "float" };
    case "float8":
    case "numeric":
      return wide("decimal", { kind: "float" }, stringify);
    case "bool":
      return { kind: "boolean" };
    case "json":
    case "jsonb":
      return { kind: "unknown" };
    case "uuid":
    case "date":
    case "time":
    case "timestamp":
    case "timestamptz":
      return { kind: "string", format: name };
    default:
      return text;
  }
}

/** Types of extensions whose values are objects; those of others are texts. */
const ofExtensions: Readonly<Record<string, JsonType>> = {
  geometry: { kind: "unknown" },
  geography: { kind: "unknown" },
  hstore: { kind: "record", value: nullable(text) },
};

/** @param stringify numbers that JavaScript would round are texts */
export function recordedType(type: TypeRef, shape: Shape, stringify: boolean): JsonType {
  // The recorder turns only columns of these types into text, not what arrays and composite values hold.
  if (type.element) return { kind: "list", item: nullable(recordedType(type.element, shape, false)) };
  if (type.base) return recordedType(type.base, shape, stringify);
  const { schema, name, category } = type;
  const declared = shape.types.find((each) => each.schema === schema && each.name === name);
  if (declared?.kind === "enum") return { kind: "enum", values: declared.values };
  if (declared?.kind === "composite") {
    const members = declared.fields.map((field) => ({
      name: field.name,
      type: nullable(recordedType(field.type, shape, false)),
    }));
    return { kind: "object", members };
  }
  if (category === "composite") return { kind: "unknown" };
  if (category !== "base") return text;
  if (schema === "pg_catalog") return builtIn(name, stringify);
  return (Object.hasOwn(ofExtensions, name) ? ofExtensions[name] : undefined) ?? text;
}
