/** Conditions on columns, as people read and type them; session variables in filters. */
import { isRawNumber, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";

export interface Condition {
  readonly column: string;
  readonly operator: string;
  readonly value: Json;
}

const operators = [
  { value: "_eq", label: "is" },
  { value: "_neq", label: "is not" },
  { value: "_gt", label: "is more than" },
  { value: "_gte", label: "is at least" },
  { value: "_lt", label: "is less than" },
  { value: "_lte", label: "is at most" },
  { value: "_in", label: "is one of" },
  { value: "_nin", label: "is none of" },
  { value: "_is_null", label: "is null" },
  { value: "_like", label: "is like" },
  { value: "_ilike", label: "is like (any case)" },
] as const;

const columnComparisons = [
  { value: "_ceq", label: "is column" },
  { value: "_cneq", label: "is not column" },
  { value: "_cgt", label: "is more than column" },
  { value: "_cgte", label: "is at least column" },
  { value: "_clt", label: "is less than column" },
  { value: "_clte", label: "is at most column" },
] as const;

/** Their value is the name of a column, or a list that says of which row. */
export const columnOperators: ReadonlySet<string> = new Set(columnComparisons.map(({ value }) => value));

/** What a kind of database has no operator for. */
const missing: Readonly<Record<string, ReadonlySet<string>>> = { mssql: new Set(["_ilike"]) };

/** @param kind of the source */
export const operatorsOf = (kind: string): readonly { readonly value: string; readonly label: string }[] =>
  [...operators, ...columnComparisons].filter(({ value }) => !missing[kind]?.has(value));

const known: ReadonlySet<string> = new Set([...operators, ...columnComparisons].map(({ value }) => value));

export const isKnownOperator = (operator: string): boolean => known.has(operator);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);

const sessionVariable = /^x-engine-[a-z0-9-]+$/i;

const numberTypes = /^(?:smallint|integer|int\d*|real|float\d*|double precision|numeric|decimal|bigint)/i;

/** What a user typed → the value of a condition. Names of session variables stay as they are. */
export function readValue(text: string, operator: string, type: string): Json {
  const one = (given: string): Json => {
    const trimmed = given.trim();
    const isNumber = numberTypes.test(type) && trimmed !== "" && String(Number(trimmed)) === trimmed;
    if (isNumber) return Number(trimmed);
    if (/^bool/i.test(type) && (trimmed === "true" || trimmed === "false")) return trimmed === "true";
    return given;
  };
  if (operator === "_is_null") return text !== "false";
  if (!isKnownOperator(operator) || columnOperators.has(operator) || text.startsWith("[")) {
    try {
      return parseRaw(text) as Json;
    } catch {
      return one(text);
    }
  }
  if (operator !== "_in" && operator !== "_nin") return one(text);
  return sessionVariable.test(text.trim()) ? text.trim() : text.split(",").map((part) => one(part.trim()));
}

export function valueText(value: Json): string {
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== "object" && !String(each).includes(","));
    return isPlain ? value.map(valueText).join(", ") : JSON.stringify(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Names of the session variables in a filter, in lower case. */
export function sessionVariablesIn(filter: Json | undefined): readonly string[] {
  const found = new Set<string>();
  const walk = (value: Json | undefined): void => {
    if (typeof value === "string" && sessionVariable.test(value)) found.add(value.toLowerCase());
    else if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) Object.values(value).forEach(walk);
  };
  walk(filter);
  return [...found].sort();
}

/** The filter with values in place of session variables. */
export function withSession(filter: Json, session: Readonly<Record<string, string>>): Json {
  if (typeof filter === "string" && sessionVariable.test(filter)) return session[filter.toLowerCase()] ?? filter;
  if (Array.isArray(filter)) return filter.map((each) => withSession(each, session));
  if (!isObject(filter)) return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const replaced = withSession(value, session);
      const isList = (name === "_in" || name === "_nin") && typeof value === "string" && typeof replaced === "string";
      // A session variable that stands for a list has the form of an array of the database: {1,2}.
      return [name, isList ? replaced.replace(/^\{|\}$/g, "").split(",") : replaced];
    }),
  );
}
