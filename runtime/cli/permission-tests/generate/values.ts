/** Values of columns: candidates by type, and JavaScript's view of the operators of conditions. */

import type { Operand } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { Json } from "../../../../compiler/catalog/model.ts";
import type { Shape, TypeRef } from "../../../../compiler/shape/shape.ts";
import { canonicalJson } from "../../../values/canonical-json.ts";
import { isObject } from "../../../values/is-object.ts";
import { isJsonNumber, numberText } from "../../../values/json-number.ts";
import { NoRows } from "./no-rows.ts";
import type { Test } from "./scenarios.ts";

type Family = "integer" | "number" | "text" | "boolean" | "uuid" | "date" | "time" | "timestamp" | "json" | "network";

const families: Readonly<Record<string, Family>> = {
  int2: "integer",
  int4: "integer",
  int8: "integer",
  numeric: "number",
  float4: "number",
  float8: "number",
  money: "number",
  text: "text",
  varchar: "text",
  bpchar: "text",
  citext: "text",
  name: "text",
  bool: "boolean",
  uuid: "uuid",
  date: "date",
  time: "time",
  timetz: "time",
  timestamp: "timestamp",
  timestamptz: "timestamp",
  json: "json",
  jsonb: "json",
  inet: "network",
};

export function familyOf(type: TypeRef): Family | undefined {
  const base = type.base ?? type;
  return base.element === undefined ? families[base.name] : undefined;
}

const isNumeric = (type: TypeRef): boolean => ["integer", "number"].includes(familyOf(type) ?? "");

/** Number of the first generated value, beyond those of session variables. */
const first = 11;

/**
 * Returns the value with a number, from 0, of a type; values of numbers below the count of the type are distinct.
 * @returns `undefined` for types without known values
 */
export function genericValue(type: TypeRef, column: string, index: number, shape: Shape): Json | undefined {
  const n = index + first;
  if (type.category === "enum") {
    const found = shape.types.find(({ schema, name }) => schema === type.schema && name === type.name);
    return found?.kind === "enum" ? found.values[index % found.values.length] : undefined;
  }
  if ((type.base ?? type).element !== undefined) return [];
  switch (familyOf(type)) {
    case "integer":
    case "number":
      return n;
    case "text":
      return `${column} ${index + 1}`;
    case "boolean":
      return index % 2 === 1;
    case "uuid":
      return uuid(n);
    case "date":
      return day(n);
    case "time":
      return `${String(n % 24).padStart(2, "0")}:00:00`;
    case "timestamp":
      return `${day(n)}T00:00:00`;
    case "json":
      return {};
    case "network":
      return `10.0.0.${n % 256}`;
    default:
      return undefined;
  }
}

/** Number of distinct generated values to try. */
export const maxGenericValues = 50;

const names = ["ann", "bea", "cleo", "dora", "eve"];

/** Returns the value of a session variable that is compared with columns of these types. */
export function sessionValue(types: readonly TypeRef[], index: number, shape: Shape, isList: boolean): string {
  const type = types.find((each) => familyOf(each) !== "text") ?? types[0];
  const one = type === undefined ? names[index % names.length] : sessionScalar(type, index, shape);
  return isList ? `{${one}}` : String(one);
}

function sessionScalar(type: TypeRef, index: number, shape: Shape): Json | undefined {
  if (type.category === "enum") return genericValue(type, "", index, shape);
  switch (familyOf(type)) {
    case "integer":
    case "number":
      return index + 1;
    case "uuid":
      return uuid(index + 1);
    case "boolean":
      return true;
    case "date":
    case "time":
    case "timestamp":
      return genericValue(type, "", index + 100, shape);
    default:
      return names[index % names.length];
  }
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const day = (n: number): string => new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10);

// ---------------------------------------------------------------- tests

/** Resolves the operand of a test: the value of a session variable has the type of the column. */
export function operandValue(
  { operand, operator }: { readonly operand: Operand; readonly operator: string },
  type: TypeRef,
  session: ReadonlyMap<string, string>,
): Json {
  if (operand.kind === "literal") return plain(operand.value);
  const text = session.get(operand.variable) ?? "";
  const scalar = (value: string): Json =>
    isNumeric(type) ? Number(value) : familyOf(type) === "boolean" ? value === "true" : value;
  return listOperators.has(operator)
    ? text
        .replace(/^\{|\}$/g, "")
        .split(",")
        .map(scalar)
    : scalar(text);
}

