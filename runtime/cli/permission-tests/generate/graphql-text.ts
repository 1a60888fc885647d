/** GraphQL documents of generated cases. */

import type { AnalyzedColumn } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { Json, JsonObject } from "../../../../compiler/catalog/model.ts";
import { isObject } from "../../../values/is-object.ts";
import { stringifyJson } from "../../../values/json-number.ts";

/** Returns a value as a GraphQL literal. */
export function literal(value: Json, isEnum = false): string {
  if (isEnum && typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map((each: Json) => literal(each)).join(", ")}]`;
  if (!isObject<Json>(value)) return stringifyJson(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${literal(member)}`);
  return `{${members.join(", ")}}`;
}

/** Returns an input object with the values of columns by their field names. */
export function inputObject(values: JsonObject, columns: readonly AnalyzedColumn[]): string {
  const members = columns.flatMap(({ name, field, enumTable }) => {
    const value = values[name];
    return field === null || value === undefined ? [] : [`${field}: ${literal(value, enumTable !== undefined)}`];
  });
  return `{${members.join(", ")}}`;
}

/** Returns the names of fields as a selection. */
export function selection(columns: readonly AnalyzedColumn[]): string {
  const fields = columns.flatMap(({ field }) => (field === null ? [] : [field]));
  return fields.length === 0 ? "__typename" : fields.join(" ");
}

/** Returns a document with one root field, in the namespace of its source. */
export function documentOf(kind: "query" | "mutation", namespace: string | undefined, field: string): string {
  const inner = namespace === undefined ? field : `${namespace} { ${field} }`;
  return `${kind === "query" ? "" : "mutation "}{ ${inner} }`;
}
