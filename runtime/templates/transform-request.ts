/** A request and its transform → the request to be sent (`automation.md` D.2). */

import { isJsonNumber } from "../values/json-number.ts";
import type { BodyTransform, Field, HeadersTransform, QueryTransform, RequestTransform } from "./definition.ts";
import { evaluate, type Scope } from "./evaluator.ts";
import { excerpt, type JsonValue, scalarText } from "./json-value.ts";
import { type Header, type OutgoingRequest, requestScope } from "./scope.ts";
import type { Template } from "./syntax.ts";
import { collect, mapOutcome, type Outcome } from "./template-error.ts";
import { isAbsoluteUrl, parseQuery, type QueryPair, renderQuery, withoutCredentials, withQuery } from "./url.ts";

export interface TransformedRequest {
  readonly method: string;
  readonly url: string;
  /** Values may hold any characters but controls; they are to be sent as UTF-8. */
  readonly headers: readonly Header[];
  readonly body: RequestBody;
}

export type RequestBody =
  | { readonly kind: "json"; readonly value: JsonValue }
  /** `application/x-www-form-urlencoded`. */
  | { readonly kind: "form"; readonly text: string }
  | { readonly kind: "none" };

/**
 * Computes every part from the request as it was, then applies them all.
 * @returns the request, or the errors of all parts that failed
 */
export function transformRequest(transform: RequestTransform, request: OutgoingRequest): Outcome<TransformedRequest> {
  const scope = requestScope(request);
  const { method, url, query, headers, body } = transform;
  const changes: Outcome<Change>[] = [];
  const change = <T>(outcome: Outcome<T>, apply: (request: TransformedRequest, value: T) => TransformedRequest) =>
    changes.push(mapOutcome(outcome, (value) => (changed) => apply(changed, value)));
  if (method !== undefined) change(checkMethod(method), (changed, value) => ({ ...changed, method: value }));
  if (url) change(evaluateUrl(url, scope), (changed, value) => ({ ...changed, url: value }));
  // Replaces the parameters of the new URL, too.
  if (query)
    change(evaluateQuery(query, scope), (changed, pairs) => ({ ...changed, url: withQuery(changed.url, pairs) }));
  if (headers) change(evaluateHeaders(headers, request, scope), (changed, value) => ({ ...changed, headers: value }));
  if (body) change(evaluateBody(body, scope), (changed, value) => ({ ...changed, body: value }));
  const unchanged: TransformedRequest = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: { kind: "json", value: request.body },
  };
  return mapOutcome(collect(changes), (all) => all.reduce((changed, apply) => apply(changed), unchanged));
}

type Change = (request: TransformedRequest) => TransformedRequest;

/** A body from its template, also that of a response. */
export function evaluateBody(body: BodyTransform, scope: Scope): Outcome<RequestBody> {
  switch (body.kind) {
    case "remove":
      return { ok: true, value: { kind: "none" } };
    case "json":
      return mapOutcome(evaluate(body.template, scope), (value) => ({ kind: "json", value }));
    case "form":
      return mapOutcome(evaluateFields(body.fields, scope), (fields) => ({
        kind: "form",
        text: renderQuery(fields.filter(([, value]) => value !== "null")),
      }));
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkMethod(method: string): Outcome<string> {
  return token.test(method) ? { ok: true, value: method } : refuse(`Invalid method: ${method}`);
}

function evaluateUrl(template: Template, scope: Scope): Outcome<string> {
  const outcome = evaluate(template, scope);
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  if (typeof value !== "string") return refuse(`URL Transforms must produce a JSON String: ${excerpt(value)}`);
  return isAbsoluteUrl(value) ? { ok: true, value } : refuse(`Invalid URL: ${withoutCredentials(value)}`);
}

function evaluateQuery(query: QueryTransform, scope: Scope): Outcome<readonly QueryPair[]> {
  if (query.kind === "text") return mapOutcome(evaluateText(query.text, scope), parseQuery);
  const outcomes = query.pairs.map(({ key, value }): Outcome<QueryPair> => {
    const texts = collect([key, ...(value ? [value] : [])].map((template) => evaluateText(template, scope)));
    return mapOutcome(texts, ([keyText = "", valueText = null]) => [keyText, valueText]);
  });
  return mapOutcome(collect(outcomes), (pairs) => pairs.filter((pair) => !pair.includes("null")));
}

function evaluateHeaders(
  { remove, add }: HeadersTransform,
  { headers }: OutgoingRequest,
  scope: Scope,
): Outcome<readonly Header[]> {
  const added = evaluateFields(add, scope);
  if (!added.ok) return added;
  const unusable = added.value.find(([name, value]) => !token.test(name) || hasControlCharacters(value));
  if (unusable) return refuse(`Invalid header: ${unusable[0]}`);
  const kept = headers.filter(([name]) => !remove.has(name.toLowerCase()));
  return { ok: true, value: [...kept, ...added.value] };
}

/** Those would end the header, or begin another one. */
function hasControlCharacters(value: string): boolean {
  return [...value].some((character) => character !== "\t" && (character < " " || character === "\u007f"));
}

function evaluateFields(fields: readonly Field[], scope: Scope): Outcome<readonly Header[]> {
  return collect(fields.map(({ name, value }) => mapOutcome(evaluateText(value, scope), (text) => [name, text])));
}

function evaluateText(template: Template, scope: Scope): Outcome<string> {
  const outcome = evaluate(template, scope);
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  if (typeof value === "string" || typeof value === "boolean" || isJsonNumber(value)) {
    return { ok: true, value: scalarText(value) };
  }
  return refuse("Template must produce a String, Number, or Boolean value");
}

function refuse(message: string): Outcome<never> {
  return { ok: false, errors: [{ error_code: "TransformationError", message }] };
}
