/** Schemas of OpenAPI as short text: `{ id: integer, title?: string }`. */
import type { Schema } from "../../http/rest-api.ts";

const maxDepth = 8;
const maxLength = 20_000;

const nameOf = (ref: string): string => ref.replace(/^#\/components\/schemas\//, "");

export function schemaText(schema: Schema): string {
  const text = write(schema, 0);
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}

function write(schema: Schema, depth: number): string {
  const { $ref, nullable = false } = schema;
  if ($ref !== undefined) return nameOf($ref);
  return plain(schema, depth) + (nullable ? " | null" : "");
}

function plain({ type, title, enum: values, items, properties, required = [] }: Schema, depth: number): string {
  if (depth > maxDepth) return "…";
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "array" || items) {
    const item = write(items ?? {}, depth);
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (properties) {
    const space = "  ".repeat(depth + 1);
    const members = Object.entries(properties).map(
      ([name, member]) =>
        `${space}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${write(member, depth + 1)}\n`,
    );
    return members.length === 0 ? "{}" : `{\n${members.join("")}${"  ".repeat(depth)}}`;
  }
  return title !== undefined && title !== type && type === undefined ? title : (type ?? "any");
}
