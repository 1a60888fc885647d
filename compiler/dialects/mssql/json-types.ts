/** JSON types of SQL Server values in events, as written by FOR JSON. */
import type { TypeRef } from "../../shape/shape.ts";
import type { JsonType } from "../json-type.ts";

const integer: JsonType = { kind: "number", integer: true };
const number: JsonType = { kind: "number" };
const binary: JsonType = { kind: "string", format: "base64" };

/** Other types are written as text. */
const types: Readonly<Record<string, JsonType>> = {
  tinyint: integer,
  smallint: integer,
  int: integer,
  bigint: integer,
  decimal: number,
  numeric: number,
  money: number,
  smallmoney: number,
  float: number,
  real: number,
  bit: { kind: "boolean" },
  date: { kind: "string", format: "date" },
  time: { kind: "string", format: "time" },
  datetime: { kind: "string", format: "timestamp" },
  datetime2: { kind: "string", format: "timestamp" },
  smalldatetime: { kind: "string", format: "timestamp" },
  datetimeoffset: { kind: "string", format: "timestamptz" },
  uniqueidentifier: { kind: "string", format: "uuid" },
  binary,
  varbinary: binary,
  image: binary,
  timestamp: binary,
  rowversion: binary,
};

export function recordedType({ name }: TypeRef): JsonType {
  return (Object.hasOwn(types, name) ? types[name] : undefined) ?? { kind: "string" };
}
