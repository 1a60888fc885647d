/** Request of an endpoint, built from the fields that its OpenAPI operation describes. */
import type { OpenApi, RestMethod, RestOperation, RestRequest, Schema } from "../../http/rest-api.ts";

export interface RequestField {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  /** `json` for lists and objects. */
  readonly kind: "number" | "boolean" | "text" | "enum" | "json";
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

export interface FoundOperation {
  /** Template, such as `/api/rest/books/{id}`. */
  readonly path: string;
  readonly operation: RestOperation;
}

/** Returns the operation of an endpoint; `undefined` if the document lacks it. */
export function operationOf({ paths = {} }: OpenApi, endpoint: string, method: RestMethod): FoundOperation | undefined {
  for (const [path, item] of Object.entries(paths)) {
    const operation = item[method.toLowerCase()];
    if (operation?.summary === endpoint) return { path, operation };
  }
  return undefined;
}

/** Returns the schema that a reference names. */
function resolved(schema: Schema, { components }: OpenApi): Schema {
  const name = schema.$ref?.replace(/^#\/components\/schemas\//, "");
  const found =
    name === undefined ? undefined : components?.schemas?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  return found ?? schema;
}

/** Types of columns whose values are JSON of any shape. */
const jsonTitles: ReadonlySet<string> = new Set(["json", "jsonb"]);

function fieldOf(
  field: Pick<RequestField, "name" | "place" | "isRequired">,
  schema: Schema,
  document: OpenApi,
): RequestField {
  const found = resolved(schema, document);
  const { type, enum: values, properties, title = "" } = found;
  const choices = (values ?? []).filter((value) => value !== null).map(String);
  const isJson = type === "array" || type === "object" || properties !== undefined || jsonTitles.has(title);
  const kind = isJson
    ? "json"
    : choices.length > 0
      ? "enum"
      : type === "integer" || type === "number"
        ? "number"
        : type === "boolean"
          ? "boolean"
          : "text";
  return { ...field, kind, choices };
}

/** Returns the fields in the order path, query, body. A variable that the body can carry is not in the query. */
export function fieldsOf({ operation }: FoundOperation, document: OpenApi): readonly RequestField[] {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((each) => each.in === "path");
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const properties = Object.entries(body?.properties ?? {});
  const names = new Set([...inPath.map(({ name }) => name), ...properties.map(([name]) => name)]);
  const inQuery = parameters.filter((each) => each.in === "query" && !names.has(each.name));
  return [
    ...inPath.map(({ name, schema = {} }) => fieldOf({ name, place: "path", isRequired: true }, schema, document)),
    ...inQuery.map(({ name, schema = {}, required = false }) =>
      fieldOf({ name, place: "query", isRequired: required }, schema, document),
    ),
    ...properties
      .filter(([name]) => !inPath.some((each) => each.name === name))
      .map(([name, schema]) => fieldOf({ name, place: "body", isRequired: false }, schema, document)),
  ];
}

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the reason that a text cannot be sent; `null` if there is none. An empty text is not sent. */
export function problemOf({ kind, place, isRequired }: RequestField, text: string): string | null {
  if (text === "") return isRequired ? "Enter a value." : null;
  // Browsers remove such segments, also percent-encoded, so that the request would go to another path.
  if (place === "path" && /^\.{1,2}$/.test(text)) return "A segment of a path cannot be . or ..";
  if (kind === "number" && !numberPattern.test(text)) return "Enter a number.";
  if (kind === "json" && jsonOf(text) === undefined) return "Enter JSON.";
  return null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Builds the request. @param values text by name of the field; fields without a text are not sent */
export function requestOf(
  method: RestMethod,
  found: FoundOperation,
  fields: readonly RequestField[],
  values: Readonly<Record<string, string>>,
): RestRequest {
  const given = fields.flatMap((field) => {
    const text = values[field.name] ?? "";
    return text === "" ? [] : [{ field, text }];
  });
  const at = (place: RequestField["place"]) => given.filter(({ field }) => field.place === place);
  const path = at("path").reduce(
    (template, { field, text }) => template.replace(`{${field.name}}`, () => encodeURIComponent(text)),
    found.path,
  );
  const query = new URLSearchParams(at("query").map(({ field, text }) => [field.name, text])).toString();
  const hasBody = fields.some(({ place }) => place === "body");
  // The text of numbers is kept, because JavaScript would round long ones.
  const members = at("body").map(({ field, text }) => {
    const isText = field.kind === "text" || field.kind === "enum";
    return `${JSON.stringify(field.name)}: ${isText ? JSON.stringify(text) : text}`;
  });
  return { method, path: query === "" ? path : `${path}?${query}`, body: hasBody ? `{${members.join(", ")}}` : null };
}
