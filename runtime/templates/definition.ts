/**
 * Transforms as metadata defines them (`metadata-api.md` 2.19) → their parts with all templates parsed. Done once when a
 * transform is saved or loaded; a request only evaluates.
 */
import { invariant } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { compareText, isArray, type JsonObject, type JsonValue } from "./json-value.ts";
import { parseStringTemplate, parseTemplate } from "./parser.ts";
import type { Template } from "./syntax.ts";
import { collect, mapOutcome, type Outcome } from "./template-error.ts";

/** Absent parts stay as they are. */
export interface RequestTransform {
  readonly method?: string;
  readonly url?: Template;
  readonly query?: QueryTransform;
  readonly headers?: HeadersTransform;
  readonly body?: BodyTransform;
}

export interface ResponseTransform {
  readonly body?: BodyTransform;
}

export type QueryTransform =
  | { readonly kind: "pairs"; readonly pairs: readonly { readonly key: Template; readonly value: Template | null }[] }
  | { readonly kind: "text"; readonly text: Template };

export interface HeadersTransform {
  /** In lower case. */
  readonly remove: ReadonlySet<string>;
  /** Sorted by name. */
  readonly add: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly value: Template;
}

export type BodyTransform =
  | { readonly kind: "remove" }
  | { readonly kind: "json"; readonly template: Template }
  /** Sorted by name. */
  | { readonly kind: "form"; readonly fields: readonly Field[] };

/**
 * @param definition as the metadata schema accepts it; `version` shows in the form of the body
 * @returns the transform, or the syntax errors of all its parts
 */
export function compileRequestTransform(definition: JsonObject): Outcome<RequestTransform> {
  const { method, url, query_params, request_headers, body } = definition;
  const parts: Outcome<RequestTransform>[] = [];
  if (isGiven(method)) parts.push({ ok: true, value: { method: textOf(method) } });
  if (isGiven(url)) parts.push(mapOutcome(parseStringTemplate(textOf(url)), (template) => ({ url: template })));
  if (isGiven(query_params)) parts.push(mapOutcome(compileQuery(query_params), (query) => ({ query })));
  if (isGiven(request_headers)) parts.push(mapOutcome(compileHeaders(request_headers), (headers) => ({ headers })));
  if (isGiven(body)) parts.push(mapOutcome(compileBody(body), (compiled) => ({ body: compiled })));
  return merge(parts);
}

/** The same for a response. */
export function compileResponseTransform({ body }: JsonObject): Outcome<ResponseTransform> {
  if (!isGiven(body)) return { ok: true, value: {} };
  return mapOutcome(compileBody(body), (compiled) => ({ body: compiled }));
}

function merge(parts: readonly Outcome<RequestTransform>[]): Outcome<RequestTransform> {
  return mapOutcome(collect(parts), (values) => {
    let merged: RequestTransform = {};
    for (const part of values) merged = { ...merged, ...part };
    return merged;
  });
}

function compileQuery(definition: JsonValue): Outcome<QueryTransform> {
  if (typeof definition === "string") {
    return mapOutcome(parseStringTemplate(definition), (text) => ({ kind: "text", text }));
  }
  const pairs = Object.entries(objectOf(definition)).map(([key, value]) => {
    const templates = collect([key, ...(value === null ? [] : [textOf(value)])].map(parseStringTemplate));
    return mapOutcome(templates, ([keyTemplate, valueTemplate = null]) => {
      invariant(keyTemplate, "a parameter has no key");
      return { key: keyTemplate, value: valueTemplate };
    });
  });
  return mapOutcome(collect(pairs), (compiled) => ({ kind: "pairs", pairs: compiled }));
}

function compileHeaders(definition: JsonValue): Outcome<HeadersTransform> {
  const { add_headers, remove_headers } = objectOf(definition);
  const removed = isGiven(remove_headers) ? remove_headers : [];
  invariant(isArray(removed), "remove_headers is not a list");
  const remove = new Set(removed.map((name) => textOf(name).toLowerCase()));
  return mapOutcome(compileFields(isGiven(add_headers) ? add_headers : {}), (add) => ({ remove, add }));
}

function compileBody(definition: JsonValue): Outcome<BodyTransform> {
  if (typeof definition === "string") return compileTemplate(definition);
  const { action, template, form_template } = objectOf(definition);
  switch (action) {
    case "remove":
      return { ok: true, value: { kind: "remove" } };
    case "transform":
      return compileTemplate(textOf(template));
    default:
      return mapOutcome(compileFields(form_template), (fields) => ({ kind: "form", fields }));
  }
}

function compileTemplate(source: string): Outcome<BodyTransform> {
  return mapOutcome(parseTemplate(source), (template) => ({ kind: "json", template }));
}

function compileFields(definition: JsonValue | undefined): Outcome<readonly Field[]> {
  const entries = Object.entries(objectOf(definition)).sort(([a], [b]) => compareText(a, b));
  return collect(
    entries.map(([name, text]) => mapOutcome(parseStringTemplate(textOf(text)), (value) => ({ name, value }))),
  );
}

function isGiven(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

function textOf(value: JsonValue | undefined): string {
  invariant(typeof value === "string", "a template is not a string");
  return value;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  invariant(value !== undefined && isObject(value), "a part of a transform is not an object");
  return value;
}
