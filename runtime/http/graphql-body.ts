/** Validates the JSON body of a GraphQL request. */
import type { GraphqlRequest } from "../ports/graphql.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { misspeltKey } from "../values/nearest-name.ts";

/**
 * A request, or the error of a well-formed request that is refused. Such an error does not fail the other requests of a
 * batch.
 */
export type BodyItem = GraphqlRequest | EngineError;

export type GraphqlBody =
  | { readonly mode: "single"; readonly item: BodyItem }
  | { readonly mode: "batched"; readonly items: readonly BodyItem[] };

/** @throws EngineError `parse-failed` with the path of the wrong member */
export function readGraphqlBody(json: unknown): GraphqlBody {
  if (!Array.isArray(json)) return { mode: "single", item: readItem(json, "$") };
  return { mode: "batched", items: json.map((item, i) => readItem(item, pathTo("$", i))) };
}

export function persistedQueryNotSupported(): EngineError {
  return new EngineError("not-supported", "$", "PersistedQueryNotSupported");
}

function readItem(json: unknown, path: string): BodyItem {
  if (!isObject(json)) throw unexpectedKind("Object", "Object", json, path);
  // Clients with persisted queries first omit `query`, and send it after receiving this error.
  if (isObject(json.extensions) && Object.hasOwn(json.extensions, "persistedQuery"))
    return persistedQueryNotSupported();
  return readGraphqlRequest(json, path);
}

/** @throws EngineError `parse-failed` */
export function readGraphqlRequest(json: unknown, path: string): GraphqlRequest {
  if (!isObject(json)) throw unexpectedKind("Object", "Object", json, path);
  if (json.query === undefined) {
    const error = new EngineError("parse-failed", path, 'key "query" not found');
    throw error.withHint(() => misspeltKey("query", json));
  }
  if (typeof json.query !== "string") throw unexpectedKind("Text", "String", json.query, pathTo(path, "query"));
  const operationName = json.operationName ?? null;
  if (operationName !== null && typeof operationName !== "string") {
    throw unexpectedKind("Text", "String", operationName, pathTo(path, "operationName"));
  }
  const variables = json.variables ?? null;
  if (variables !== null && !isObject(variables)) {
    throw unexpectedKind("Object", "Object", variables, pathTo(path, "variables"));
  }
  const read = { query: json.query, operationName, variables };
  if (json.operationName !== null && json.variables !== null) return read;
  return { ...read, sentNulls: nullable.filter((name) => json[name] === null) };
}

const nullable = ["operationName", "variables"] as const;
