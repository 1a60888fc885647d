/** A client's message, parsed → what it asks for. Both sub-protocols understand the messages of either. */

import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { unexpectedKind } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { readGraphqlBody } from "../graphql-body.ts";

export type ClientMessage =
  /** `besideHeaders`: names of what else the payload has. */
  | { readonly kind: "init"; readonly headers: RequestHeaders; readonly besideHeaders: readonly string[] }
  /** An error stands for a request of right shape that is refused all the same. */
  | { readonly kind: "start"; readonly id: string; readonly request: GraphqlRequest | EngineError }
  | { readonly kind: "stop"; readonly id: string }
  | { readonly kind: "terminate" }
  /** `payload`: absent when it is `undefined`. */
  | { readonly kind: "ping"; readonly payload: unknown }
  | { readonly kind: "pong" };

/** @throws EngineError whose message says what is wrong with it */
export function readClientMessage(json: unknown): ClientMessage {
  if (!isObject(json)) throw unexpectedKind("ClientMessage", "Object", json, "$");
  const type = textMember(json, "type");
  switch (type) {
    case "connection_init":
      return { kind: "init", headers: readHeaders(json.payload), besideHeaders: otherNames(json.payload) };
    case "start":
    case "subscribe":
      return { kind: "start", id: textMember(json, "id"), request: readRequest(json.payload) };
    case "stop":
    case "complete":
      return { kind: "stop", id: textMember(json, "id") };
    case "connection_terminate":
      return { kind: "terminate" };
    case "ping":
      return { kind: "ping", payload: json.payload };
    case "pong":
      return { kind: "pong" };
    default:
      throw problem(`unexpected type for ClientMessage: ${type.slice(0, 100)}`);
  }
}

function textMember(json: Readonly<Record<string, unknown>>, name: string): string {
  const value = json[name];
  if (value === undefined) throw problem(`key "${name}" not found`);
  if (typeof value !== "string") throw unexpectedKind("Text", "String", value, "$");
  return value;
}

/** Only what concerns the headers is looked at: payloads hold what a client's other servers want. */
function readHeaders(payload: unknown): RequestHeaders {
  const given = isObject(payload) ? (payload.headers ?? null) : null;
  if (given === null) return {};
  if (!isObject(given)) throw unexpectedKind("Object", "Object", given, "$");
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") throw unexpectedKind("Text", "String", value, "$");
    // In the form in which `node:http` hands over the headers of requests; of equal names the first counts.
    headers[name.toLowerCase()] ??= Buffer.from(value, "utf8").toString("latin1");
  }
  return headers;
}

function otherNames(payload: unknown): readonly string[] {
  return isObject(payload) ? Object.keys(payload).filter((name) => name !== "headers") : [];
}

function readRequest(payload: unknown): GraphqlRequest | EngineError {
  if (payload === undefined) throw problem('key "payload" not found');
  const body = readGraphqlBody(payload);
  if (body.mode === "batched") throw unexpectedKind("Object", "Object", payload, "$");
  return body.item;
}

function problem(message: string): EngineError {
  return new EngineError("parse-failed", "$", message);
}
