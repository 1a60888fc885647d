/**
 * JSON types of PostgreSQL values in events. `to_jsonb` writes numbers and booleans as such, arrays as lists, composite
 * values as objects, and types without a cast to json as text (PostgreSQL 15 documentation, 9.16.2).
 */
import { builtInType, extensionType, type PgTypeRow } from "../../../runtime/model/dialects/postgres/scalars.ts";
import type { Shape, TypeRef } from "../../shape/shape.ts";
import { type JsonType, nullable } from "../json-type.ts";

const wideNumber = (digits: "digits" | "decimal", number: JsonType, stringify: boolean): JsonType =>
  stringify ? { kind: "string", format: digits } : number;

const text: JsonType = { kind: "string" };

/** Returns the JSON type of a type with a row; text by default. */
function jsonTypeOf({ recorded, wide }: PgTypeRow, stringify: boolean): JsonType {
  switch (recorded) {
    case undefined:
      return text;
    case "integer":
      return wideNumber("digits", { kind: "number", integer: true }, wide === true && stringify);
    case "number":
      return wideNumber("decimal", { kind: "float" }, wide === true && stringify);
    case "boolean":
      return { kind: "boolean" };
    case "any":
      return { kind: "unknown" };
    case "texts":
      return { kind: "record", value: nullable(text) };
    default:
      return { kind: "string", format: recorded };
  }
}

/** @param stringify returns text types for numbers that JavaScript would round */
export function recordedType(type: TypeRef, shape: Shape, stringify: boolean): JsonType {
  // The recorder converts only columns of these types to text, not values inside arrays and composite values.
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
  const row = schema === "pg_catalog" ? builtInType(name) : extensionType(name);
  return row === undefined ? text : jsonTypeOf(row, stringify);
}
