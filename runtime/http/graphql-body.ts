/**
 * Validates the JSON body of a GraphQL request. Instead of the text of a saved operation, a request may contain its hash:
 * as `documentId` (GraphQL over HTTP, appendix "Persisted Documents", draft), or in the form of Apollo's automatic
 * persisted queries.
 */
import type { FindSavedText, GraphqlRequest } from "../ports/graphql.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { misspeltKey } from "../values/nearest-name.ts";
import { quoted } from "../values/quoted.ts";

/**
 * A request, or the error of a well-formed request that is refused. Such an error does not fail the other requests of a
 * batch.
 */
export type BodyItem = GraphqlRequest | EngineError;

export type GraphqlBody =
  | { readonly mode: "single"; readonly item: BodyItem }
  | { readonly mode: "batched"; readonly items: readonly BodyItem[] };

/** @throws EngineError `parse-failed` with the path of the wrong member */
export function readGraphqlBody(json: unknown, findSaved: FindSavedText): GraphqlBody {
  if (!Array.isArray(json)) return { mode: "single", item: readGraphqlItem(json, "$", findSaved) };
  return { mode: "batched", items: json.map((item, i) => readGraphqlItem(item, pathTo("$", i), findSaved)) };
}

/** @throws EngineError `parse-failed` with the path of the wrong member */
export function readGraphqlItem(json: unknown, path: string, findSaved: FindSavedText): BodyItem {
  if (!isObject(json)) throw unexpectedKind("Object", "Object", json, path);
  const { extensions, documentId } = json;
  const isSent = json.query !== undefined;
  let query: string | undefined;
  if (isObject(extensions) && Object.hasOwn(extensions, "persistedQuery")) {
    query = isSent ? undefined : automaticText(extensions.persistedQuery, findSaved);
    // Clients first omit `query`, and send it without the extension after receiving this error.
    if (query === undefined) return new EngineError("not-supported", "$", "PersistedQueryNotSupported");
  } else if (!isSent && documentId !== undefined) {
    if (typeof documentId !== "string") throw unexpectedKind("Text", "String", documentId, pathTo(path, "documentId"));
    query = findSaved(documentId.startsWith(hashPrefix) ? documentId.slice(hashPrefix.length) : documentId);
    if (query === undefined) return unknownDocument(documentId, path);
  }
  return readGraphqlRequest(query === undefined ? json : { ...json, query }, path);
}

function automaticText(persistedQuery: unknown, findSaved: FindSavedText): string | undefined {
  const hash = isObject(persistedQuery) ? persistedQuery.sha256Hash : undefined;
  return typeof hash === "string" ? findSaved(hash) : undefined;
}

const hashPrefix = "sha256:";
const maxShownLength = 100;

function unknownDocument(id: string, path: string): EngineError {
  const message =
    `no saved operation has the id ${quoted(id.slice(0, maxShownLength))}: send its text as "query", or add the ` +
    "operation to a query collection";
  return new EngineError("not-found", pathTo(path, "documentId"), message);
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
