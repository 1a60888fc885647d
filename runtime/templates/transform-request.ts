/** A request and its transform → the request to be sent (`automation.md` D.2). */

import type { Interruptible } from "../values/interruptible.ts";
import { isJsonNumber } from "../values/json-number.ts";
import type { Budget } from "./budget.ts";
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
export function* transformRequest(
  transform: RequestTransform,
  request: OutgoingRequest,
  budget: Budget,
): Interruptible<Outcome<TransformedRequest>> {
  const evaluation = { scope: requestScope(request), budget };
  const { method, url, query, headers, body } = transform;
  const changes: Outcome<Change>[] = [];
  const change = <T>(outcome: Outcome<T>, apply: (request: TransformedRequest, value: T) => TransformedRequest) =>
    changes.push(mapOutcome(outcome, (value) => (changed) => apply(changed, value)));
  if (method !== undefined) change(checkMethod(method), (changed, value) => ({ ...changed, method: value }));
  if (url) change(yield* evaluateUrl(url, evaluation), (changed, value) => ({ ...changed, url: value }));
  // Replaces the parameters of the new URL, too.
  if (query) {
    const pairs = yield* evaluateQuery(query, evaluation);
    change(pairs, (changed, value) => ({ ...changed, url: withQuery(changed.url, value) }));
  }
  if (headers) {
    const changed = yield* evaluateHeaders(headers, request, evaluation);
    change(changed, (others, value) => ({ ...others, headers: value }));
  }
  if (body) change(yield* evaluateBody(body, evaluation), (changed, value) => ({ ...changed, body: value }));
  const unchanged: TransformedRequest = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: { kind: "json", value: request.body },
  };
  return mapOutcome(collect(changes), (all) => all.reduce((changed, apply) => apply(changed), unchanged));
}

type Change = (request: TransformedRequest) => TransformedRequest;

/** What all templates of a transform share. */
export interface Evaluation {
  readonly scope: Scope;
  readonly budget: Budget;
}

/** A body from its template, also that of a response. */
export function* evaluateBody(body: BodyTransform, evaluation: Evaluation): Interruptible<Outcome<RequestBody>> {
  switch (body.kind) {
    case "remove":
      return { ok: true, value: { kind: "none" } };
    case "json": {
      const { scope, budget } = evaluation;
      return mapOutcome(yield* evaluate(body.template, scope, budget), (value) => ({ kind: "json", value }));
    }
    case "form":
      return mapOutcome(yield* evaluateFields(body.fields, evaluation), (fields) => ({
        kind: "form",
        text: renderQuery(fields.filter(([, value]) => value !== "null")),
      }));
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkMethod(method: string): Outcome<string> {
  return token.test(method) ? { ok: true, value: method } : refuse(`Invalid method: ${method}`);
}

function* evaluateUrl(template: Template, { scope, budget }: Evaluation): Interruptible<Outcome<string>> {
  const outcome = yield* evaluate(template, scope, budget);
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  if (typeof value !== "string") return refuse(`URL Transforms must produce a JSON String: ${excerpt(value)}`);
  return isAbsoluteUrl(value) ? { ok: true, value } : refuse(`Invalid URL: ${withoutCredentials(value)}`);
}

function* evaluateQuery(query: QueryTransform, evaluation: Evaluation): Interruptible<Outcome<readonly QueryPair[]>> {
  if (query.kind === "text") return mapOutcome(yield* evaluateText(query.text, evaluation), parseQuery);
  const outcomes: Outcome<QueryPair>[] = [];
  for (const { key, value } of query.pairs) {
    const texts: Outcome<string>[] = [yield* evaluateText(key, evaluation)];
    if (value) texts.push(yield* evaluateText(value, evaluation));
    outcomes.push(mapOutcome(collect(texts), ([keyText = "", valueText = null]) => [keyText, valueText]));
  }
  return mapOutcome(collect(outcomes), (pairs) => pairs.filter((pair) => !pair.includes("null")));
}

function* evaluateHeaders(
  { remove, add }: HeadersTransform,
  { headers }: OutgoingRequest,
  evaluation: Evaluation,
): Interruptible<Outcome<readonly Header[]>> {
  const added = yield* evaluateFields(add, evaluation);
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

function* evaluateFields(fields: readonly Field[], evaluation: Evaluation): Interruptible<Outcome<readonly Header[]>> {
  const outcomes: Outcome<Header>[] = [];
  for (const { name, value } of fields) {
    outcomes.push(mapOutcome(yield* evaluateText(value, evaluation), (text) => [name, text]));
  }
  return collect(outcomes);
}

function* evaluateText(template: Template, { scope, budget }: Evaluation): Interruptible<Outcome<string>> {
  const outcome = yield* evaluate(template, scope, budget);
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
