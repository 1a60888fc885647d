/** Conversion between operands of conditions and text; session variables in filters. */
import { isRawNumber, parseRaw } from "../../http/json.ts";
import type { ColumnOperator, Json, JsonObject, ValueKind } from "../../http/metadata-types.ts";

export interface Condition {
  readonly column: string;
  readonly operator: string;
  readonly value: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);

const sessionVariable = /^x-engine-[a-z0-9-]+$/i;

export const isSessionVariable = (value: Json | undefined): value is string =>
  typeof value === "string" && sessionVariable.test(value);

/**
 * Parses the operand of a condition. Names of session variables stay unchanged.
 * @param operator `undefined` if the column lacks the operator; the text is then parsed as JSON if possible
 */
export function readValue(text: string, operator: Omit<ColumnOperator, "name"> | undefined): Json {
  const operand = operator?.operand ?? "json";
  if (operand === "column" || operand === "json" || text.startsWith("[")) {
    try {
      return parseRaw(text) as Json;
    } catch {
      return text;
    }
  }
  if (operator?.list !== true) return readOne(text, operand);
  return sessionVariable.test(text.trim()) ? text.trim() : text.split(",").map((part) => readOne(part.trim(), operand));
}

function readOne(text: string, kind: ValueKind): Json {
  const trimmed = text.trim();
  if (kind === "number" && trimmed !== "" && String(Number(trimmed)) === trimmed) return Number(trimmed);
  if (kind === "boolean" && (trimmed === "true" || trimmed === "false")) return trimmed === "true";
  return text;
}

/**
 * Returns the reason why a text is not an operand, or `null`. Session variables are valid for every operator.
 * @param operator `undefined` if the column lacks the operator; every text is then valid
 */
export function valueProblem(text: string, operator: Omit<ColumnOperator, "name"> | undefined): string | null {
  if (!operator || operator.operand === "column" || sessionVariable.test(text.trim())) return null;
  if (operator.list === true && text.startsWith("[")) return jsonProblem(text);
  const parts = operator.list === true ? text.split(",") : [text];
  return parts.map((part) => partProblem(part.trim(), operator.operand)).find((problem) => problem !== null) ?? null;
}

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^-?infinity$|^nan$/i;

function partProblem(text: string, kind: ValueKind | "column"): string | null {
  switch (kind) {
    case "number":
      return number.test(text) ? null : "Enter a number or a session variable.";
    case "boolean":
      return text === "true" || text === "false" ? null : "Enter true, false or a session variable.";
    case "json":
      return jsonProblem(text);
    default:
      return null;
  }
}

function jsonProblem(text: string): string | null {
  try {
    parseRaw(text);
    return null;
  } catch {
    return "Enter valid JSON or a session variable.";
  }
}

/** @param operator operator that reads the text again; JSON operands are shown as JSON */
export function valueText(value: Json, operator?: Omit<ColumnOperator, "name">): string {
  if (operator?.operand === "json" && operator.list !== true && !isSessionVariable(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== "object" && !String(each).includes(","));
    return isPlain ? value.map((each) => valueText(each)).join(", ") : JSON.stringify(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the lower-case names of the session variables in a filter, sorted. */
export function sessionVariablesIn(filter: Json | undefined): readonly string[] {
  const found = new Set<string>();
  const walk = (value: Json | undefined): void => {
    if (isSessionVariable(value)) found.add(value.toLowerCase());
    else if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) Object.values(value).forEach(walk);
  };
  walk(filter);
  return [...found].sort();
}

/** Replaces session variables in a filter with their values. */
export function withSession(filter: Json, session: Readonly<Record<string, string>>): Json {
  if (isSessionVariable(filter)) return session[filter.toLowerCase()] ?? filter;
  if (Array.isArray(filter)) return filter.map((each) => withSession(each, session));
  if (!isObject(filter)) return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const replaced = withSession(value, session);
      const isList = (name === "_in" || name === "_nin") && typeof value === "string" && typeof replaced === "string";
      // A session variable with a list uses the array syntax of PostgreSQL: {1,2}.
      return [name, isList ? replaced.replace(/^\{|\}$/g, "").split(",") : replaced];
    }),
  );
}
