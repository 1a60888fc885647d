/** The row filter as it is edited: conditions combined with AND in groups, and groups combined with OR. */
import { messageOf } from "../../../../values/message-of.ts";
import type { ColumnInfo } from "../../../http/data-api.ts";
import type { ColumnOperator, Json, JsonObject } from "../../../http/metadata-types.ts";
import { readColumn, readTyped } from "../typed-value.ts";

export interface Condition {
  readonly column: string;
  readonly operator: string;
  /** As typed. */
  readonly text: string;
}

/** At least one group, and at least one condition in each. */
export type FilterGroups = readonly (readonly Condition[])[];

/** Parses the filter of an address. Returns an empty filter if the text is invalid. */
export function readFilter(text: string | null): JsonObject {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    return isObject(found) ? (found as JsonObject) : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const operatorOf = (
  columns: readonly ColumnInfo[],
  { column, operator }: Condition,
): ColumnOperator | undefined =>
  columns.find(({ name }) => name === column)?.operators.find(({ name }) => name === operator);

/** Returns the condition that a new line begins with. */
export function newCondition(columns: readonly ColumnInfo[]): Condition {
  return { column: columns[0]?.name ?? "", operator: "_eq", text: "" };
}

/** Returns the filter of the conditions. @throws Error for an invalid value */
export function whereOf(groups: FilterGroups, columns: readonly ColumnInfo[]): JsonObject {
  const parts = groups.map((group) =>
    all(
      "_and",
      group.map((each) => conditionWhere(each, columns)),
    ),
  );
  return all("_or", parts);
}

const all = (name: string, [first = {}, ...others]: readonly JsonObject[]): JsonObject =>
  others.length === 0 ? first : { [name]: [first, ...others] };

/** Returns the reason why the condition cannot be sent; `null` if it can. */
export function conditionError(condition: Condition, columns: readonly ColumnInfo[]): string | null {
  try {
    conditionWhere(condition, columns);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function conditionWhere(condition: Condition, columns: readonly ColumnInfo[]): JsonObject {
  const column = columns.find(({ name }) => name === condition.column);
  if (!column) throw new Error("Select a column.");
  const operator = operatorOf(columns, condition);
  if (!operator) throw new Error("Select an operator.");
  return { [column.name]: { [operator.name]: readOperand(condition.text, operator, column) } };
}

function readOperand(text: string, { name, operand, list }: ColumnOperator, column: ColumnInfo): Json {
  if (operand === "column") {
    if (text === "") throw new Error("Select a column.");
    return text;
  }
  if (operand === "boolean" && text.trim() === "") {
    if (name === "_is_null") return true;
    throw new Error("Select true or false.");
  }
  const isPattern = name === "_like" || name === "_ilike" || name === "_nlike" || name === "_nilike";
  if (isPattern && !/[%_]/.test(text)) return `%${text}%`;
  const read = (part: string): Json =>
    operand === column.value && isOwn(name) ? readColumn(part, column) : readTyped(part, operand);
  if (!list) return read(text);
  const parts = text.trim().startsWith("[") ? readTyped(text, "json") : text.split(",").map((part) => part.trim());
  if (!Array.isArray(parts)) throw new Error("Enter values separated by commas, or a JSON list.");
  const items: readonly Json[] = parts;
  return items.map((part) => (typeof part === "string" ? read(part) : part));
}

/** Returns true for operators whose operand is a value of the column's type. */
const isOwn = (name: string): boolean => /^_(?:eq|neq|gt|gte|lt|lte|in|nin)$/.test(name);

/** Returns the groups of a filter; `null` if it has another form than the ones that can be edited. */
export function groupsOf(where: JsonObject, columns: readonly ColumnInfo[]): FilterGroups | null {
  if (Object.keys(where).length === 0) return [];
  const parts = listIn(where, "_or") ?? [where];
  const groups = parts.map((part) => {
    const conditions = (listIn(part, "_and") ?? [part]).map((each) => conditionsOf(each, columns));
    return conditions.includes(null) ? null : (conditions as readonly (readonly Condition[])[]).flat();
  });
  const isEditable = groups.every((group) => group !== null && group.length > 0);
  return isEditable ? (groups as FilterGroups) : null;
}

function listIn(where: JsonObject, name: string): readonly JsonObject[] | null {
  const list = where[name];
  const isOnly = Object.keys(where).length === 1 && Array.isArray(list) && list.every(isObject);
  return isOnly ? (list as readonly JsonObject[]) : null;
}

function conditionsOf(part: JsonObject, columns: readonly ColumnInfo[]): readonly Condition[] | null {
  const found: Condition[] = [];
  for (const [column, operators] of Object.entries(part)) {
    if (!isObject(operators)) return null;
    for (const [operator, value] of Object.entries(operators)) {
      const operand = operatorOf(columns, { column, operator, text: "" });
      if (!operand) return null;
      found.push({ column, operator, text: operandText(value, operand) });
    }
  }
  return found;
}

function operandText(value: Json, { operand, list }: ColumnOperator): string {
  if (operand === "json" && !list) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== "object" && !/[,[\]]|^\s|\s$/.test(String(each)));
    return isPlain ? value.join(", ") : JSON.stringify(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
