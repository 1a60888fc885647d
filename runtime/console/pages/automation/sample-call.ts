/** A GraphQL operation that calls an action, with sample values of its arguments. */
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { namedType, objectsIn, typesIn } from "./action-sdl.ts";
import { isJsonObject } from "./json-paths.ts";

export interface SampleCall {
  readonly query: string;
  readonly variables: JsonObject;
  /** Query that reads the result of an asynchronous call by the variable `id`; `null` for synchronous actions. */
  readonly resultQuery: string | null;
}

const scalars: Readonly<Record<string, Json>> = {
  Int: 1,
  Float: 1.5,
  String: "text",
  Boolean: true,
  ID: "1",
  bigint: 1,
  date: "2030-01-31",
  json: {},
  jsonb: {},
  numeric: 1,
  timestamptz: "2030-01-31T12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** Maximum depth of sample values and of selected fields. */
const maxDepth = 3;

export function sampleCall(action: JsonObject, customTypes: JsonObject): SampleCall {
  const { name, definition } = action;
  const { type = "mutation", kind, output_type, arguments: args } = isJsonObject(definition) ? definition : {};
  const types = new Map(typesIn(customTypes).map((each) => [String(each.name), each]));
  const given = objectsIn(args);
  const declared = given.map((each) => `$${each.name}: ${each.type}`).join(", ");
  const passed = given.map((each) => `${each.name}: $${each.name}`).join(", ");
  const inParentheses = (text: string): string => (text === "" ? "" : `(${text})`);
  const selection = selectionOf(namedType(output_type), types, 0);
  const isAsynchronous = kind === "asynchronous" && type !== "query";
  const call = `${name}${inParentheses(passed)}${isAsynchronous ? "" : selection}`;
  return {
    query: `${type}${inParentheses(declared)} {\n  ${call}\n}`,
    variables: Object.fromEntries(given.map((each) => [String(each.name), sampleOf(String(each.type), types, 0)])),
    resultQuery: isAsynchronous
      ? `query($id: uuid!) {\n  ${name}(id: $id) { id created_at errors output${selection} }\n}`
      : null,
  };
}

type Types = ReadonlyMap<string, JsonObject>;

/** Returns a selection of all fields; empty for types without fields. */
function selectionOf(type: string, types: Types, depth: number): string {
  const fields = objectsIn(types.get(type)?.fields);
  if (fields.length === 0) return "";
  const selected = fields.flatMap((field) => {
    const inner = namedType(field.type);
    const hasFields = objectsIn(types.get(inner)?.fields).length > 0;
    return hasFields && depth + 1 >= maxDepth ? [] : [`${field.name}${selectionOf(inner, types, depth + 1)}`];
  });
  return ` { ${selected.length === 0 ? "__typename" : selected.join(" ")} }`;
}

function sampleOf(type: string, types: Types, depth: number): Json {
  if (type.startsWith("["))
    return depth >= maxDepth ? [] : [sampleOf(type.slice(1, type.lastIndexOf("]")), types, depth + 1)];
  const name = namedType(type);
  const [value] = objectsIn(types.get(name)?.values);
  if (value) return value.value ?? null;
  const fields = objectsIn(types.get(name)?.fields);
  if (fields.length === 0) return scalars[name] ?? "text";
  if (depth >= maxDepth) return null;
  return Object.fromEntries(
    fields.map((field) => [String(field.name), sampleOf(String(field.type), types, depth + 1)]),
  );
}