export const listOperators: ReadonlySet<string> = new Set(["_in", "_nin", "_has_keys_any", "_has_keys_all"]);

function plain(value: Json): Json {
  if (isJsonNumber(value)) return Number(numberText(value));
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject<Json>(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** Returns values that are likely to meet or to fail a comparison, such as its boundary. */
export function candidates(operator: string, value: Json): readonly Json[] {
  if (operator === "_is_null") return [null];
  if (operator === "_contains") return [value, Array.isArray(value) ? [] : {}];
  if (operator === "_has_key") return [{ [String(value)]: true }, {}];
  if (operator.startsWith("_has_keys")) {
    return [Object.fromEntries((value as readonly Json[]).map((key) => [String(key), true])), {}];
  }
  if (/like$/.test(operator)) return [String(value).replaceAll("%", "").replaceAll("_", "x"), `not ${String(value)}`];
  return Array.isArray(value) && listOperators.has(operator) ? (value as readonly Json[]) : [value];
}

/** Returns values before and after a value. */
export function neighbours(value: Json, type: TypeRef): readonly Json[] {
  if (value === null) return [];
  switch (familyOf(type)) {
    case "integer":
    case "number":
      return [Number(value) - 1, Number(value) + 1];
    case "boolean":
      return [value !== true];
    case "date":
    case "timestamp": {
      const time = new Date(String(value)).getTime();
      if (Number.isNaN(time)) return [];
      const size = familyOf(type) === "date" ? 10 : 19;
      return [-1, 1].map((days) => new Date(time + days * 86_400_000).toISOString().slice(0, size));
    }
    case "text":
      return [`not ${String(value)}`, `${String(value)} a`];
    default:
      return [];
  }
}

/** Returns the truth of a comparison; `null` is SQL's unknown. @throws NoRows for operators that are not derivable */
export function truth(left: Json, { operator }: Test, right: Json, type: TypeRef): boolean | null {
  if (operator === "_is_null") return (left === null) === right;
  const evaluate = operators[operator];
  if (evaluate === undefined) throw new NoRows(`a condition uses the operator ${operator}`);
  if (left === null || right === null) return null;
  return evaluate(left, right, type);
}

type Evaluate = (left: Json, right: Json, type: TypeRef) => boolean;

const order = (left: Json, right: Json, type: TypeRef): number => {
  if (isNumeric(type)) return Math.sign(Number(left) - Number(right));
  const [a, b] = [left, right].map((value) => (typeof value === "string" ? value : canonicalJson(value))) as [
    string,
    string,
  ];
  return a < b ? -1 : a > b ? 1 : 0;
};

const not =
  (evaluate: Evaluate): Evaluate =>
  (...values) =>
    !evaluate(...values);
const among: Evaluate = (left, right, type) => (right as readonly Json[]).some((each) => order(left, each, type) === 0);
const like =
  (flags: string): Evaluate =>
  (left, right) => {
    const source = String(right).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${source.replaceAll("%", ".*").replaceAll("_", ".")}$`, flags).test(String(left));
  };
const keysOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : isObject<Json>(value) ? Object.keys(value) : [];
const contains: Evaluate = (left, right, type) => {
  if (Array.isArray(right)) {
    return Array.isArray(left) && right.every((each) => left.some((own) => contains(own as Json, each as Json, type)));
  }
  if (isObject<Json>(right)) {
    const own = isObject<Json>(left) ? left : {};
    return Object.entries(right).every(([key, each]) => own[key] !== undefined && contains(own[key], each, type));
  }
  return canonicalJson(left) === canonicalJson(right);
};

const operators: Readonly<Record<string, Evaluate>> = {
  _eq: (left, right, type) => order(left, right, type) === 0,
  _neq: (left, right, type) => order(left, right, type) !== 0,
  _gt: (left, right, type) => order(left, right, type) > 0,
  _lt: (left, right, type) => order(left, right, type) < 0,
  _gte: (left, right, type) => order(left, right, type) >= 0,
  _lte: (left, right, type) => order(left, right, type) <= 0,
  _in: among,
  _nin: not(among),
  _like: like("s"),
  _nlike: not(like("s")),
  _ilike: like("si"),
  _nilike: not(like("si")),
  _contains: contains,
  _has_key: (left, right) => keysOf(left).includes(right),
  _has_keys_any: (left, right) => (right as readonly Json[]).some((key) => keysOf(left).includes(key)),
  _has_keys_all: (left, right) => (right as readonly Json[]).every((key) => keysOf(left).includes(key)),
};
