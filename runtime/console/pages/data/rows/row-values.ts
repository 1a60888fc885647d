/** Values of a row as they are typed, and the conditions that identify a row. */
import type { ColumnInfo, Row, TableInfo } from "../../../http/data-api.ts";
import type { Json, JsonObject } from "../../../http/metadata-types.ts";
import { isArrayType, readColumn, typedText } from "../typed-value.ts";

/** Typed text of a column; `null` for null, `undefined` if nothing was typed. */
export type Typed = string | null | undefined;

export const isRequired = ({ nullable, value_generated: generated, insertable }: ColumnInfo): boolean =>
  !nullable && generated === undefined && insertable !== false;

/** Returns true if the empty text is a value of the column. */
export const hasEmptyText = ({ type, value, enum_values: values }: ColumnInfo): boolean =>
  value === "text" && values === undefined && /char|text|name|xml/i.test(type) && !isArrayType(type);

/**
 * Returns the value to send; `undefined` to send none.
 * @param isInsert true for a new row, whose other columns get their defaults
 * @throws Error if the text is not a value of the column
 */
export function valueToSend(typed: Typed, column: ColumnInfo, isInsert: boolean): Json | undefined {
  if (typed === undefined) {
    if (isInsert && isRequired(column)) throw new Error("Required. Enter a value.");
    return undefined;
  }
  if (typed === null) return null;
  if (typed === "" && !hasEmptyText(column)) {
    if (isInsert && !isRequired(column)) return undefined;
    if (!isInsert && column.nullable) return null;
    throw new Error("Required. Enter a value.");
  }
  return readColumn(typed, column);
}

/** Returns the text with which a value is edited. JSON is indented if it is long. */
export function editableText(value: unknown, column: ColumnInfo): string {
  const isStructure =
    typeof value === "object" && value !== null && (column.value === "json" || isArrayType(column.type));
  const text = typedText(value, column.value);
  return isStructure && text.length > 60 ? JSON.stringify(value, null, 2) : text;
}

export const keyColumns = ({ primary_key: keys = [] }: TableInfo): readonly string[] => keys;

/** Returns a text that identifies a row; `null` if the table has no primary key. */
export function keyText(row: Row, info: TableInfo): string | null {
  const keys = keyColumns(info);
  return keys.length === 0 ? null : JSON.stringify(keys.map((name) => row[name]));
}

/** Returns a condition that matches only this row. @throws Error without a primary key */
function whereKey(row: Row, info: TableInfo): JsonObject {
  const keys = keyColumns(info);
  if (keys.length === 0) throw new Error("The table has no primary key to identify the row by.");
  return Object.fromEntries(keys.map((name) => [name, { _eq: row[name] as Json }]));
}

/** Returns a condition that matches only these rows. @throws Error without a primary key */
export function whereKeys(rows: readonly Row[], info: TableInfo): JsonObject {
  const [key, ...others] = keyColumns(info);
  if (key === undefined || others.length > 0) return { _or: rows.map((row) => whereKey(row, info)) };
  return { [key]: { _in: rows.map((row) => row[key] as Json) } };
}

/** Types whose values compare equal to their text in the response. */
const comparableTypes =
  /char|text|^(?:smallint|integer|bigint|int|tinyint|boolean|bit|uuid|uniqueidentifier|date|timestamp)/i;

/**
 * Returns a condition that matches the row only while these columns have their loaded values. Columns whose values do
 * not compare exactly, such as JSON and floating point numbers, are not part of it.
 */
export function whereUnchanged(row: Row, info: TableInfo, changed: readonly string[]): JsonObject {
  const unchanged = info.columns.flatMap(({ name, type, operators, enum_values: values }): readonly JsonObject[] => {
    const value = row[name] as Json | undefined;
    if (!changed.includes(name) || value === undefined) return [];
    if (value === null) return [{ [name]: { _is_null: true } }];
    const isComparable = (values !== undefined || comparableTypes.test(type)) && !isArrayType(type);
    return isComparable && operators.some((each) => each.name === "_eq") ? [{ [name]: { _eq: value } }] : [];
  });
  return unchanged.length === 0 ? whereKey(row, info) : { _and: [whereKey(row, info), ...unchanged] };
}

/** Returns the columns that the API returns: columns whose names are not GraphQL names are absent from rows. */
export const returnedColumns = (row: Row): readonly string[] => Object.keys(row);
