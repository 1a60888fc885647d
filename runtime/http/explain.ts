/** `POST /v1/graphql/explain`. */

import type { ExplainRequest } from "../ports/administration.ts";
import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson } from "../values/json/parse.ts";
import { adminOnly } from "./admin-only.ts";
import { readGraphqlRequest } from "./graphql-body.ts";
import { jsonResponse } from "./responses.ts";

export function explainHandler(services: Services, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (request, session) => {
    const body = parseJson(await request.readBody(session));
    const explained = await services.explain.explain(readRequest(body));
    return jsonResponse(200, JSON.stringify(explained), { mode: "non-graphql", session, error: null });
  });
}

/** @throws EngineError `parse-failed` */
function readRequest(body: unknown): ExplainRequest {
  if (!isObject(body)) throw unexpectedKind("Object", "Object", body, "$");
  const { query, user = null, is_relay: isRelay = false, joins = false } = body;
  if (query === undefined) throw new EngineError("parse-failed", "$", 'key "query" not found');
  const request =
    typeof query === "string"
      ? { query, operationName: null, variables: null }
      : readGraphqlRequest(query, pathTo("$", "query"));
  if (typeof isRelay !== "boolean") throw unexpectedKind("Bool", "Boolean", isRelay, pathTo("$", "is_relay"));
  if (typeof joins !== "boolean") throw unexpectedKind("Bool", "Boolean", joins, pathTo("$", "joins"));
  return { request, user: user === null ? {} : readUser(user), api: isRelay ? "relay" : "graphql", joins };
}

function readUser(user: unknown): ExplainRequest["user"] {
  const path = pathTo("$", "user");
  if (!isObject(user)) throw unexpectedKind("Object", "Object", user, path);
  const variables: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(user)) {
    if (typeof value !== "string") throw unexpectedKind("Text", "String", value, pathTo(path, name));
    variables[name] = value;
  }
  return variables;
}
