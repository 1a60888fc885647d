/** A request after its transform. */

import type { Interruptible } from "../../values/interruptible.ts";
import { isJsonNumber } from "../../values/json-number.ts";
import type { Budget } from "./budget.ts";
import type { BodyTransform, Field, HeadersTransform, QueryTransform, RequestTransform } from "./definition.ts";
import { type Evaluated, evaluate, outcomeOf, type Program } from "./evaluator.ts";
import { excerpt, type JsonValue, scalarText } from "./json-value.ts";
import { type Header, type OutgoingRequest, requestScope } from "./scope.ts";
import { collect, mapOutcome, type Outcome } from "./template-error.ts";
import { isAbsoluteUrl, parseQuery, type QueryPair, renderQuery, withoutCredentials, withQuery } from "./url.ts";

export interface TransformedRequest {
  readonly method: string;
  readonly url: string;
  /** Values contain no control characters, and are sent as UTF-8. */
  readonly headers: readonly Header[];
  readonly body: RequestBody;
}

export type RequestBody =
  | { readonly kind: "json"; readonly value: JsonValue }
  /** `application/x-www-form-urlencoded`. */
  | { readonly kind: "form"; readonly text: string }
  | { readonly kind: "none" };

/**
 * Evaluates all parts with the original request, then applies them.
 * @returns the request, or the errors of all failed parts
 */
export function* transformRequest(
  transform: RequestTransform,
  request: OutgoingRequest,
  budget: Budget,
): Interruptible<Outcome<TransformedRequest>> {
  const evaluated = yield* evaluate(transform.programs, requestScope(request), budget);
  const { method, url, query, headers, body } = transform;
  const changes: Outcome<Change>[] = [];
  const change = <T>(outcome: Outcome<T>, apply: (request: TransformedRequest, value: T) => TransformedRequest) =>
    changes.push(mapOutcome(outcome, (value) => (changed) => apply(changed, value)));
  if (method !== undefined) change(checkMethod(method), (changed, value) => ({ ...changed, method: value }));
  if (url) change(urlOf(url, evaluated), (changed, value) => ({ ...changed, url: value }));
  // Also replaces the parameters of a new URL.
  if (query) {
    change(queryOf(query, evaluated), (changed, value) => ({ ...changed, url: withQuery(changed.url, value) }));
  }
  if (headers) change(headersOf(headers, request, evaluated), (changed, value) => ({ ...changed, headers: value }));
  if (body) change(bodyOf(body, evaluated), (changed, value) => ({ ...changed, body: value }));
  const unchanged: TransformedRequest = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: { kind: "json", value: request.body },
  };
  return mapOutcome(collect(changes), (all) => all.reduce((changed, apply) => apply(changed), unchanged));
}

type Change = (request: TransformedRequest) => TransformedRequest;

/** Returns the body of a request or response. */
export function bodyOf(body: BodyTransform, evaluated: Evaluated): Outcome<RequestBody> {
  switch (body.kind) {
    case "remove":
      return { ok: true, value: { kind: "none" } };
    case "json":
      return mapOutcome(outcomeOf(body.template, evaluated), (value) => ({ kind: "json", value }));
    case "form":
      return mapOutcome(fieldsOf(body.fields, evaluated), (fields) => ({
        kind: "form",
        text: renderQuery(fields.filter(([, value]) => value !== "null")),
      }));
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkMethod(method: string): Outcome<string> {
  return token.test(method) ? { ok: true, value: method } : refuse(`Invalid method: ${method}`);
}

function urlOf(template: Program, evaluated: Evaluated): Outcome<string> {
  const outcome = outcomeOf(template, evaluated);
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  if (typeof value !== "string") return refuse(`URL Transforms must produce a JSON String: ${excerpt(value)}`);
  return isAbsoluteUrl(value) ? { ok: true, value } : refuse(`Invalid URL: ${withoutCredentials(value)}`);
}

function queryOf(query: QueryTransform, evaluated: Evaluated): Outcome<readonly QueryPair[]> {
  if (query.kind === "text") return mapOutcome(textOf(query.text, evaluated), parseQuery);
  const pairs = query.pairs.map(({ key, value }): Outcome<QueryPair> => {
    const texts = collect((value ? [key, value] : [key]).map((template) => textOf(template, evaluated)));
    return mapOutcome(texts, ([keyText = "", valueText = null]) => [keyText, valueText]);
  });
  return mapOutcome(collect(pairs), (all) => all.filter((pair) => !pair.includes("null")));
}

function headersOf(
  { remove, add }: HeadersTransform,
  { headers }: OutgoingRequest,
  evaluated: Evaluated,
): Outcome<readonly Header[]> {
  const added = fieldsOf(add, evaluated);
  if (!added.ok) return added;
  const unusable = added.value.find(([name, value]) => !token.test(name) || hasControlCharacters(value));
  if (unusable) return refuse(`Invalid header: ${unusable[0]}`);
  const kept = headers.filter(([name]) => !remove.has(name.toLowerCase()));
  return { ok: true, value: [...kept, ...added.value] };
}

/** Returns true if a value has control characters, which could end a header or begin another. */
function hasControlCharacters(value: string): boolean {
  return [...value].some((character) => character !== "\t" && (character < " " || character === "\u007f"));
}

function fieldsOf(fields: readonly Field[], evaluated: Evaluated): Outcome<readonly Header[]> {
  return collect(fields.map(({ name, value }) => mapOutcome(textOf(value, evaluated), (text) => [name, text])));
}

function textOf(template: Program, evaluated: Evaluated): Outcome<string> {
  const outcome = outcomeOf(template, evaluated);
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
