/**
 * Compiles transforms of the metadata. This is done once, when a transform is saved or loaded; requests only evaluate
 * it.
 */
import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { compileStringTemplate, compileTemplate } from "./compile-template.ts";
import type { Program } from "./evaluator.ts";
import { compareText, isArray, type JsonObject, type JsonValue } from "./json-value.ts";
import { collect, mapOutcome, type Outcome } from "./template-error.ts";

/** A compiled request transform. Absent parts leave the request unchanged. */
export interface RequestTransform extends RequestParts {
  /** Templates of all parts. */
  readonly programs: readonly Program[];
}

interface RequestParts {
  readonly method?: string;
  readonly url?: Program;
  readonly query?: QueryTransform;
  readonly headers?: HeadersTransform;
  readonly body?: BodyTransform;
}

export interface ResponseTransform {
  readonly body?: BodyTransform;
  /** Templates of the body. */
  readonly programs: readonly Program[];
}

export type QueryTransform =
  | { readonly kind: "pairs"; readonly pairs: readonly { readonly key: Program; readonly value: Program | null }[] }
  | { readonly kind: "text"; readonly text: Program };

export interface HeadersTransform {
  /** Names in lower case. */
  readonly remove: ReadonlySet<string>;
  /** Sorted by name. */
  readonly add: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly value: Program;
}

export type BodyTransform =
  | { readonly kind: "remove" }
  | { readonly kind: "json"; readonly template: Program }
  /** Sorted by name. */
  | { readonly kind: "form"; readonly fields: readonly Field[] };

/**
 * Compiles a request transform.
 * @param definition valid under the metadata schema; `version` determines the form of the body
 * @returns the transform, or the syntax errors of all its parts
 */
export function compileRequestTransform(definition: JsonObject): Outcome<RequestTransform> {
  const { method, url, query_params, request_headers, body } = definition;
  const parts: Outcome<RequestParts>[] = [];
  if (isGiven(method)) parts.push({ ok: true, value: { method: textOf(method) } });
  if (isGiven(url)) parts.push(mapOutcome(compileStringTemplate(textOf(url)), (template) => ({ url: template })));
  if (isGiven(query_params)) parts.push(mapOutcome(compileQuery(query_params), (query) => ({ query })));
  if (isGiven(request_headers)) parts.push(mapOutcome(compileHeaders(request_headers), (headers) => ({ headers })));
  if (isGiven(body)) parts.push(mapOutcome(compileBody(body), (compiled) => ({ body: compiled })));
  return merge(parts);
}

export function compileResponseTransform({ body }: JsonObject): Outcome<ResponseTransform> {
  if (!isGiven(body)) return { ok: true, value: { programs: [] } };
  return mapOutcome(compileBody(body), (compiled) => ({ body: compiled, programs: programsOfBody(compiled) }));
}

function merge(parts: readonly Outcome<RequestParts>[]): Outcome<RequestTransform> {
  return mapOutcome(collect(parts), (values) => {
    let merged: RequestParts = {};
    for (const part of values) merged = { ...merged, ...part };
    return { ...merged, programs: programsOf(merged) };
  });
}

function programsOf({ url, query, headers, body }: RequestParts): readonly Program[] {
  return [
    ...(url ? [url] : []),
    ...(query ? programsOfQuery(query) : []),
    ...(headers ? headers.add.map(({ value }) => value) : []),
    ...(body ? programsOfBody(body) : []),
  ];
}

function programsOfQuery(query: QueryTransform): readonly Program[] {
  if (query.kind === "text") return [query.text];
  return query.pairs.flatMap(({ key, value }) => (value ? [key, value] : [key]));
}

function programsOfBody(body: BodyTransform): readonly Program[] {
  switch (body.kind) {
    case "remove":
      return [];
    case "json":
      return [body.template];
    case "form":
      return body.fields.map(({ value }) => value);
  }
}

function compileQuery(definition: JsonValue): Outcome<QueryTransform> {
  if (typeof definition === "string") {
    return mapOutcome(compileStringTemplate(definition), (text) => ({ kind: "text", text }));
  }
  const pairs = Object.entries(objectOf(definition)).map(([key, value]) => {
    const templates = collect([key, ...(value === null ? [] : [textOf(value)])].map(compileStringTemplate));
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
  if (typeof definition === "string") return compileJsonBody(definition);
  const { action, template, form_template } = objectOf(definition);
  switch (action) {
    case "remove":
      return { ok: true, value: { kind: "remove" } };
    case "transform":
      return compileJsonBody(textOf(template));
    default:
      return mapOutcome(compileFields(form_template), (fields) => ({ kind: "form", fields }));
  }
}

function compileJsonBody(source: string): Outcome<BodyTransform> {
  return mapOutcome(compileTemplate(source), (template) => ({ kind: "json", template }));
}

function compileFields(definition: JsonValue | undefined): Outcome<readonly Field[]> {
  const entries = Object.entries(objectOf(definition)).sort(([a], [b]) => compareText(a, b));
  return collect(
    entries.map(([name, text]) => mapOutcome(compileStringTemplate(textOf(text)), (value) => ({ name, value }))),
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
