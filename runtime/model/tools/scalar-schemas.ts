/** JSON Schemas of scalars: of the values that arguments should have, and of the values that results contain. */
import type { JsonForm, ScalarType } from "../definitions/scalar-type.ts";
import type { JsonSchema } from "../definitions/tools/agent-tool.ts";

/** Accepts every value. */
export const anything: JsonSchema = {};

const text = { type: "string" } as const;

/** Schemas of arguments by the name of the scalar. Databases also accept numbers as text, which keeps all digits. */
const inputs: Readonly<Record<string, JsonSchema>> = {
  String: text,
  ID: text,
  Boolean: { type: "boolean" },
  Int: { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  smallint: { type: "integer", minimum: -(2 ** 15), maximum: 2 ** 15 - 1 },
  bigint: { type: ["integer", "string"] },
  Float: { type: "number" },
  float8: { type: "number" },
  numeric: { type: ["number", "string"] },
  money: { type: ["number", "string"] },
  uuid: { type: "string", format: "uuid" },
  uniqueidentifier: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  timestamptz: { type: "string", format: "date-time" },
  datetimeoffset: { type: "string", format: "date-time" },
  json: anything,
  jsonb: anything,
  hstore: { type: "object" },
  vector: { type: ["array", "string"], items: { type: "number" } },
  geometry: { type: ["object", "string"] },
  geography: { type: ["object", "string"] },
  _Any: { type: "object" },
};

/** @param type type of the column that the value is for, if it is for one */
export function inputScalar(name: string, type: ScalarType | undefined): JsonSchema {
  if (Object.hasOwn(inputs, name)) return inputs[name] ?? anything;
  return type === undefined ? anything : text;
}

/** `numeric` and floating-point types have these values, which JSON numbers lack. */
const noNumber = { enum: ["NaN", "Infinity", "-Infinity"] } as const;

const forms: Readonly<Record<JsonForm, JsonSchema>> = {
  integer: { type: "integer" },
  number: { anyOf: [{ type: "number" }, noNumber] },
  boolean: { type: "boolean" },
  // The text of a UUID is the only text of a database whose format does not depend on the value.
  uuid: { type: "string", format: "uuid" },
  any: anything,
};

export interface ResultOptions {
  /** Value of `ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES`. */
  readonly stringifyNumbers: boolean;
}

/** Returns the schema of the values of a column in results. */
export function columnValue({ form, wide }: ScalarType, { stringifyNumbers }: ResultOptions): JsonSchema {
  if (form === undefined || (wide && stringifyNumbers)) return text;
  return forms[form];
}

/** Schemas of scalars that belong to no column. Custom scalars may have any value. */
export function otherValue(name: string): JsonSchema {
  switch (name) {
    case "Int":
      return forms.integer;
    case "Float":
      return forms.number;
    case "Boolean":
      return forms.boolean;
    case "String":
      return text;
    default:
      return anything;
  }
}

const builtIn: ReadonlySet<string> = new Set(["Int", "Float", "Boolean", "String", "ID"]);

/**
 * Returns the schema of the whole response of an action's handler. `execute/actions/validate-response.ts` checks the
 * built-in scalars in it.
 */
export function handlerValue(name: string): JsonSchema {
  if (name === "Int" || name === "Float") return { type: "number" };
  return name === "ID" ? text : otherValue(name);
}

/** Returns the schema of a member of such a response: a member with a built-in scalar may have any scalar value. */
export function handlerMember(name: string): JsonSchema {
  return builtIn.has(name) ? { type: ["string", "number", "boolean"] } : anything;
}

/** Returns the schema that also accepts null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const {
    type,
    enum: values,
    anyOf,
  } = schema as { type?: string | readonly string[]; enum?: unknown[]; anyOf?: unknown[] };
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if ("$ref" in schema) return { anyOf: [schema, { type: "null" }] };
  if (type === undefined) return schema;
  const types = typeof type === "string" ? [type] : type;
  return { ...schema, type: [...types, "null"], ...(values !== undefined && { enum: [...values, null] }) };
}
