/**
 * The shape of a request's variables: everything that a plan depends on. Requests with the same text and shape share a
 * plan, so a structural difference missing here would let one request run the plan of another.
 */

import { isObject } from "../../../values/is-object.ts";
import { JsonNumber } from "../../../values/json-number.ts";
import type { InputObjectTypeDef, InputTypeDef } from "../../schema/types.ts";
import { isFlat, rowRuns } from "./rows.ts";
import type { VariableUses } from "./variable-uses.ts";

/**
 * Returns the shape of a request's variables.
 * @param uses variables with known uses; no plan so far uses other variables
 * @param conditions variables of `@include` and `@skip`
 */
export function shapeOf(
  variables: Readonly<Record<string, unknown>>,
  uses: VariableUses,
  conditions: ReadonlySet<string>,
): string {
  let shape = "";
  for (const name of conditions) shape += `${name}?${scalarShape(variables[name])};`;
  for (const [name, places] of uses) {
    for (const { type, list } of places) shape += `${name}:${valueShape(variables[name], type, list)};`;
  }
  return shape;
}

/**
 * Returns the shape of a scalar, which distinguishes absent, null, true and false. All other scalars are parameters.
 */
function scalarShape(value: unknown): string {
  if (value === undefined) return "_";
  if (value === null) return "n";
  if (value === true) return "t";
  if (value === false) return "f";
  return "v";
}

/**
 * Returns the shape of inserted rows. A plan depends neither on the number of rows in a run nor on null values, unless
 * single rows follow the run: plans address them by index.
 */
function rowsShape(rows: readonly unknown[], type: InputObjectTypeDef): string {
  let shape = "";
  for (const { start, keys, count } of rowRuns(rows, type)) {
    const row = rows[start];
    if (keys) shape += `${JSON.stringify(keys)}${count ?? "+"}`;
    else shape += `${isObject(row) ? objectShape(row, type) : valueShape(row, type, false)},`;
  }
  return shape;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Names that are unambiguous in a shape without quotes. */
const plainName = /^\w+$/;

function valueShape(value: unknown, type: InputTypeDef | undefined, list: boolean): string {
  if (type?.kind === "scalar" && type.structure && value !== undefined && value !== null) {
    return JSON.stringify(type.structure(value));
  }
  if (value === undefined || value === null || type?.kind === "scalar") return scalarShape(value);
  if (Array.isArray(value)) {
    let shape = list ? "[" : "![";
    if (type?.kind === "input" && type.isRow) return `${shape}${rowsShape(value, type)}]`;
    for (const item of value) shape += `${valueShape(item, type, false)},`;
    return `${shape}]`;
  }
  if (typeof value !== "object" || value instanceof JsonNumber) return JSON.stringify(value) ?? "_";
  if (type?.kind === "input" && type.isRow && isFlat(value as JsonObject, type)) return rowsShape([value], type);
  return objectShape(value as JsonObject, type);
}

function objectShape(value: JsonObject, type: InputTypeDef | undefined): string {
  const fields = type?.kind === "input" ? type.fields() : undefined;
  let shape = "{";
  for (const key of Object.keys(value)) {
    const field = fields?.get(key);
    const name = field || plainName.test(key) ? key : JSON.stringify(key);
    shape += `${name}:${valueShape(value[key], field?.type(), field?.list ?? false)},`;
  }
  return `${shape}}`;
}
