/** Validates messages of clients. Connections of either sub-protocol accept the messages of both. */

import type { FindSavedText, GraphqlRequest } from "../../ports/graphql.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { unexpectedKind } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { readGraphqlItem } from "../graphql-body.ts";

export type ClientMessage =
  /** `besideHeaders`: the names of the other members of the payload. */
  | { readonly kind: "init"; readonly headers: RequestHeaders; readonly besideHeaders: readonly string[] }
  /** `request` is an error if the request is well-formed but refused. */
  | { readonly kind: "start"; readonly id: string; readonly request: GraphqlRequest | EngineError }
  | { readonly kind: "stop"; readonly id: string }
  | { readonly kind: "terminate" }
  | { readonly kind: "ping"; readonly payload: unknown }
  | { readonly kind: "pong" };

/**
 * Validates a message.
 * @throws EngineError `parse-failed`
 */
export function readClientMessage(json: unknown, findSaved: FindSavedText): ClientMessage {
  if (!isObject(json)) throw unexpectedKind("ClientMessage", "Object", json, "$");
  const type = textMember(json, "type");
  switch (type) {
    case "connection_init":
      return { kind: "init", headers: readHeaders(json.payload), besideHeaders: otherNames(json.payload) };
    case "start":
    case "subscribe":
      return { kind: "start", id: textMember(json, "id"), request: readRequest(json.payload, findSaved) };
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

/** Reads the headers of a payload. Other members are ignored, because they may be meant for other servers. */
function readHeaders(payload: unknown): RequestHeaders {
  const members = isObject(payload) ? (payload.headers ?? null) : null;
  if (members === null) return {};
  if (!isObject(members)) throw unexpectedKind("Object", "Object", members, "$");
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== "string") throw unexpectedKind("Text", "String", value, "$");
    // Encodes values like request headers in `node:http`. If a name occurs several times, its first value is used.
    headers[name.toLowerCase()] ??= Buffer.from(value, "utf8").toString("latin1");
  }
  return headers;
}

function otherNames(payload: unknown): readonly string[] {
  return isObject(payload) ? Object.keys(payload).filter((name) => name !== "headers") : [];
}

function readRequest(payload: unknown, findSaved: FindSavedText): GraphqlRequest | EngineError {
  if (payload === undefined) throw problem('key "payload" not found');
  return readGraphqlItem(payload, "$", findSaved);
}

function problem(message: string): EngineError {
  return new EngineError("parse-failed", "$", message);
}
